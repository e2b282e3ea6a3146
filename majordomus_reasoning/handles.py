"""What a verb gives back: a record, with a small display that is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from majordomus_reasoning.core.records import AdvisorState, Body, Part, Plan, Record
from majordomus_reasoning.core.timeline import first_line, timeline_step

Row = tuple[str, str]


@dataclass(frozen=True, repr=False)
class Handle:
    """A record by its id; `reused` says that it was there before and nothing was written.

    Wherever a verb takes the id of a record, it takes the handle. Handles of one record are equal,
    and show the same whether it was there before: so a notebook that is run again shows the same.
    """

    record: Record[Body]
    reused: bool = field(default=False, compare=False)

    @property
    def id(self) -> str:
        """The id of the record."""
        return self.record.id

    @property
    def body(self) -> Any:
        """The body of the record, with a field for each field of its kind."""
        return self.record.body

    def __hash__(self) -> int:
        # A record holds mappings, which have no hash; its id stands for it.
        return hash(self.id)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        summary = timeline_step(self.record).summary
        lines = [f"{self.id}: {summary}"]
        lines += [f"  {name}: {text}" for name, text in rows(self.record.body)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        summary = escape(timeline_step(self.record).summary)
        cells = "".join(
            f"<tr><th style='text-align:left;vertical-align:top'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in rows(self.record.body)
        )
        return (
            f"<div><strong>{summary}</strong><br><code>{escape(self.id)}</code>"
            f"<table>{cells}</table></div>"
        )


class Markdown(str):
    """A text of Markdown: a notebook shows it as such, a terminal as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


class AdvisorStates(tuple[AdvisorState, ...]):
    """The states of advisors, in order, shown one a line."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = (f"{each.id}: {each.status} ({each.reason})" for each in self)
        return "\n".join(lines) or "no advisors"


def rows(body: Body) -> Iterator[Row]:
    """What a body says, field by field, each value one line of text; a list has a row per item."""
    if isinstance(body, Plan):
        yield from _plan_rows(body)
        return
    for name in type(body).model_fields:
        if name != "kind" and name in body.model_fields_set:
            value = getattr(body, name)
            for item in value if isinstance(value, tuple) else (value,):
                yield name, _text(item)


def _plan_rows(body: Plan) -> Iterator[Row]:
    plan = body.plan
    yield "assessment", body.assessment
    yield "mode", f"{plan.mode} ({plan.mode_source})"
    yield "outcome", f"{plan.outcome}: {plan.reason}"
    yield "asked for", ", ".join(plan.capabilities)
    for selection in plan.selected:
        yield "ask", f"{selection.advisor}: {selection.why}"
    for exclusion in plan.excluded:
        yield "not asked", f"{exclusion.advisor}: {exclusion.reason}"
    for step in plan.local_review:
        yield "local review", step


def _text(value: object) -> str:
    if isinstance(value, Part):
        parts = ((name, getattr(value, name)) for name in type(value).model_fields)
        return " · ".join(_part(name, part) for name, part in parts if part is not None)
    return first_line(str(value), longest=400)


def _part(name: str, value: object) -> str:
    """A piece of a value: a number says of what, a text speaks for itself."""
    return f"{value} {name}" if isinstance(value, int) else first_line(str(value))
