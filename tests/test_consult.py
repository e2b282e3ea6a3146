"""`Checkout.consult`: ask whom the plan selected, once, and record each outcome as it comes."""

from __future__ import annotations

import asyncio

import pytest

import majordomus_reasoning as mr
from majordomus_reasoning.advisors.cancellation import Cancellation
from majordomus_reasoning.advisors.failures import failure
from majordomus_reasoning.errors import NotFound, Refusal, WouldWrite
from majordomus_reasoning.testing import ScriptedAdvisors, deterministic_checkout

KEYS = {"OPENAI_API_KEY": "a-value-nobody-sees", "ANTHROPIC_API_KEY": "a-value-nobody-sees"}
EVIDENCE = ["file:src/worker.py:2"]
SAID = {"conclusion": "keep it", "stance": "supports", "risks": ["slow"], "confidence": "high"}
OTHER = {"conclusion": "two locks", "stance": "opposes"}


def consulted(root, script, **options):
    """A checkout with two API advisors that answer from a script, and the plan to ask them."""
    (root / "src").mkdir()
    (root / "src" / "worker.py").write_text("def run():\n    return lock()\n")
    advisors = ScriptedAdvisors(script, **options)
    checkout = deterministic_checkout(root=root, environment=KEYS, adapters=advisors)
    question = checkout.assess(
        "lock scope", materiality="high", hypothesis="one lock is enough", evidence=EVIDENCE
    )
    return checkout, checkout.plan(question), question, advisors


def test_each_answer_is_recorded_as_asked_with_its_exchange(tmp_path) -> None:
    checkout, plan, _, _ = consulted(tmp_path, {"chatgpt": SAID, "claude": OTHER})

    answers = checkout.consult_sync(plan)

    assert list(answers) == ["chatgpt", "claude"]
    record = answers["chatgpt"].record
    assert record.origin == "asked"
    assert record.exchange.question_sha256 == checkout.question(plan).sha256
    assert record.exchange.question_template
    assert record.body.conclusion == "keep it"
    assert record.body.risks == ("slow",)
    assert record.body.duration_ms == 1_000
    assert [each.body.stance for each in answers.completed] == ["supports", "opposes"]
    assert checkout.state().totals.answers_asked == 2


def test_it_is_the_same_awaited(tmp_path) -> None:
    checkout, plan, _, _ = consulted(tmp_path, {"chatgpt": SAID, "claude": OTHER})

    answers = asyncio.run(checkout.consult(plan))

    assert list(answers) == ["chatgpt", "claude"]


def test_outcomes_stand_in_plan_order_whoever_is_first(tmp_path) -> None:
    checkout, plan, _, _ = consulted(
        tmp_path, {"chatgpt": SAID, "claude": OTHER}, after={"chatgpt": 0.1}
    )
    seen = []

    answers = checkout.consult_sync(plan, on_outcome=lambda each: seen.append(each.body.advisor))

    assert list(answers) == seen == ["chatgpt", "claude"]
    assert [each.record for each in answers.values()] == list(checkout.ledger)[2:]


def test_nobody_is_asked_twice(tmp_path) -> None:
    script = {"chatgpt": SAID, "claude": failure("deadline")}
    checkout, plan, _, advisors = consulted(tmp_path, script)
    first = checkout.consult_sync(plan)

    again = checkout.consult_sync(plan)

    assert len(advisors.asked) == 2
    assert {name: each.id for name, each in again.items()} == {
        name: each.id for name, each in first.items()
    }


def test_again_asks_those_who_did_not_complete(tmp_path) -> None:
    script = {"chatgpt": SAID, "claude": failure("deadline")}
    checkout, plan, _, advisors = consulted(tmp_path, script)
    checkout.consult_sync(plan)
    advisors.script = {"claude": OTHER}

    answers = checkout.consult_sync(plan, again=True)

    assert [each.advisor for each in advisors.asked] == ["chatgpt", "claude", "claude"]
    assert answers["claude"].body.status == "completed"
    assert len(answers) == 2


def test_a_failure_is_an_outcome_and_a_bug_of_one_adapter_is_its_own(tmp_path) -> None:
    checkout, plan, _, _ = consulted(tmp_path, {"claude": OTHER})

    answers = checkout.consult_sync(plan)

    assert answers["chatgpt"].body.status == "error"
    assert answers["chatgpt"].body.diagnostic.startswith("adapter_fault: ")
    assert answers["claude"].body.status == "completed"


def test_a_conclusion_takes_the_answers_as_they_come(tmp_path) -> None:
    script = {"chatgpt": SAID, "claude": failure("deadline")}
    checkout, plan, question, _ = consulted(tmp_path, script)
    answers = checkout.consult_sync(plan)

    verdict = checkout.conclude(
        question, decision="keep it", rationale="it holds", evidence=EVIDENCE,
        consultations=answers, validation_plan=["run it"],
    )  # fmt: skip

    assert verdict.body.consultations == (answers["chatgpt"].id,)
    assert verdict.body.reviewed_by == ("chatgpt",)
    assert verdict.body.independent_review_count == 1


