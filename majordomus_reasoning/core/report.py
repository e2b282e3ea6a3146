"""The state as Markdown: what a later session, or a person, needs to know first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from majordomus_reasoning.core.state import AssessmentState, ConclusionState, State
from majordomus_reasoning.core.timeline import first_line


def report(state: State) -> str:
    """The state as a Markdown section; empty when there are no records.

    >>> from majordomus_reasoning.core.ledger import Ledger
    >>> from majordomus_reasoning.core.state import derive_state
    >>> report(derive_state(Ledger()))
    ''
    """
    if not state.totals.records:
        return ""
    standing = [each for each in state.conclusions if each.stands]
    unresolved = [each for each in state.assessments if not each.is_resolved]
    reused = [each for each in state.assessments if _is_reused(each)]
    degraded = [each for each in state.consultations if each.status != "completed"]
    lines = [
        "## Reasoning",
        "",
        *_totals(state),
        *_section("Standing decisions", (line for each in standing for line in _decision(each))),
        *_section(
            "Answered by an earlier decision",
            (f"- **{first_line(each.subject)}**: {each.reason} (`{each.id}`)" for each in reused),
        ),
        *_section("Unresolved", (line for each in unresolved for line in _unresolved(each))),
        *_section(
            "Degradations",
            (
                f"- {each.advisor}: {each.status} at {each.at}"
                f" ({first_line(each.diagnostic or 'no diagnostic')})"
                for each in degraded
            ),
        ),
        *_section(
            "Unreadable files",
            (f"- {first_line(each.path)}: {first_line(each.error)}" for each in state.unreadable),
        ),
    ]
    return "\n".join(lines) + "\n"


def _is_reused(assessment: AssessmentState) -> bool:
    return assessment.standing == "planned" and assessment.outcome == "reuse_prior"


def _totals(state: State) -> Iterator[str]:
    totals = state.totals
    yield (
        f"{counted(totals.records, 'record')}; "
        f"{counted(totals.consultations_completed, 'consultation')} completed"
        f" ({totals.answers_asked} asked, {totals.answers_reported} reported),"
        f" {totals.consultations_failed} failed; "
        f"{counted(totals.independent_reviewers, 'independent reviewer')} from "
        f"{counted(totals.independent_sources, 'source')}; "
        f"{totals.input_tokens} tokens in, {totals.output_tokens} out."
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "record"), counted(2, "record")
    ('1 record', '2 records')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return ["", f"### {title}", "", *found] if found else []


def _decision(conclusion: ConclusionState) -> Iterator[str]:
    subject = first_line(conclusion.subject or "a subject that is not recorded")
    yield f"- **{subject}**: {first_line(conclusion.decision)} (`{conclusion.id}`)"
    yield f"  - {_review(conclusion)}"
    yield f"  - {_validations(conclusion)}"
    if conclusion.unweighed_since:
        yield f"  - not weighed yet: {_ids(conclusion.unweighed_since)}"
    for risk in conclusion.risks:
        yield f"  - risk: {first_line(risk)}"


def _review(conclusion: ConclusionState) -> str:
    if not conclusion.independent_review_count:
        return "local reasoning, no independent review"
    who = ", ".join(first_line(name) for name in conclusion.reviewed_by)
    how = f"{conclusion.asked} asked, {conclusion.reported} reported"
    return f"reviewed by {who} ({how})"


def _validations(conclusion: ConclusionState) -> str:
    passed, failed = conclusion.validations_passed, conclusion.validations_failed
    if not passed and not failed:
        return "not validated yet"
    return f"validations: {passed} passed, {failed} failed"


def _unresolved(assessment: AssessmentState) -> Iterator[str]:
    yield f"- **{first_line(assessment.subject)}**: {assessment.standing} (`{assessment.id}`)"
    for question in assessment.questions:
        yield f"  - open question: {first_line(question)}"


def _ids(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
