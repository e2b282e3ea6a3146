"""The doctor: every check, and the advisors as information."""

from __future__ import annotations

from collections.abc import Iterator

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.checks import Finding
from majordomus_reasoning.core.report import counted
from majordomus_reasoning.errors import ReasoningError
from majordomus_reasoning.store.situation import unreadable_values
from majordomus_reasoning.surfaces import text
from majordomus_reasoning.surfaces.capabilities import (
    AdvisorsAnswer,
    Answer,
    AskedNothing,
    advisors,
    check,
)


class Diagnosis(Answer):
    """The advisors as information, and every finding of every check."""

    ok: bool
    advisors: AdvisorsAnswer | None
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]


def diagnose(checkout: Checkout) -> Diagnosis:
    """Every check, and the variables whose value nobody can read."""
    found = check(checkout, AskedNothing())
    skipped = tuple(
        Finding("environment", name, why) for name, why in unreadable_values(checkout.environment)
    )
    broken: tuple[Finding, ...] = ()
    states = None
    try:
        states = advisors(checkout, AskedNothing())
    except ReasoningError as error:
        if not any(str(error) == finding.message for finding in found.findings):
            broken = (Finding("environment", "the situation", str(error)),)
    findings = (*skipped, *broken, *found.findings)
    checks = ("environment", *found.checks)
    return Diagnosis(ok=not findings, advisors=states, checks=checks, findings=findings)


def diagnosis_text(answer: Diagnosis) -> Iterator[str]:
    """The advisors, then the findings, then which checks ran."""
    if answer.advisors:
        yield from text.advisors_text(answer.advisors)
        yield ""
    yield from text.findings_text(answer.findings)
    count = counted(len(answer.findings), "finding") if answer.findings else "nothing found"
    yield f"{count}; checked: {', '.join(answer.checks)}"
