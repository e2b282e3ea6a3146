"""state.json: what a store says of its assessments, whatever order its files come in."""

from __future__ import annotations

import json

import pytest
import vectors

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import record_type
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import derive_state


def test_the_file_holds_nothing_else():
    vectors.assert_known(vectors.load("state.json"), {"about", "scenarios"})


def totals_of(state, expected):
    return {name: getattr(state.totals, name) for name in expected}


# What each key of `expect` speaks of.
SHOWN = {
    "assessments": lambda state, _: [
        [each.id, each.standing, each.conclusion] for each in state.assessments
    ],
    "phases": lambda state, _: [step.phase for step in state.timeline],
    "totals": totals_of,
    "disagreements": lambda state, _: [
        [each.id, each.resolution, each.favours] for each in state.disagreements
    ],
    "conclusions": lambda state, _: [
        [
            each.id,
            each.independent_review_count,
            each.validations_passed,
            each.validations_failed,
            each.superseded_by,
        ]
        for each in state.conclusions
    ],
    "unweighed": lambda state, _: {
        each.id: list(each.unweighed_since) for each in state.conclusions if each.unweighed_since
    },
    "summaries": lambda state, expected: {
        step.id: step.summary[: len(expected[step.id])]
        for step in state.timeline
        if step.id in expected
    },
    "max_summary": lambda state, _: max(len(step.summary) for step in state.timeline),
    "report_empty": lambda state, _: report(state) == "",
}


@pytest.mark.parametrize("backwards", [False, True], ids=["as listed", "backwards"])
@pytest.mark.parametrize("case", vectors.cases("state.json", "scenarios"))
def test_state(case, backwards):
    vectors.assert_known(case, {"name", "task", "records", "expect"})
    vectors.assert_known(case["expect"], SHOWN)
    files = reversed(case["records"]) if backwards else case["records"]
    records = [record_type().validate_json(json.dumps(given)) for given in files]
    state = derive_state(Ledger(records), case["task"])
    shown = {name: SHOWN[name](state, expected) for name, expected in case["expect"].items()}
    assert shown == case["expect"]
