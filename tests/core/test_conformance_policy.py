"""policy.json: the budget table, and whom a plan selects."""

from __future__ import annotations

import pytest
import vectors
from builders import advisor_state

from majordomus_reasoning.core.availability import ModeSource
from majordomus_reasoning.core.policy import Request, budget, review_plan

EXPECTED = {"outcome", "budget", "selected", "excluded", "available", "local_review"}


def test_the_file_holds_nothing_else():
    vectors.assert_known(vectors.load("policy.json"), {"about", "budget", "plans"})


@pytest.mark.parametrize("case", vectors.cases("policy.json", "budget"))
def test_budget(case):
    vectors.assert_known(case, {"mode", "materiality", "confidence", "budget"})
    assert budget(case["mode"], case["materiality"], case["confidence"]) == case["budget"]


@pytest.mark.parametrize("case", vectors.cases("policy.json", "plans"))
def test_plan(case):
    vectors.assert_known(case, {"name", "mode", "request", "states", "expect"})
    vectors.assert_known(case["expect"], EXPECTED)
    asked = {**case["request"], "capabilities": tuple(case["request"]["capabilities"])}
    states = [advisor_state(given["id"], **given) for given in case["states"]]
    made = review_plan(Request(**asked), states, ModeSource(case["mode"], "default"))
    shown = {
        "outcome": made.outcome,
        "budget": made.budget,
        "selected": [selection.advisor for selection in made.selected],
        "excluded": [exclusion.advisor for exclusion in made.excluded],
        "available": made.available,
        "local_review": bool(made.local_review),
    }
    assert {name: shown[name] for name in case["expect"]} == case["expect"]
