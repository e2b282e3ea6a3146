"""Whom a plan asks, and why; whatever the advisors' states are."""

from __future__ import annotations

import pytest
from builders import VOCABULARY, advisor_state
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.availability import ModeSource
from majordomus_reasoning.core.policy import LOCAL_REVIEW, Request, budget, review_plan
from majordomus_reasoning.core.words import MATERIALITIES, MODES, is_material

STANDARD = ModeSource("standard", "default")
CONFIDENCES = ("low", "medium", "high")
ABSENT = [("unavailable", "executable_not_found"), ("rate_limited", "rate_limited")]
words = st.lists(st.sampled_from(VOCABULARY), max_size=4)


@st.composite
def advisors(draw):
    """States in some order: sources shared now and then, any of them absent."""
    states = []
    for number in range(draw(st.integers(0, 6))):
        status, reason = draw(st.sampled_from([("available", "present")] * 3 + ABSENT))
        changes = {"status": status, "reason": reason, "capabilities": draw(words)}
        changes["adapter"] = draw(st.sampled_from(["x", "y", "z"]))
        if draw(st.booleans()):
            changes["source"] = draw(st.sampled_from(["acme", "other"]))
        states.append(advisor_state(f"advisor-{number}", **changes))
    return states


requests = st.builds(
    Request,
    materiality=st.sampled_from(MATERIALITIES),
    confidence=st.sampled_from(CONFIDENCES),
    capabilities=words.map(tuple),
    prior_conclusion=st.sampled_from([None, "conclusion-1"]),
    new_evidence=st.booleans(),
)
modes = st.sampled_from(MODES).map(lambda mode: ModeSource(mode, "default"))


@given(requests, advisors(), modes)
def test_a_plan_never_exceeds_its_budget(request_, states, mode):
    plan = review_plan(request_, states, mode)
    assert len(plan.selected) <= plan.budget
    assert plan.budget <= budget(mode.mode, request_.materiality, request_.confidence)


@given(requests, advisors(), modes)
def test_every_advisor_is_in_exactly_one_of_selected_and_excluded(request_, states, mode):
    plan = review_plan(request_, states, mode)
    selected = [selection.advisor for selection in plan.selected]
    excluded = [exclusion.advisor for exclusion in plan.excluded]
    assert sorted(selected + excluded) == [state.id for state in states]
    assert excluded == [state.id for state in states if state.id not in selected]


@given(requests, advisors(), modes)
def test_only_available_advisors_that_offer_something_asked_for_are_selected(
    request_, states, mode
):
    plan = review_plan(request_, states, mode)
    by_id = {state.id: state for state in states}
    for selection in plan.selected:
        state = by_id[selection.advisor]
        assert state.status == "available"
        assert selection.covers
        assert set(selection.covers) <= set(state.capabilities) & set(plan.capabilities)
        assert selection.why


@given(requests, advisors(), modes)
def test_the_budget_is_used_while_candidates_last(request_, states, mode):
    plan = review_plan(request_, states, mode)
    wanted = set(plan.capabilities)
    candidates = [
        state for state in states if state.status == "available" and wanted & {*state.capabilities}
    ]
    assert len(plan.selected) == min(plan.budget, len(candidates))


@given(requests, advisors(), modes)
def test_the_outcome_says_what_the_plan_holds(request_, states, mode):
    plan = review_plan(request_, states, mode)
    if request_.prior_conclusion and not request_.new_evidence:
        assert (plan.outcome, plan.budget) == ("reuse_prior", 0)
        assert "conclusion-1" in plan.reason
    else:
        assert plan.outcome == ("consult" if plan.selected else "decide_locally")
    locally = plan.outcome == "decide_locally" and is_material(request_.materiality)
    assert plan.local_review == (LOCAL_REVIEW if locally else ())


@given(requests, advisors(), modes)
def test_a_capability_counts_once_however_often_it_is_asked_for(request_, states, mode):
    twice = Request(
        request_.materiality,
        request_.confidence,
        request_.capabilities * 2,
        request_.prior_conclusion,
        request_.new_evidence,
    )
    assert review_plan(twice, states, mode) == review_plan(request_, states, mode)


def test_no_requested_capability_is_independent_reasoning():
    plan = review_plan(Request("material"), [advisor_state()], STANDARD)
    assert plan.capabilities == ("independent_reasoning",)
    assert plan.selected[0].covers == ("independent_reasoning",)


def test_two_advisors_of_one_vendor_are_one_source_whatever_their_adapters():
    states = [
        advisor_state("a", adapter="x", source="acme"),
        advisor_state("b", adapter="y", source="acme"),
        advisor_state("c", adapter="z"),
    ]
    plan = review_plan(Request("high"), states, STANDARD)
    assert [selection.advisor for selection in plan.selected] == ["a", "c"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"status": "disabled", "reason": "mode_ci"}, "disabled: mode_ci"),
        ({"capabilities": ["code_review"]}, "lacks independent_reasoning"),
        ({"capabilities": []}, "lacks independent_reasoning"),
        ({}, "the budget of 1 was spent"),
    ],
)
def test_each_one_left_says_why(changes, reason):
    states = [advisor_state("first"), advisor_state("left", **changes)]
    plan = review_plan(Request("material"), states, STANDARD)
    (left,) = plan.excluded
    assert (left.advisor, left.reason) == ("left", reason)


def test_deciding_locally_says_which_of_three_things_it_was():
    nobody = [advisor_state(status="unavailable", reason="executable_not_found")]
    immaterial = review_plan(Request("low"), [advisor_state()], STANDARD)
    forbidden = review_plan(Request("material", "high"), [advisor_state()], STANDARD)
    absent = review_plan(Request("material"), nobody, STANDARD)
    assert [plan.reason for plan in (immaterial, forbidden, absent)] == [
        "low materiality needs no independent review",
        "material materiality, but the mode and high confidence allow no review",
        "no available advisor offers independent_reasoning",
    ]


def test_immaterial_questions_need_no_local_review_and_material_ones_have_five_steps():
    assert review_plan(Request("low"), [], STANDARD).local_review == ()
    assert len(review_plan(Request("material"), [], STANDARD).local_review) == 5


def test_available_counts_the_available_ones_whatever_they_offer():
    states = [
        advisor_state("a"),
        advisor_state("b", capabilities=[]),
        advisor_state("c", status="disabled", reason="mode_offline"),
    ]
    assert review_plan(Request(), states, STANDARD).available == 2
