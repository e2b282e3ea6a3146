"""How it came about, one line a record: the same lines on every surface."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from majordomus_reasoning.core.records import (
    Assessment,
    Attempt,
    Body,
    Conclusion,
    Consultation,
    Disagreement,
    Plan,
    Record,
    Resolution,
    Validation,
)
from majordomus_reasoning.core.redaction import strip_controls
from majordomus_reasoning.core.words import PlanOutcome, is_blank

LONGEST_LINE = 140

Phase = Literal[
    "uncertainty",
    "consulting",
    "local",
    "reuse",
    "advisor_response",
    "degradation",
    "disagreement",
    "experiment",
    "conclusion",
    "validation",
    "attempt",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the timeline; `summary` has at most 140 characters."""

    at: str
    id: str
    phase: Phase
    summary: str


def timeline_step(record: Record[Body]) -> Step:
    """A record as one line of the timeline."""
    return Step(record.recorded_at, record.id, *timeline_line(record.body))


def timeline_line(body: Body) -> tuple[Phase, str]:
    """What a record's step was part of, and the step in one line."""
    phase, summary = _LINES[type(body)](body)
    return phase, first_line(summary)


def first_line(text: str, longest: int = LONGEST_LINE) -> str:
    """The first line of a text that shows anything, without escapes, cut with an ellipsis.

    >>> first_line("one\\ntwo"), len(first_line("x" * 200))
    ('one', 140)
    """
    if text.isprintable():  # one line, and nothing to strip: the rule, and ten times as fast
        line = text.strip()
    else:
        lines = strip_controls(text).splitlines()
        line = next((line.strip() for line in lines if not is_blank(line)), "")
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _plan_line(body: Plan) -> tuple[Phase, str]:
    phases: Mapping[PlanOutcome, Phase] = {
        "consult": "consulting",
        "decide_locally": "local",
        "reuse_prior": "reuse",
    }
    names = ", ".join(selection.advisor for selection in body.plan.selected)
    asks = f"asks {names}: " if names else ""
    return phases[body.plan.outcome], asks + body.plan.reason


def _consultation_line(body: Consultation) -> tuple[Phase, str]:
    if body.status == "completed":
        said = first_line(body.conclusion or "")
        return "advisor_response", f"{body.advisor} {body.stance or 'inconclusive'}: {said}"
    why = first_line(body.diagnostic or "no diagnostic")
    return "degradation", f"{body.advisor} {body.status}: {why}"


_LINES: Mapping[type[Body], Callable[[Any], tuple[Phase, str]]] = {
    Assessment: lambda body: ("uncertainty", body.subject),
    Plan: _plan_line,
    Consultation: _consultation_line,
    Disagreement: lambda body: ("disagreement", body.discriminating_question),
    Resolution: lambda body: ("experiment", f"{first_line(body.experiment)}: {body.outcome}"),
    Conclusion: lambda body: ("conclusion", body.decision),
    Validation: lambda body: ("validation", f"{body.outcome}: {body.check}"),
    Attempt: lambda body: ("attempt", body.attempt),
}
