"""The six capabilities, declared once: what each is asked, what it answers, what it may change.

Every surface is a projection of `CAPABILITIES`. Only `reasoning.record` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.checks import Examined, Finding, run_checks
from majordomus_reasoning.core.catalogue import Diagnostic
from majordomus_reasoning.core.paging import Page, Stamped, Window, window
from majordomus_reasoning.core.policy import Request
from majordomus_reasoning.core.records import AdvisorState, Part, ReviewPlan
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import State
from majordomus_reasoning.core.timeline import Step, timeline_step
from majordomus_reasoning.core.words import Confidence, Materiality, Mode, is_plain_name
from majordomus_reasoning.errors import CatalogueError, Refusal
from majordomus_reasoning.store.evidence import Drift

ALL_TASKS = "all"
A = TypeVar("A", bound="Asked")
T = TypeVar("T")


class Asked(BaseModel):
    """What a capability is asked; a field that it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Answer(BaseModel):
    """What a capability answers, the same on every surface."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    def plain(self) -> dict[str, Any]:
        """The answer as JSON holds it: of a record's parts what was set, all else whole."""
        return {name: _plain(value) for name, value in self}


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return value.plain()
    if isinstance(value, BaseModel):
        return {name: _plain(item) for name, item in value}
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


class AskedNothing(Asked):
    """A question without parameters."""


class AskedPlan(Asked):
    """What a plan would be asked for; nothing is recorded."""

    materiality: Materiality = "low"
    confidence: Confidence = "medium"
    capabilities: tuple[str, ...] = ()


class AskedRecord(Asked):
    """A body tagged by its kind; with `once`, the same authored body is recorded once a task."""

    record: Mapping[str, Any]
    once: bool = False


class AskedPage(Asked):
    """A window on a long answer: the latest `limit` records since a moment, before a cursor."""

    limit: int | None = Field(default=None, ge=1)
    since: str | None = None
    cursor: str | None = None

    def window(self, steps: Sequence[Stamped]) -> Window:
        """What of the steps is shown; NotFound or Refusal where there is no such window."""
        return window(steps, Page(self.limit, self.since, self.cursor))


class AskedStatus(AskedPage):
    """A task, `all` for all tasks; None is the open task, or all where none is open."""

    task: str | None = None


class AskedExplain(AskedPage):
    """The id of a record."""

    id: str


class ModeAnswer(Answer):
    """The reasoning mode, and what decided it."""

    mode: Mode
    source: str


class Capacity(Answer):
    """A capability of the vocabulary and the advisors that offer it now."""

    capability: str
    description: str
    available: tuple[str, ...]


class AdvisorsAnswer(Answer):
    """Every advisor's state; reasoning is operational whoever is there."""

    operational: Literal[True]
    mode: ModeAnswer
    available: int
    unavailable: int
    advisors: tuple[AdvisorState, ...]
    capacity: tuple[Capacity, ...]
    diagnostics: tuple[Diagnostic, ...]


class RecordAnswer(Answer):
    """The record made, its file, and its line of the timeline; `reused` when it was there."""

    record: Mapping[str, Any]
    path: str
    step: Step
    reused: bool


class StatusAnswer(Answer):
    """The state of a task; what a broken file hides is None, and `diagnostics` names the file.

    Totals and report are of the whole task; the lists are those of the window, and `cursor` leads
    to the ones before.
    """

    mode: Mode | None
    advisors_available: int | None
    advisors_unavailable: int | None
    state: State
    report: str
    diagnostics: tuple[str, ...]
    cursor: str | None


class ChainStep(Answer):
    """A record of a chain with its line of the timeline."""

    at: str
    id: str
    phase: str
    summary: str
    record: Mapping[str, Any]


class ExplainAnswer(Answer):
    """A record, its assessment's id and whole chain, and what became of pinned evidence."""

    record: Mapping[str, Any]
    assessment: str | None
    chain: tuple[ChainStep, ...]
    drift: tuple[Drift, ...]
    cursor: str | None


class CheckAnswer(Answer):
    """The checks that ran and what they found."""

    ok: bool
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]


