"""What the records say of each assessment, beyond the vectors: late arrivals, origin, sources."""

from __future__ import annotations

import pytest
from builders import (
    Desk,
    answer,
    assessment,
    attempt,
    conclusion,
    decided,
    disagreement,
    failure,
    plan,
    record,
    resolution,
    situation,
    validation,
)
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.state import derive_state, explain, source_of
from majordomus_reasoning.core.timeline import first_line, timeline_step


@given(st.permutations(range(8)), st.integers(0, 8))
def test_the_state_does_not_depend_on_the_order_of_loading(order, cut):
    desk = Desk()
    decided(desk)
    records = list(desk.ledger)
    shuffled = [records[place] for place in order]
    loaded = Ledger(shuffled[:cut]).append(*shuffled[cut:])
    assert derive_state(loaded) == derive_state(desk.ledger)


def test_a_whole_decision_is_told_phase_by_phase(desk):
    ids = decided(desk)
    desk.record(attempt(assessment=ids["a"]))
    state = derive_state(desk.ledger)
    assert [step.phase for step in state.timeline] == [
        "uncertainty",
        "consulting",
        "advisor_response",
        "advisor_response",
        "disagreement",
        "experiment",
        "conclusion",
        "validation",
        "attempt",
    ]
    assert [step.id for step in state.timeline] == [each.id for each in desk.ledger]


@pytest.mark.parametrize("materiality", ["low", "critical"])
def test_a_plan_that_asks_nobody_is_a_phase_of_its_own(materiality):
    desk = Desk(situation())
    desk.record(plan(desk.record(assessment(materiality=materiality))))
    assert derive_state(desk.ledger).timeline[-1].phase == "local"


def late(desk: Desk) -> tuple[str, str, str]:
    """A conclusion, and an answer that came after it; the plan is the third id."""
    on = desk.record(assessment())
    under = desk.record(plan(on))
    decision = desk.record(conclusion(on))
    return decision, desk.record(answer(under)), on


def unweighed(desk: Desk) -> dict[str, tuple[str, ...]]:
    return {each.id: each.unweighed_since for each in derive_state(desk.ledger).conclusions}


def test_a_late_answer_marks_the_standing_conclusion_until_one_that_weighs_it(desk):
    decision, said, on = late(desk)
    assert unweighed(desk) == {decision: (said,)}
    second = desk.record(conclusion(on, supersedes=decision, consultations=[said]))
    assert unweighed(desk) == {decision: (), second: ()}


def test_a_late_disagreement_marks_it_too_settled_or_not(desk):
    decision, said, on = late(desk)
    quarrel = desk.record(disagreement(on, "primary", said))
    assert unweighed(desk) == {decision: (said, quarrel)}
    desk.record(resolution(quarrel))
    assert unweighed(desk) == {decision: (said, quarrel)}


def test_a_late_failure_marks_nothing(desk):
    on = desk.record(assessment())
    under = desk.record(plan(on))
    decision = desk.record(conclusion(on))
    desk.record(failure(under))
    assert unweighed(desk) == {decision: ()}


def test_answers_asked_and_answers_reported_are_told_apart(desk):
    on = desk.record(assessment())
    under = desk.record(plan(on))
    cited = [
        desk.record(answer(under, "one"), origin="asked"),
        desk.record(answer(under, "two"), origin="reported"),
    ]
    desk.record(conclusion(on, consultations=cited))
    state = derive_state(desk.ledger)
    (decision,) = state.conclusions
    assert (decision.asked, decision.reported) == (1, 1)
    assert (state.totals.answers_asked, state.totals.answers_reported) == (1, 1)
    assert [each.origin for each in state.consultations] == ["asked", "reported"]


def test_an_answer_of_the_original_tool_counts_as_reported(desk):
    desk.record(answer(desk.record(plan(desk.record(assessment())))))
    assert derive_state(desk.ledger).totals.answers_reported == 1


def test_two_advisors_of_one_source_are_two_reviewers_and_one_source():
    # The plan's own snapshot says whose opinion an answer was.
    desk = Desk()
    made = desk.record(plan(desk.record(assessment())))
    body = desk.body(made).plain()
    for state in body["availability"]:
        state["source"] = "acme"
    records = [each for each in desk.ledger if each.id != made]
    records.append(record(made, 2, body))
    records += [record(f"c{n}", 3, answer(made, name)) for n, name in enumerate(("one", "two"))]
    totals = derive_state(Ledger(records)).totals
    assert (totals.independent_reviewers, totals.independent_sources) == (2, 1)


