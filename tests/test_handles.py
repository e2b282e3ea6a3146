"""What a verb gives back: an id to hand on, and a display that is the same everywhere."""

from __future__ import annotations

from builders import answer, assessment, conclusion, decided, plan, record, situation

from majordomus_reasoning.handles import Handle


def handle(desk, name: str, **options) -> Handle:
    return Handle(desk.ledger.get(name), **options)


def test_a_handle_is_its_id_as_text(desk):
    name = desk.record(assessment())
    assert str(handle(desk, name)) == handle(desk, name).id == name
    assert handle(desk, name).body.subject == "lock scope"


def test_handles_of_one_record_are_equal_and_serve_as_keys(desk):
    ids = decided(desk)
    for name in ids.values():
        assert {handle(desk, name): 1}[handle(desk, name, reused=True)] == 1
    assert handle(desk, ids["a"]) != handle(desk, ids["p"])


def test_the_display_is_the_summary_and_a_row_for_each_thing_said(desk):
    name = desk.record(assessment(facts=["one", "two\nlines"]))
    assert repr(handle(desk, name)) == (
        "assessment-1: lock scope\n"
        "  subject: lock scope\n"
        "  materiality: high\n"
        "  confidence: medium\n"
        "  facts: one\n"
        "  facts: two\n"
        "  evidence: file · src/worker.py:10\n"
        "  new_evidence: False"
    )


def test_a_reused_record_shows_the_same(desk):
    name = desk.record(assessment())
    reused = handle(desk, name, reused=True)
    assert reused.reused
    assert repr(reused) == repr(handle(desk, name))
    assert reused._repr_html_() == handle(desk, name)._repr_html_()


def test_a_plan_shows_whom_and_why_who_not_and_why(desk):
    shown = repr(handle(desk, desk.record(plan(desk.record(assessment(materiality="material"))))))
    assert "  ask: one: covers most of what is asked" in shown
    assert "  not asked: two: the budget of 1 was spent" in shown


def test_a_plan_that_asks_nobody_shows_the_local_review(desk):
    desk.situation = situation()
    shown = repr(handle(desk, desk.record(plan(desk.record(assessment())))))
    assert shown.count("  local review: ") == 5


def test_a_conclusion_shows_what_was_computed(desk):
    shown = repr(handle(desk, desk.record(conclusion(desk.record(assessment())))))
    assert "  independent_review_count: 0" in shown


def test_html_is_escaped_and_holds_no_terminal_escape():
    stored = record("x", 0, assessment("<script>alert(1)</script> & \x1b[31mred"))
    page = Handle(stored)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; red" in page
    assert "\x1b" not in page + repr(Handle(stored))


def test_a_number_within_a_field_says_of_what(desk):
    under = desk.record(plan(desk.record(assessment())))
    said = desk.record(answer(under, usage={"input_tokens": 3, "output_tokens": 5}))
    assert "usage: 3 input_tokens · 5 output_tokens" in repr(handle(desk, said))