def advisors(checkout: Checkout, _asked: AskedNothing) -> AdvisorsAnswer:
    """Who could be asked now, and why not the others."""
    situation = checkout.situation()
    states = situation.states(checkout.ledger, checkout.now())
    available = [state for state in states if state.status == "available"]
    capacity = (
        Capacity(
            capability=word.id,
            description=word.description,
            available=tuple(state.id for state in available if word.id in state.capabilities),
        )
        for word in situation.catalogue.advisors.capabilities
    )
    return AdvisorsAnswer(
        operational=True,
        mode=ModeAnswer(mode=situation.mode.mode, source=situation.mode.source),
        available=len(available),
        unavailable=len(states) - len(available),
        advisors=states,
        capacity=tuple(capacity),
        diagnostics=situation.catalogue.diagnostics(),
    )


def plan(checkout: Checkout, asked: AskedPlan) -> ReviewPlan:
    """The plan that these words would get now; nothing is recorded."""
    return checkout.review_plan(Request(asked.materiality, asked.confidence, asked.capabilities))


def record(checkout: Checkout, asked: AskedRecord) -> RecordAnswer:
    """Record a JSON body tagged by its kind, from a file or from standard input."""
    written = checkout.record(asked.record, once=asked.once)
    return RecordAnswer(
        record=written.record.plain(),
        path=str(written.path),
        step=timeline_step(written.record),
        reused=written.reused,
    )


def status(checkout: Checkout, asked: AskedStatus) -> StatusAnswer:
    """What the records say: where each assessment stands, and the timeline."""
    task = asked.task
    if task is not None and not is_plain_name(task):
        raise Refusal("invalid_value", f"the task {shown(task)!r} is no plain name.", "task")
    problems: list[str] = []

    def unless_broken(read: Callable[[], T]) -> T | None:
        try:
            return read()
        except CatalogueError as error:
            problems.append(str(error))
            return None

    opened = unless_broken(lambda: checkout.task)
    mode = unless_broken(lambda: checkout.mode) if opened else None
    states = unless_broken(checkout.advisors) if opened else None
    if task is None and opened and opened.is_open:
        task = opened.id
    state = checkout.state(None if task == ALL_TASKS else task)
    whole = report(state)
    seen = asked.window(state.timeline)
    available = [each for each in states or () if each.status == "available"]
    return StatusAnswer(
        mode=mode.mode if mode else None,
        advisors_available=None if states is None else len(available),
        advisors_unavailable=None if states is None else len(states) - len(available),
        state=state.within(seen.ids),
        report=whole,
        diagnostics=tuple(problems),
        cursor=seen.cursor,
    )


def explain(checkout: Checkout, asked: AskedExplain) -> ExplainAnswer:
    """A record, its assessment's whole chain, and whether its evidence still stands."""
    found = checkout.explain(asked.id)
    steps = [timeline_step(each) for each in found.chain]
    seen = asked.window(steps)
    chain = (
        ChainStep(
            at=step.at, id=step.id, phase=step.phase, summary=step.summary, record=each.plain()
        )
        for each, step in zip(found.chain, steps, strict=True)
        if step.id in seen.ids
    )
    return ExplainAnswer(
        record=found.record.plain(),
        assessment=found.assessment,
        chain=tuple(chain),
        drift=tuple(each for each in checkout.drift(found) if each.record in seen.ids),
        cursor=seen.cursor,
    )


def check(checkout: Checkout, _asked: AskedNothing) -> CheckAnswer:
    """Every check over the repository, its catalogue and its records; 10 where one finds."""
    examined = Examined(checkout.root, checkout.share, checkout.store, checkout.now())
    found = run_checks(examined)
    return CheckAnswer(ok=found.ok, checks=found.checks, findings=found.findings)


@dataclass(frozen=True)
class Capability(Generic[A]):
    """One capability: its name, what it is asked and answers, and what it may change."""

    name: str
    asked: type[A]
    answer: type[BaseModel]
    effect: Literal["read", "write"]
    run: Callable[[Checkout, A], BaseModel]

    @property
    def summary(self) -> str:
        """One sentence, the same on every surface."""
        return (self.run.__doc__ or "").splitlines()[0]


CAPABILITIES: Mapping[str, Capability[Any]] = {
    each.name: each
    for each in (
        Capability("reasoning.advisors", AskedNothing, AdvisorsAnswer, "read", advisors),
        Capability("reasoning.plan", AskedPlan, ReviewPlan, "read", plan),
        Capability("reasoning.record", AskedRecord, RecordAnswer, "write", record),
        Capability("reasoning.status", AskedStatus, StatusAnswer, "read", status),
        Capability("reasoning.explain", AskedExplain, ExplainAnswer, "read", explain),
        Capability("reasoning.check", AskedNothing, CheckAnswer, "read", check),
    )
}