def test_the_source_of_an_answer_is_what_its_plan_said_of_the_advisor(desk):
    under = desk.record(plan(desk.record(assessment())))
    name = desk.record(answer(under, "two"))
    said = desk.ledger.get(name)
    assert source_of(desk.ledger, said) == "adapter-two"
    assert source_of(Ledger([said]), said) == "two"


def test_tokens_are_added_as_reported_and_what_was_not_reported_counts_nothing(desk):
    on = desk.record(assessment())
    under = desk.record(plan(on))
    desk.record(answer(under, "one", usage={"input_tokens": 100, "output_tokens": 7}))
    desk.record(answer(under, "two", usage={"input_tokens": 5}))
    totals = derive_state(desk.ledger).totals
    assert (totals.input_tokens, totals.output_tokens) == (105, 7)


def test_of_one_task_only_its_records_are_told_and_references_reach_beyond(desk):
    on = desk.record(assessment(), task="one")
    desk.record(conclusion(on), task="two")
    state = derive_state(desk.ledger, "one")
    assert [each.standing for each in state.assessments] == ["concluded"]
    assert (state.totals.records, state.conclusions) == (1, ())
    (decision,) = derive_state(desk.ledger, "two").conclusions
    assert decision.subject == "lock scope"


def test_a_record_whose_references_are_gone_is_told_all_the_same():
    stored = {**conclusion("gone"), "reviewed_by": ["one"], "independent_review_count": 1}
    records = [record("k", 1, stored), record("c", 0, answer("gone"))]
    records.append(record("v", 2, validation("gone")))
    state = derive_state(Ledger(records))
    assert [each.subject for each in state.conclusions] == [None]
    assert [each.assessment for each in state.consultations] == [None]
    assert state.totals.independent_sources == 1


def test_an_explanation_holds_the_whole_chain_whichever_record_is_asked_for(desk):
    ids = decided(desk)
    desk.record(assessment("another"))
    for name in ids.values():
        told = explain(desk.ledger, desk.ledger.get(name))
        assert (told.record.id, told.assessment) == (name, ids["a"])
        assert [each.id for each in told.chain] == list(ids.values())


def test_a_record_of_no_assessment_is_explained_alone():
    tried = record("x", 0, attempt())
    told = explain(Ledger([tried]), tried)
    assert (told.assessment, told.chain) == (None, (tried,))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\ntwo", "one"),
        ("\n \n two \n", "two"),
        ("\u200b\nshown", "shown"),
        ("", ""),
        ("x" * 140, "x" * 140),
        ("x" * 141, "x" * 139 + "…"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("one\u2028two", "one"),
    ],
    ids=ascii,
)
def test_a_summary_is_the_first_line_that_shows_anything(text, line):
    assert first_line(text) == line


@given(st.text(max_size=400))
def test_a_line_of_the_timeline_is_one_line_of_at_most_140_characters(text):
    for body in (
        attempt(attempt=text),
        failure("p", diagnostic=text),
        answer("p", conclusion=text),
    ):
        summary = timeline_step(record("x", 0, body)).summary
        assert len(summary) <= 140
        assert len(summary.splitlines()) <= 1


class CountingLedger(Ledger):
    """A ledger that counts how often it is asked who supersedes a conclusion."""

    asked = 0

    def superseding(self, conclusion):
        self.asked += 1
        return super().superseding(conclusion)


def replaced(count: int) -> Ledger:
    """Decisions that each replace the last, the last of them replaced for another assessment."""
    computed = {"reviewed_by": [], "independent_review_count": 0}
    records = [record("a", 0, assessment()), record("b", 0, assessment())]
    for number in range(1, count + 1):
        before = f"k{number - 1}" if number > 1 else None
        on = "b" if number == count else "a"
        body = {**conclusion(on, supersedes=before), **computed}
        records.append(record(f"k{number}", number, body))
    return CountingLedger(records)


def test_the_state_of_decisions_that_replace_each_other_is_one_pass_over_them():
    few, many = replaced(20), replaced(200)
    states = [derive_state(ledger) for ledger in (few, many)]
    assert [each.standing for each in states[1].assessments] == ["superseded", "concluded"]
    assert many.asked < 11 * few.asked
