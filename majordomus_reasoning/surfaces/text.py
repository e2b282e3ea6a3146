"""Answers as text for a terminal: one line a fact, columns aligned, no control characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from majordomus_reasoning.checks import Finding
from majordomus_reasoning.core.records import ReviewPlan, record_type
from majordomus_reasoning.core.report import counted
from majordomus_reasoning.core.timeline import first_line
from majordomus_reasoning.handles import rows
from majordomus_reasoning.surfaces.capabilities import (
    AdvisorsAnswer,
    CheckAnswer,
    ExplainAnswer,
    RecordAnswer,
    StatusAnswer,
)


def aligned(cells: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows of cells as lines, every column but the last as wide as its widest cell.

    >>> list(aligned([("a", "b"), ("long", "c")]))
    ['a     b', 'long  c']
    """
    lines = [list(row) for row in cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for row in lines:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()


def advisors_text(answer: AdvisorsAnswer) -> Iterator[str]:
    """Who could be asked: a line an advisor, then a line a capability."""
    total = answer.available + answer.unavailable
    yield f"mode {answer.mode.mode} ({answer.mode.source}); {answer.available} of {total} available"
    yield "reasoning is operational, with or without advisors"
    if answer.advisors:
        yield ""
    yield from aligned(
        (
            state.id,
            state.transport,
            state.status + (" (recovering)" if state.recovering else ""),
            state.reason + (f" until {state.circuit.until}" if state.circuit else ""),
            state.probe,
        )
        for state in answer.advisors
    )
    if answer.capacity:
        yield ""
    yield from aligned(
        (each.capability, ", ".join(each.available) or "nobody now", each.description)
        for each in answer.capacity
    )
    for each in answer.diagnostics:
        yield f"{each.subject}: {each.message}"


def plan_text(plan: ReviewPlan) -> Iterator[str]:
    """What a plan says, whom it asks and whom not, or the steps of the local review."""
    yield f"{plan.outcome}: {plan.reason}"
    yield f"mode {plan.mode} ({plan.mode_source}), budget {plan.budget}"
    for selection in plan.selected:
        yield f"ask {selection.advisor} for {', '.join(selection.covers)}: {selection.why}"
    for exclusion in plan.excluded:
        yield f"not {exclusion.advisor}: {exclusion.reason}"
    for number, step in enumerate(plan.local_review, start=1):
        yield f"{number}. {step}"


def record_text(answer: RecordAnswer) -> Iterator[str]:
    """The record's line of the timeline and its file."""
    said = "was recorded before" if answer.reused else "recorded"
    yield f"{said}: {answer.step.id}"
    yield f"{answer.step.phase}: {answer.step.summary}"
    yield answer.path
    pinned = {pin["reference"] for pin in answer.record.get("pins", ())}
    for each in answer.record["body"].get("evidence", ()):
        if each["kind"] == "file" and each["reference"] not in pinned:
            yield f"not in this checkout: {each['reference']}"


def status_text(answer: StatusAnswer) -> Iterator[str]:
    """Where every assessment stands, then the timeline."""
    state = answer.state
    whose = f"task {state.task}" if state.task else "all tasks"
    mode = f"mode {answer.mode}" if answer.mode else "mode unknown"
    total = (answer.advisors_available or 0) + (answer.advisors_unavailable or 0)
    known = answer.advisors_available is not None
    askable = f"{answer.advisors_available} of {total} advisors available" if known else "advisors"
    yield f"{whose}; {mode}; {askable if known else 'advisors unknown'}"
    totals = state.totals
    yield (
        f"{counted(totals.records, 'record')}, {totals.consultations_completed} answers "
        f"({totals.answers_asked} asked, {totals.answers_reported} reported) of "
        f"{totals.independent_reviewers} advisors, {totals.consultations_failed} failed"
    )
    if state.assessments:
        yield ""
        yield from aligned(
            (each.standing, each.materiality, each.id, first_line(each.subject))
            for each in state.assessments
        )
    late = [each for each in state.conclusions if each.unweighed_since]
    for conclusion in late:
        yield f"{conclusion.id} has not weighed {', '.join(conclusion.unweighed_since)}"
    if state.timeline:
        yield ""
        yield from timeline_text(state.timeline)
    yield from _more(answer.cursor)
    for fault in state.unreadable:
        yield f"unreadable: {fault.path}: {fault.error}"


def _more(cursor: str | None) -> Iterator[str]:
    if cursor:
        yield f"more before: --cursor {cursor}"


def timeline_text(steps: Iterable[object]) -> Iterator[str]:
    """A line a step: when, what, which record says so."""
    fields = ("at", "phase", "summary", "id")
    return aligned([str(getattr(step, name)) for name in fields] for step in steps)


def explain_text(answer: ExplainAnswer) -> Iterator[str]:
    """The record field by field, its chain, and the evidence that is not as it was."""
    record = record_type().validate_python(answer.record, strict=False)
    yield f"{record.id} ({record.kind}, task {record.task}, {record.recorded_at})"
    for name, text in rows(record.body):
        yield f"  {name}: {text}"
    yield ""
    yield f"chain of {answer.assessment}:" if answer.assessment else "it belongs to no assessment"
    yield from timeline_text(answer.chain)
    yield from _more(answer.cursor)
    for each in answer.drift:
        place = f" (now line {each.line})" if each.status == "line_moved" else ""
        yield f"evidence {each.reference} of {each.record}: {each.status}{place}"


def check_text(answer: CheckAnswer) -> Iterator[str]:
    """The findings, then which checks ran."""
    yield from findings_text(answer.findings)
    count = counted(len(answer.findings), "finding") if answer.findings else "nothing found"
    yield f"{count}; checked: {', '.join(answer.checks)}"


def findings_text(findings: Iterable[Finding]) -> Iterator[str]:
    """A line a finding."""
    for each in findings:
        yield f"{each.check}: {each.subject}: {each.message}"
