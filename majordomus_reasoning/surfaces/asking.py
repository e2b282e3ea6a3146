"""Consulting on the command line: which plan goes on, what is shown meanwhile, what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.core.records import Plan
from majordomus_reasoning.core.timeline import first_line
from majordomus_reasoning.core.words import PlanOutcome
from majordomus_reasoning.handles import Handle
from majordomus_reasoning.surfaces.capabilities import Answer, Asked

Report = Callable[[Handle], None]


class AskedConsult(Asked):
    """Whom to ask about which assessment, and how long to wait."""

    assessment: str
    question: str | None = None
    timeout: float | None = None
    prior_opinions: tuple[str, ...] = ()
    excerpts: bool = True
    again: bool = False


class ConsultAnswer(Answer):
    """The plan that was followed, and its outcomes in plan order, each with its record's id."""

    plan: str
    outcome: PlanOutcome
    consultations: tuple[Mapping[str, Any], ...]
    local_review: tuple[str, ...]


def plan_to_follow(checkout: Checkout, asked: AskedConsult) -> Handle:
    """The latest plan of the assessment that still has somebody to ask, else a new one.

    With `again` always a new one. Raises NotFound where there is no such assessment.
    """
    assessment = checkout.find(asked.assessment)
    if not asked.again:
        for plan in reversed(checkout.ledger.children(assessment.id, Plan)):
            if checkout.unasked(plan.id):
                return Handle(plan, reused=True)
    return checkout.plan(assessment.id, again=True)


def consult(
    checkout: Checkout, asked: AskedConsult, plan: Handle, report: Report | None = None
) -> ConsultAnswer:
    """Ask whom a plan selected and record each outcome; nobody selected is an answer too."""
    answers = checkout.consult_sync(
        plan,
        asked=asked.question,
        excerpts=asked.excerpts,
        prior_opinions=asked.prior_opinions,
        deadline=asked.timeout,
        on_outcome=report,
    )
    body = plan.body.plan
    return ConsultAnswer(
        plan=plan.id,
        outcome=body.outcome,
        consultations=tuple({"id": each.id, **each.body.plain()} for each in answers.values()),
        local_review=body.local_review,
    )


def consult_text(answer: ConsultAnswer, reason: str) -> Iterator[str]:
    """Why the plan is as it is, and what each advisor answered or the steps of the local review."""
    yield f"plan {answer.plan}: {answer.outcome}: {reason}"
    for each in answer.consultations:
        said = each.get("conclusion") or each.get("diagnostic") or "no diagnostic"
        stance = f" {each['stance']}" if "stance" in each else ""
        yield f"{each['advisor']} {each['status']}{stance}: {first_line(said, 400)}"
        for name in ("assumptions", "risks", "falsifiers", "actions"):
            for item in each.get(name, ()):
                yield f"  {name}: {first_line(item, 400)}"
        yield f"  recorded as {each['id']}"
    for number, step in enumerate(answer.local_review, start=1):
        yield f"{number}. {step}"


@contextmanager
def progress(advisors: tuple[str, ...], *, shown: bool) -> Iterator[Report | None]:
    """A live line for each advisor on a terminal; nothing where nobody looks on."""
    console = Console(stderr=True)
    if not (shown and console.is_terminal and advisors):
        yield None
        return
    states = dict.fromkeys(advisors, "asked …")

    def lines() -> Grid:
        grid = Grid.grid(padding=(0, 2))
        for advisor, state in states.items():
            grid.add_row(Text(advisor), Text(state))
        return grid

    with Live(lines(), console=console, transient=True) as live:

        def report(handle: Handle) -> None:
            body = handle.body
            took = f" after {body.duration_ms / 1_000:.1f} s" if body.duration_ms else ""
            states[body.advisor] = f"{body.status}{took}"
            live.update(lines(), refresh=True)

        yield report
