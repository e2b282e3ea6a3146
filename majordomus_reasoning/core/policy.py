"""Whether independent review is worth having, and from whom. It names no advisor.

Nothing here counts agreement, and no result of an analysis is an input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from majordomus_reasoning.core.availability import ModeSource
from majordomus_reasoning.core.records import AdvisorState, Exclusion, ReviewPlan, Selection
from majordomus_reasoning.core.words import (
    MATERIALITIES,
    Confidence,
    Materiality,
    Mode,
    PlanOutcome,
    is_material,
)

DEFAULT_CAPABILITY = "independent_reasoning"

# Advisors that a plan may select, by materiality from `trivial` to `critical`.
BUDGET: Mapping[Mode, tuple[int, int, int, int, int]] = {
    "ci": (0, 0, 0, 0, 0),
    "fast": (0, 0, 0, 1, 1),
    "standard": (0, 0, 1, 2, 2),
    "offline": (0, 0, 1, 2, 2),
    "strict": (0, 0, 1, 2, 3),
}

LOCAL_REVIEW = (
    "State the hypothesis and the strongest alternative to it.",
    "List each assumption with its evidence, and mark those that nothing supports.",
    "Say what would falsify the hypothesis.",
    "Find the smallest experiment that tells the two apart, and run it.",
    "Record the conclusion: its evidence, rejected alternatives, risks and validation plan.",
)


@dataclass(frozen=True)
class Request:
    """What a plan is asked for; `prior_conclusion` is the id of a decision that could answer."""

    materiality: Materiality = "low"
    confidence: Confidence = "medium"
    capabilities: tuple[str, ...] = ()
    prior_conclusion: str | None = None
    new_evidence: bool = False
    requested: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        wanted = tuple(dict.fromkeys(self.capabilities)) or (DEFAULT_CAPABILITY,)
        object.__setattr__(self, "requested", wanted)


def budget(mode: Mode, materiality: Materiality, confidence: Confidence) -> int:
    """How many advisors a plan may select; high confidence lowers it by one, not below 0.

    >>> budget("strict", "critical", "medium"), budget("standard", "material", "high")
    (3, 0)
    """
    allowed = BUDGET[mode][MATERIALITIES.index(materiality)]
    return max(0, allowed - (confidence == "high"))


def review_plan(request: Request, states: Sequence[AdvisorState], mode: ModeSource) -> ReviewPlan:
    """The plan that the request, the advisors' states and the mode give: same inputs, same plan."""
    reused = request.prior_conclusion if not request.new_evidence else None
    allowed = 0 if reused else budget(mode.mode, request.materiality, request.confidence)
    selected = _select(request.requested, states, allowed)
    chosen = {selection.advisor for selection in selected}
    outcome, reason = _outcome(request, selected, reused, allowed)
    local = outcome == "decide_locally" and is_material(request.materiality)
    plan = ReviewPlan(
        mode=mode.mode,
        mode_source=mode.source,
        materiality=request.materiality,
        confidence=request.confidence,
        capabilities=request.requested,
        budget=allowed,
        outcome=outcome,
        reason=reason,
        selected=tuple(selected),
        excluded=tuple(
            Exclusion(
                advisor=state.id,
                status=state.status,
                reason=_why_not(state, request.requested, reused, allowed),
            )
            for state in states
            if state.id not in chosen
        ),
        available=sum(state.status == "available" for state in states),
    )
    return plan.model_copy(update={"local_review": LOCAL_REVIEW}) if local else plan


def _select(
    requested: Sequence[str], states: Sequence[AdvisorState], allowed: int
) -> list[Selection]:
    candidates = [
        state
        for state in states
        if state.status == "available" and set(requested) & set(state.capabilities)
    ]
    covered: set[str] = set()
    sources: set[str] = set()
    selected: list[Selection] = []
    while candidates and len(selected) < allowed:
        # `max` keeps the first of equals: declaration order is the last criterion.
        best = max(
            candidates,
            key=lambda state: (
                len(_adds(state, requested, covered)),
                state.independent_source not in sources,
            ),
        )
        adds = _adds(best, requested, covered)
        offers = tuple(word for word in requested if word in best.capabilities)
        selected.append(
            Selection(
                advisor=best.id,
                covers=adds or offers,
                why=_why(adds, best.independent_source not in sources, first=not selected),
            )
        )
        covered |= set(adds)
        sources.add(best.independent_source)
        candidates.remove(best)
    return selected


def _adds(state: AdvisorState, requested: Sequence[str], covered: set[str]) -> tuple[str, ...]:
    return tuple(word for word in requested if word in state.capabilities and word not in covered)


def _why(adds: Sequence[str], independent: bool, first: bool) -> str:
    if first:
        return f"covers most of what is asked ({', '.join(adds)}), first in order among equals"
    source = "an independent source" if independent else "of a source asked already"
    if adds:
        return f"adds {', '.join(adds)}; {source}"
    if independent:
        return "an independent source for what is covered already"
    return "the next in order: no independent source is left"


def _why_not(
    state: AdvisorState, requested: Sequence[str], reused: str | None, allowed: int
) -> str:
    if reused:
        return f"the decision {reused} is reused"
    if state.status != "available":
        return f"{state.status}: {state.reason}"
    if not set(requested) & set(state.capabilities):
        return f"lacks {', '.join(requested)}"
    return f"the budget of {allowed} was spent"


def _outcome(
    request: Request, selected: Sequence[Selection], reused: str | None, allowed: int
) -> tuple[PlanOutcome, str]:
    wanted = ", ".join(request.requested)
    if reused:
        return "reuse_prior", f"the decision {reused} on the same subject stands"
    if selected:
        count = f"{len(selected)} of at most {allowed}"
        return "consult", f"{request.materiality} materiality: {count} asked for {wanted}"
    if not is_material(request.materiality):
        return "decide_locally", f"{request.materiality} materiality needs no independent review"
    if allowed == 0:
        why = f"the mode and {request.confidence} confidence allow no review"
        return "decide_locally", f"{request.materiality} materiality, but {why}"
    return "decide_locally", f"no available advisor offers {wanted}"
