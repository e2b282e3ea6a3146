"""The verbs of a checkout: what they record, what they return, when they write nothing."""

from __future__ import annotations

import pytest
from builders import EVIDENCE, refusal

import majordomus_reasoning as mr
from majordomus_reasoning.core.policy import Request
from majordomus_reasoning.errors import NotFound, Refusal
from majordomus_reasoning.testing import deterministic_checkout

WHY = {"decision": "keep it", "rationale": "measured"}
PROVEN = {**WHY, "evidence": EVIDENCE, "validation_plan": ["run the tests"]}


@pytest.fixture
def reviewed(tmp_path):
    """A checkout where two advisors are present; and a question with two answers."""
    keys = {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x"}
    checkout = deterministic_checkout(root=tmp_path, environment=keys)
    checkout.question = checkout.assess("lock scope", materiality="high", evidence=["file:x.py:1"])
    checkout.made = checkout.plan(checkout.question)
    return checkout


def answer(checkout, advisor):
    said = {"status": "completed", "conclusion": "keep it", "stance": "supports"}
    body = {"kind": "consultation", "plan": checkout.made.id, "advisor": advisor, **said}
    return mr.Handle(checkout.record(body).record)


# Each verb with arguments that the rules admit on a question that nobody was asked about.
VERBS = {
    "assess": lambda c, q, **again: c.assess("another", facts=["a"], **again),
    "plan": lambda c, q, **again: c.plan(q, **again),
    "conclude": lambda c, q, **again: c.conclude(q, **WHY, **again),
    "attempt": lambda c, q, **again: c.attempt("a", observed_failure="b", assessment=q, **again),
}


class TestEveryVerb:
    @pytest.fixture
    def question(self, checkout):
        return checkout.assess("a name")

    @pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
    def test_called_again_returns_the_record_that_is_there(
        self, checkout, question, verb, files_of
    ):
        first = verb(checkout, question)
        before = files_of(checkout.root)
        second = verb(checkout, question)
        assert (first.reused, second.reused) == (False, True)
        assert first == second
        assert files_of(checkout.root) == before

    @pytest.mark.parametrize("verb", ["assess", "plan", "attempt"])
    def test_called_with_again_writes_another(self, checkout, question, verb):
        first = VERBS[verb](checkout, question)
        second = VERBS[verb](checkout, question, again=True)
        assert first != second
        assert not second.reused

    @pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
    def test_takes_an_id_or_a_handle(self, checkout, question, verb):
        by_handle = verb(checkout, question)
        assert verb(checkout, question.id) == by_handle
        assert verb(checkout, question.id).reused

    def test_of_another_task_is_another_record(self, checkout, question):
        current = checkout.root / ".ai/local/state/current.yaml"
        current.write_text("id: another-task\n", encoding="utf-8")
        again = checkout.assess("a name")
        assert not again.reused
        assert again.record.task == "another-task"

    @pytest.mark.parametrize(
        ("call", "code"),
        [
            (lambda c, q: c.assess(""), "blank_field"),
            (lambda c, q: c.assess("x", materiality="high"), "evidence_missing"),
            (lambda c, q: c.assess("x", mood="calm"), "unknown_field"),
            (lambda c, q: c.assess("x", id="x"), "computed_field"),
            (lambda c, q: c.assess("x", evidence=["x.py"]), "invalid_value"),
            (lambda c, q: c.assess("x", evidence=["rumour:x"]), "invalid_value"),
            (lambda c, q: c.assess("x", evidence=["file: "]), "blank_field"),
            (lambda c, q: c.assess("x", evidence=7), "invalid_value"),
            (lambda c, q: c.plan("nobody"), "unknown_reference"),
            (lambda c, q: c.disagree(q, {"primary": "A"}, decided_by="q"), "positions_missing"),
            (lambda c, q: c.conclude(q, **WHY, reviewed_by=["x"]), "computed_field"),
            (lambda c, q: c.validate(q, check="x", outcome="pass"), "wrong_kind"),
            (lambda c, q: c.attempt("x", observed_failure=" "), "blank_field"),
        ],
    )
    def test_that_is_refused_writes_nothing(self, checkout, question, call, code, files_of):
        before = files_of(checkout.root)
        assert refusal(call, checkout, question).code == code
        assert files_of(checkout.root) == before


def test_bodies_are_compared_as_cleaned(checkout):
    first = checkout.assess("lock scope", hypothesis="red")
    assert checkout.assess("lock scope", hypothesis="\x1b[31mred\x1b[0m") == first
    assert checkout.assess("lock scope", hypothesis="red", facts=[], confidence="medium") == first


def test_another_wording_is_another_record(checkout):
    first = checkout.assess("lock scope")
    for other in ("Lock scope", "lock  scope"):
        assert checkout.assess(other) != first


def test_plan_returns_the_latest_and_with_again_plans_from_the_availability_of_now(reviewed):
    reviewed.environment = {}
    assert reviewed.plan(reviewed.question) == reviewed.made
    anew = reviewed.plan(reviewed.question, again=True)
    assert reviewed.made.body.plan.outcome == "consult"
    assert anew.body.plan.outcome == "decide_locally"
    assert reviewed.plan(reviewed.question) == anew


@pytest.mark.parametrize(
    "evidence",
    [
        ["file:src/x.py:42"],
        "file:src/x.py:42",
        ["file: src/x.py:42 "],
        [{"kind": "file", "reference": "src/x.py:42"}],
        ({"kind": "file", "reference": "src/x.py:42"},),
        (text for text in ["file:src/x.py:42"]),
    ],
    ids=["a text", "a text alone", "a text with spaces", "an object", "a tuple", "a generator"],
)
def test_evidence_is_a_text_or_an_object(checkout, evidence):
    (cited,) = checkout.assess("x", evidence=evidence).body.evidence
    assert cited.plain() == {"kind": "file", "reference": "src/x.py:42"}


def test_a_whole_decision_reads_as_the_verbs(reviewed):
    one, two = answer(reviewed, "chatgpt"), answer(reviewed, "claude")
    question = reviewed.question
    quarrel = reviewed.disagree(question, {"primary": "A", two: "B"}, decided_by="who retries?")
    settled = reviewed.resolve(
        quarrel, experiment="run it", outcome="nobody", favours=two, evidence=["test:t.py::t"]
    )
    cited = {"consultations": {"chatgpt": one, "claude": two}, "disagreements": [quarrel]}
    verdict = reviewed.conclude(question, **PROVEN, **cited)
    held = reviewed.validate(verdict, check="the tests pass", outcome="pass", command="pytest")
    assert settled.body.favours == two.id
    assert verdict.body.reviewed_by == ("chatgpt", "claude")
    assert held.body.conclusion == verdict.id
    (state,) = reviewed.state().assessments
    assert (state.standing, state.conclusion) == ("validated", verdict.id)
    assert "reviewed by chatgpt, claude" in reviewed.report()


def test_consultations_are_cited_as_a_mapping_or_a_list(reviewed):
    one, two = answer(reviewed, "chatgpt"), answer(reviewed, "claude")
    first = reviewed.conclude(reviewed.question, **PROVEN, consultations=[one, two.id])
    mapped = {"a": one, "b": two}
    assert reviewed.conclude(reviewed.question, **PROVEN, consultations=mapped) == first


def test_a_second_assessment_of_the_subject_is_answered_by_the_earlier_decision(reviewed):
    verdict = reviewed.conclude(reviewed.question, **PROVEN)
    later = reviewed.assess("LOCK scope", materiality="high", evidence=["file:x.py:1"])
    plan = reviewed.plan(later).body.plan
    assert plan.outcome == "reuse_prior"
    assert verdict.id in plan.reason


def test_a_review_plan_records_nothing(checkout):
    plan = checkout.review_plan(Request("high"))
    assert (plan.outcome, plan.budget) == ("decide_locally", 2)
    assert not (checkout.root / ".ai").exists()
    with pytest.raises(Refusal, match="no capability"):
        checkout.review_plan(Request(capabilities=("telepathy",)))


def test_what_is_not_there_is_said_to_be_not_there(checkout):
    with pytest.raises(NotFound, match="nobody") as caught:
        checkout.find("nobody")
    assert caught.value.code == "not_found"


def test_reading_never_changes_the_store(checkout):
    assert repr(checkout)
    assert checkout.report() == ""
    assert len(checkout.ledger) == 0
    assert list(checkout.root.iterdir()) == []


def test_with_a_broken_catalogue_the_records_stay_readable(tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    (share / "advisors.yaml").write_text("version: 1\n", encoding="utf-8")
    checkout = deterministic_checkout(root=tmp_path)
    question = checkout.assess("x")
    (share / "advisors.yaml").write_text("version: [\n", encoding="utf-8")
    assert checkout.share == share
    assert [each.standing for each in checkout.state().assessments] == ["open"]
    assert checkout.explain(question).assessment == question.id
    assert checkout.attempt("a", observed_failure="b")
    with pytest.raises(mr.CatalogueError, match=r"advisors\.yaml"):
        checkout.plan(question)


def test_a_broken_task_is_an_error_naming_its_file_and_nothing_is_written(checkout, files_of):
    current = checkout.root / ".ai/local/state/current.yaml"
    current.parent.mkdir(parents=True)
    current.write_text("id: ../x\n", encoding="utf-8")
    with pytest.raises(mr.CatalogueError, match=r"current\.yaml, field id"):
        checkout.assess("x")
    assert files_of(checkout.root) == {".ai/local/state/current.yaml": b"id: ../x\n"}


def test_a_checkout_shows_mode_advisors_and_what_is_unresolved(reviewed):
    reviewed.assess("a <b>bold</b> subject")
    assert repr(reviewed) == (
        "mode: standard (default)\n"
        "task: untasked\n"
        "advisors: chatgpt, claude of 8 available\n"
        "records: 3\n"
        "unresolved: lock scope (planned); a <b>bold</b> subject (open)"
    )
    page = reviewed._repr_html_()
    assert "a &lt;b&gt;bold&lt;/b&gt; subject (open)" in page
    assert "<b>" not in page


def test_the_same_steps_give_the_same_displays(tmp_path):
    shown = []
    for name in ("a", "b"):
        checkout = deterministic_checkout(root=tmp_path / name)
        handle = checkout.assess("x", evidence=["file:x.py"])
        shown.append((repr(checkout), checkout._repr_html_(), repr(handle), handle._repr_html_()))
    assert shown[0] == shown[1]
    assert str(tmp_path) not in str(shown)


def test_open_takes_the_nearest_checkout(tmp_path, monkeypatch):
    (tmp_path / ".ai").mkdir()
    inner = tmp_path / "src"
    inner.mkdir()
    monkeypatch.chdir(inner)
    assert mr.open().root == mr.open(inner).root == mr.open(str(inner)).root == tmp_path.resolve()


def test_what_is_looked_at_shows_itself_in_lines(checkout):
    question = checkout.assess("lock scope")
    assert repr(checkout.report()).startswith("## Reasoning\n")
    assert checkout.report()._repr_markdown_() == str(checkout.report())
    assert repr(checkout.explain(question)).splitlines()[1].endswith(f"lock scope ({question})")
    assert repr(checkout.find(question)).startswith(f"Record({question}, task untasked, 2026-")
    assert repr(checkout.state()) == "records: 1 (all tasks)\n  open: lock scope"
    assert repr(checkout.advisors()).splitlines()[0] == (
        "chatgpt: not_configured (credential_absent)"
    )


def test_the_store_keeps_itself_out_of_git(checkout):
    checkout.assess("lock scope")
    assert (checkout.store.root / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("now", ["yesterday", "2026-11-30", ""])
def test_a_time_that_is_none_is_refused(tmp_path, now):
    with pytest.raises(Refusal, match="name a moment"):
        mr.open(tmp_path, now=now)
