"""The Reasoning section for a session's entry and its handover, and a decision as a document."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.core.records import Assessment, Conclusion, Evidence, Record
from majordomus_reasoning.core.redaction import strip_controls
from majordomus_reasoning.core.state import ConclusionState, State, conclusion_state
from majordomus_reasoning.core.timeline import first_line
from majordomus_reasoning.errors import Refusal, StoreError
from majordomus_reasoning.store.files import publish_new
from majordomus_reasoning.surfaces.capabilities import StatusAnswer


def context_section(answer: StatusAnswer) -> str:
    """The report under its heading; without records, that there are none and reasoning works."""
    if answer.report:
        return answer.report
    return "## Reasoning\n\nNo records yet; reasoning is operational, with or without advisors.\n"


def handover(answer: StatusAnswer, *, derive: bool) -> str:
    """What the next session is told: the section and, derived from the records, what is left."""
    task = answer.state.task or "all tasks"
    parts = [f"# Handover: {first_line(task)}\n", context_section(answer)]
    left = [*_left(answer.state)] if derive else []
    if derive:
        lines = left or ["- nothing: every assessment is decided and every decision validated"]
        parts.append("## Left to do\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _left(state: State) -> Iterator[str]:
    for disagreement in state.disagreements:
        if disagreement.resolution is None:
            question = first_line(disagreement.question)
            yield f"- settle by an experiment: {question} (`{disagreement.id}`)"
    for assessment in state.assessments:
        if assessment.standing in {"open", "planned"} and not assessment.is_resolved:
            yield f"- decide: {first_line(assessment.subject)} (`{assessment.id}`)"
    for conclusion in state.conclusions:
        if conclusion.stands:
            yield from _left_of(conclusion)


def _left_of(conclusion: ConclusionState) -> Iterator[str]:
    decision = f"{first_line(conclusion.decision)} (`{conclusion.id}`)"
    if conclusion.validations_failed:
        yield f"- decide anew, a validation failed: {decision}"
    elif not conclusion.validations_passed:
        yield f"- validate: {decision}"
    if conclusion.unweighed_since:
        yield f"- weigh what came since: {decision}"


def write_decision_record(checkout: Checkout, conclusion_id: str, folder: Path) -> Path:
    """Write a conclusion as a draft decision record in MADR form, numbered, never overwriting.

    Returns the file. Raises NotFound, Refusal where the record is no conclusion, StoreError where
    the folder cannot be written.
    """
    record = checkout.find(conclusion_id)
    conclusion = checkout.ledger.find(record.id, Conclusion)
    if conclusion is None:
        message = f"{record.id} is of the kind {record.kind}: name a conclusion."
        raise Refusal("wrong_kind", message, "conclusion")
    title = first_line(conclusion.body.decision)
    text = _decision_record(checkout, conclusion, title)
    slug = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:60].rstrip("-") or "decision"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            path = folder / f"{_next_number(folder):04d}-{slug}.md"
            with contextlib.suppress(FileExistsError):  # another took the number meanwhile
                publish_new(path, text.encode("utf-8"))
                return path
    except OSError as error:
        raise StoreError(folder, f"cannot be written ({error.strerror})") from None


def _next_number(folder: Path) -> int:
    numbers = (re.match(r"(\d+)-", path.name) for path in folder.glob("*.md"))
    return 1 + max((int(number[1]) for number in numbers if number), default=0)


def _decision_record(checkout: Checkout, record: Record[Conclusion], title: str) -> str:
    body = record.body
    assessment = checkout.ledger.find(body.assessment, Assessment)
    state = conclusion_state(checkout.ledger, record)
    asked = assessment.body if assessment else None
    facts = [first_line(each, 400) for each in (asked.facts if asked else ())]
    checks = f"validations: {state.validations_passed} passed, {state.validations_failed} failed"
    status = f"superseded by {state.superseded_by}" if state.superseded_by else "proposed"
    review = ", ".join(body.reviewed_by) or "nobody: local reasoning"
    return "\n".join(
        [
            *("---", f"status: {status}", f"date: {record.recorded_at[:10]}", "---", ""),
            *(f"# {title}", "", "## Context and Problem Statement", ""),
            _quoted(asked.subject) if asked else "The assessment is not recorded.",
            *_list("", [asked.hypothesis] if asked and asked.hypothesis else (), "hypothesis: "),
            *_list("", facts),
            *_list("", asked.questions if asked else (), "question: "),
            *_list("## Considered Options", [title, *body.rejected]),
            *("", "## Decision Outcome", "", f"Chosen: {title}", "", _quoted(body.rationale)),
            *_list("### Consequences", body.risks, "risk: "),
            *_list("### Confirmation", [*body.validation_plan, checks]),
            *("", "## More Information", ""),
            f"- record: `{record.id}` of the task `{record.task}`",
            f"- independent review: {body.independent_review_count} ({review})",
            *[f"- evidence: {_evidence(each)}" for each in body.evidence],
            *[f"- assumption: {first_line(each, 400)}" for each in body.assumptions],
            "",
        ]
    )


def _quoted(text: str) -> str:
    """A text as a quotation: a fence or a heading in it ends where it ends."""
    lines = strip_controls(text).strip().splitlines()
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _list(heading: str, items: Iterable[str], prefix: str = "") -> list[str]:
    lines = [f"- {prefix}{first_line(item, 400)}" for item in items]
    return [*(("", heading) if heading else ()), "", *lines] if lines else []


def _evidence(each: Evidence) -> str:
    note = f": {first_line(each.note, 400)}" if each.note else ""
    return f"{each.kind} `{first_line(each.reference, 400)}`{note}"