def test_a_disagreement_names_the_answer_by_its_handle(tmp_path) -> None:
    checkout, plan, question, _ = consulted(tmp_path, {"chatgpt": SAID, "claude": OTHER})
    answers = checkout.consult_sync(plan)

    quarrel = checkout.disagree(
        question, {"primary": "one", answers["claude"]: "two"}, decided_by="who waits?"
    )

    assert [each.source for each in quarrel.body.positions] == ["primary", answers["claude"].id]


def test_a_withdrawn_question_leaves_cancelled_outcomes(tmp_path) -> None:
    checkout, plan, _, _ = consulted(
        tmp_path, {"chatgpt": SAID, "claude": OTHER}, after={"claude": 60}
    )
    wish = Cancellation()

    answers = checkout.consult_sync(plan, cancel=wish, on_outcome=lambda _each: wish.cancel())

    assert [each.body.status for each in answers.values()] == ["completed", "cancelled"]


def test_the_deadline_is_a_timeout_of_its_own(tmp_path) -> None:
    checkout, plan, _, _ = consulted(
        tmp_path, {"chatgpt": SAID, "claude": OTHER}, after={"claude": 60}
    )

    answers = checkout.consult_sync(plan, deadline=0.2)

    assert [each.body.status for each in answers.values()] == ["completed", "timeout"]


def test_a_plan_that_selects_nobody_is_no_error(tmp_path) -> None:
    checkout = deterministic_checkout(root=tmp_path)
    plan = checkout.plan(checkout.assess("lock scope", materiality="high", evidence=EVIDENCE))

    answers = checkout.consult_sync(plan)

    assert len(answers) == 0
    assert repr(answers) == "nobody was asked"
    assert plan.body.plan.local_review


def test_what_leaves_is_seen_first(tmp_path) -> None:
    script = {"chatgpt": SAID, "claude": OTHER}
    checkout, plan, question, advisors = consulted(tmp_path, script)
    (tmp_path / "src" / "worker.py").write_text("password = 'abcdefghijklmnopqrst'\nlock()\n")

    shown = checkout.question(plan, asked="is it so?", prior_opinions=["Claude says no"])
    checkout.consult_sync(plan, asked="is it so?", prior_opinions=["Claude says no"])

    assert {each.question for each in advisors.asked} == {shown.text}
    assert "lock()" in shown.text
    assert "abcdefghijklmnopqrst" not in shown.text
    assert "Claude" not in shown.text
    assert shown.text.count("is it so?") == 1
    assert "lock()" not in checkout.question(question, excerpts=False).text
    assert all("OPENAI_API_KEY" not in each.environment for each in advisors.asked)


def test_no_credential_is_in_any_record(tmp_path, files_of) -> None:
    checkout, plan, _, _ = consulted(
        tmp_path, {"chatgpt": SAID, "claude": failure("no_credential")}
    )

    checkout.consult_sync(plan)

    stored = b"".join(files_of(checkout.store.root).values())
    assert b"a-value-nobody-sees" not in stored
    assert b"auth_failed" in stored


def test_a_frozen_checkout_gives_what_was_answered_and_asks_nobody(tmp_path) -> None:
    script = {"chatgpt": SAID, "claude": failure("deadline")}
    checkout, plan, _, advisors = consulted(tmp_path, script)
    answers = checkout.consult_sync(plan)

    frozen = mr.open(tmp_path, frozen=True)

    assert repr(frozen.consult_sync(plan)) == repr(answers)
    assert repr(asyncio.run(frozen.consult(plan, again=True))) == repr(answers)
    assert len(advisors.asked) == 2


def test_a_frozen_checkout_would_write_what_was_not_asked(tmp_path) -> None:
    _, plan, _, _ = consulted(tmp_path, {})

    with pytest.raises(WouldWrite, match="asking chatgpt, claude"):
        mr.open(tmp_path, frozen=True).consult_sync(plan)


def test_a_plan_that_is_not_there_is_named(tmp_path) -> None:
    checkout, _, question, _ = consulted(tmp_path, {})

    with pytest.raises(NotFound, match="the plan"):
        checkout.consult_sync(question)
    with pytest.raises(NotFound, match="nothing"):
        checkout.question("nothing")


def test_an_outcome_that_another_process_recorded_first_is_refused_not_doubled(tmp_path) -> None:
    checkout, plan, _, _ = consulted(tmp_path, {"chatgpt": SAID, "claude": OTHER})

    def reported_meanwhile(each: mr.Handle) -> None:
        if each.body.advisor == "chatgpt":
            body = {"kind": "consultation", "plan": plan.id, "advisor": "claude"}
            checkout.record({**body, "status": "completed", **OTHER})

    with pytest.raises(Refusal) as refused:
        checkout.consult_sync(plan, on_outcome=reported_meanwhile)

    assert refused.value.code == "answered_already"
    assert [each.body.advisor for each in checkout.answers(plan).values()] == ["chatgpt", "claude"]
    assert len(checkout.ledger) == 4


def test_a_secret_in_an_answer_is_taken_out_and_named(tmp_path) -> None:
    said = {"conclusion": f"use sk-ant-{'a' * 20} for it", "stance": "supports"}
    checkout, plan, _, _ = consulted(tmp_path, {"chatgpt": said, "claude": OTHER})

    record = checkout.consult_sync(plan)["chatgpt"].record

    assert record.body.conclusion == "use [redacted:anthropic-key] for it"
    assert record.redacted == ("anthropic-key",)
