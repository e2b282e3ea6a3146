"""The state as Markdown: what a later session needs to know first."""

from __future__ import annotations

from builders import (
    answer,
    assessment,
    conclusion,
    decided,
    disagreement,
    failure,
    plan,
    record,
    validation,
)

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import Unreadable, derive_state

WHOLE = """\
## Reasoning

8 records; 2 consultations completed (0 asked, 2 reported), 0 failed; \
2 independent reviewers from 2 sources; 0 tokens in, 0 out.

### Standing decisions

- **lock scope**: keep it (`conclusion-7`)
  - reviewed by one, two (0 asked, 2 reported)
  - validations: 1 passed, 0 failed
"""


def told(desk) -> str:
    return report(derive_state(desk.ledger))


def test_without_records_it_is_empty():
    assert report(derive_state(Ledger())) == ""


def test_a_decision_is_told_with_who_reviewed_it_and_whether_it_held(desk):
    decided(desk)
    assert told(desk) == WHOLE


def test_a_decision_without_advisors_is_called_local_reasoning(desk):
    desk.record(conclusion(desk.record(assessment()), risks=["it is slow"]))
    assert "local reasoning, no independent review" in told(desk)
    assert "not validated yet" in told(desk)
    assert "risk: it is slow" in told(desk)


def test_only_the_standing_decision_is_told(desk):
    on = desk.record(assessment())
    first = desk.record(conclusion(on, decision="the first"))
    desk.record(conclusion(on, decision="the second", supersedes=first))
    assert "the second" in told(desk)
    assert "the first" not in told(desk)


def test_what_is_unresolved_is_told_with_its_open_questions(desk):
    desk.record(assessment("open one", questions=["does any caller retry?"]))
    refuted = desk.record(conclusion(desk.record(assessment("refuted one"))))
    desk.record(validation(refuted, "fail"))
    on = desk.record(assessment("disputed one"))
    said = desk.record(answer(desk.record(plan(on))))
    desk.record(disagreement(on, "primary", said))
    text = told(desk).split("### Unresolved")[1]
    assert "**open one**: open" in text
    assert "open question: does any caller retry?" in text
    assert "**refuted one**: validation_failed" in text
    assert "**disputed one**: disputed" in text


def test_each_degradation_is_told(desk):
    under = desk.record(plan(desk.record(assessment())))
    desk.record(failure(under, "one", "auth_failed", diagnostic="401\nunauthorised"))
    assert "- one: auth_failed at 2026-11-30T12:00:03.000Z (401)" in told(desk)


def test_a_late_answer_is_told_as_not_weighed(desk):
    on = desk.record(assessment())
    under = desk.record(plan(on))
    desk.record(conclusion(on))
    late = desk.record(answer(under))
    assert f"not weighed yet: `{late}`" in told(desk)


def test_unreadable_files_are_told_beside_the_records(desk):
    desk.record(assessment())
    fault = Unreadable("untasked/bad.json", None, "it is no JSON")
    assert "- untasked/bad.json: it is no JSON" in report(derive_state(desk.ledger, None, [fault]))


def test_without_records_it_is_empty_whatever_else_lies_there():
    fault = Unreadable("untasked/bad.json", None, "it is no JSON")
    assert report(derive_state(Ledger(), None, [fault])) == ""


def test_of_two_decisions_that_nobody_supersedes_the_latest_stands():
    """As a store of another writer may hold them: our own admits no second one."""
    computed = {"reviewed_by": [], "independent_review_count": 0}
    first, second = (conclusion("a", decision=word, **computed) for word in ("one", "two"))
    stored = [record("a", 1, assessment()), record("k1", 2, first), record("k2", 3, second)]
    state = derive_state(Ledger(stored))
    assert [each.stands for each in state.conclusions] == [False, True]
    assert "two" in report(state)
    assert "one (" not in report(state)


def test_nothing_in_it_breaks_out_of_its_line(desk):
    desk.record(assessment("a subject\n# of two lines", questions=["one\n- two"]))
    assert "# of two lines" not in told(desk)
    assert "- two" not in told(desk)
