"""Advisors that answer from a script in place of any adapter, and plans that select them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from majordomus_reasoning.advisors.contract import Adapter, Answer, Asking, Steps, sleep
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.core.records import AdvisorState, Plan

Said = Mapping[str, Any] | str | AdvisorFailure


class ScriptedAdvisors:
    """Advisors that answer from a script and contact nobody; given where adapters are looked up.

    The script holds for each advisor's id the object it answers with, or a text as a model may
    write it, or the AdvisorFailure it ends in; `after` holds seconds that it takes. `asked` is what
    each was told, in the order of asking.

    >>> advisors = ScriptedAdvisors({"first": {"conclusion": "keep it", "stance": "supports"}})
    >>> next(advisors("any-dialect")(Asking("first", "is it so?")))
    Sleep(seconds=0.0)
    """

    def __init__(
        self, script: Mapping[str, Said], *, after: Mapping[str, float] | None = None
    ) -> None:
        self.script = script
        self.after = after or {}
        self.asked: list[Asking] = []

    def __call__(self, _name: str) -> Adapter:
        """The adapter of any name."""
        return self._ask

    def _ask(self, asking: Asking) -> Steps:
        self.asked.append(asking)
        yield from sleep(self.after.get(asking.advisor, 0.0))
        said = self.script[asking.advisor]
        if isinstance(said, AdvisorFailure):
            raise said
        return Answer(said if isinstance(said, str) else json.dumps(said))


def advisor_state(advisor: str, adapter: str, **fields: Any) -> AdvisorState:
    """The state of an available advisor, as a plan's snapshot holds it.

    >>> advisor_state("first", "any-dialect").status
    'available'
    """
    facts = {
        "id": advisor,
        "title": advisor,
        "transport": "api",
        "adapter": adapter,
        "capabilities": ("independent_reasoning",),
        "status": "available",
        "reason": "present",
        "probe": "made up",
        "recovering": False,
    }
    return AdvisorState.model_validate({**facts, **fields})


def plan_asking(*states: AdvisorState) -> Plan:
    """A plan that selects every one of these advisors, in this order.

    >>> len(plan_asking(advisor_state("first", "any-dialect")).plan.selected)
    1
    """
    covered = ("independent_reasoning",)
    plan = {
        "mode": "standard",
        "mode_source": "default",
        "materiality": "high",
        "confidence": "medium",
        "capabilities": covered,
        "budget": len(states),
        "outcome": "consult",
        "reason": "made up",
        "selected": tuple(
            {"advisor": state.id, "covers": covered, "why": "made up"} for state in states
        ),
        "excluded": (),
        "available": len(states),
    }
    body = {"kind": "plan", "assessment": "assessment-made-up", "plan": plan}
    return Plan.model_validate({**body, "availability": states})
