"""Failures are learned by asking, recorded, and keep an advisor out for their time, no longer."""

from __future__ import annotations

import pytest

from majordomus_reasoning.testing import TickingClock, deterministic_checkout

REASON = "temporarily_failed: authentication_failed"


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def opened(tmp_path, clock):
    """A checkout that an advisor with a credential and one with a client tool are present in."""
    tools = tmp_path / "bin"
    tools.mkdir()
    tool = tools / "gemini"
    tool.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    tool.chmod(0o755)

    def open_(**environment: str):
        here = {"PATH": str(tools), "OPENAI_API_KEY": "a wrong one", **environment}
        return deterministic_checkout(root=tmp_path / "checkout", environment=here, clock=clock)

    return open_


@pytest.fixture
def checkout(opened):
    return opened()


def planned(checkout):
    """A new plan on a question of its own."""
    subject = f"question {len(checkout.ledger)}"
    question = checkout.assess(subject, materiality="high", evidence=["file:src/x.py:1"])
    return checkout.plan(question)


def outcome(checkout, plan, advisor: str, status: str, **said):
    """What a consultation under a plan came to."""
    body = {"kind": "consultation", "plan": plan.id, "advisor": advisor, "status": status, **said}
    return checkout.record(body).record


def selected(plan) -> list[str]:
    return [selection.advisor for selection in plan.body.plan.selected]


def excluded(plan) -> dict[str, str]:
    return {exclusion.advisor: exclusion.reason for exclusion in plan.body.plan.excluded}


def state(checkout, advisor: str):
    return next(state for state in checkout.advisors() if state.id == advisor)


def at(clock: TickingClock, record, seconds: float) -> None:
    """Let it be this long after a record."""
    clock.moment = record.at
    clock.advance(seconds)


def test_presence_is_all_that_is_known_before_anybody_was_asked(checkout):
    assert selected(planned(checkout)) == ["chatgpt", "gemini"]
    assert not state(checkout, "chatgpt").recovering


def test_a_wrong_credential_is_learned_at_the_first_consultation_and_keeps_out_for_an_hour(
    checkout, clock
):
    first = planned(checkout)
    failed = outcome(checkout, first, "chatgpt", "auth_failed", diagnostic="401")

    second = planned(checkout)
    assert selected(second) == ["gemini"]
    assert excluded(second)["chatgpt"] == REASON
    snapshot = next(each for each in second.body.availability if each.id == "chatgpt")
    assert snapshot.circuit.opened_by == failed.id

    at(clock, failed, 3_599.999)
    assert state(checkout, "chatgpt").status == "temporarily_failed"
    at(clock, failed, 3_600)
    back = state(checkout, "chatgpt")
    assert (back.status, back.recovering) == ("available", True)
    assert selected(planned(checkout)) == ["chatgpt", "gemini"]


def test_an_advisor_that_answers_again_recovers_no_more(checkout, clock):
    failed = outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    at(clock, failed, 3_601)
    said = {"conclusion": "keep it", "stance": "supports"}
    outcome(checkout, planned(checkout), "chatgpt", "completed", **said)
    assert not state(checkout, "chatgpt").recovering


def test_a_credential_refused_again_keeps_out_for_another_hour(checkout, clock):
    failed = outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    at(clock, failed, 3_601)
    again = outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    at(clock, again, 3_599)
    assert state(checkout, "chatgpt").circuit.opened_by == again.id


def test_two_timeouts_keep_out_for_ten_minutes(checkout, clock):
    plan = planned(checkout)
    outcome(checkout, plan, "gemini", "timeout")
    assert state(checkout, "gemini").status == "available"
    second = outcome(checkout, plan, "gemini", "timeout")

    left = planned(checkout)
    assert selected(left) == ["chatgpt"]
    assert excluded(left)["gemini"] == "temporarily_failed: consecutive_failures"
    at(clock, second, 599)
    assert state(checkout, "gemini").circuit.failures == 2
    at(clock, second, 600)
    assert state(checkout, "gemini").recovering


def test_a_timeout_while_recovering_keeps_out_again_at_once(checkout, clock):
    plan = planned(checkout)
    for _ in range(2):
        last = outcome(checkout, plan, "gemini", "timeout")
    at(clock, last, 601)
    outcome(checkout, planned(checkout), "gemini", "error")
    assert state(checkout, "gemini").circuit.failures == 3


@pytest.mark.parametrize(
    ("said", "seconds"),
    [({"retry_after_seconds": 30}, 30), ({}, 900), ({"retry_after_seconds": 0}, 0)],
)
def test_a_rate_limit_keeps_out_for_its_own_wait(checkout, clock, said, seconds):
    limited = outcome(checkout, planned(checkout), "chatgpt", "rate_limited", **said)
    if seconds:
        at(clock, limited, seconds - 10)
        assert state(checkout, "chatgpt").status == "rate_limited"
        assert excluded(planned(checkout))["chatgpt"] == "rate_limited: rate_limited"
    at(clock, limited, seconds)
    assert state(checkout, "chatgpt").recovering


@pytest.mark.parametrize("status", ["auth_failed", "rate_limited"])
def test_the_cooldown_override_replaces_every_cooldown(opened, clock, status):
    checkout = opened(MAJORDOMUS_REASONING_COOLDOWN_SECONDS="5")
    failed = outcome(checkout, planned(checkout), "chatgpt", status)
    at(clock, failed, 4)
    assert state(checkout, "chatgpt").circuit
    at(clock, failed, 5)
    assert state(checkout, "chatgpt").recovering


def test_with_an_override_of_nought_an_advisor_is_tried_again_at_once(opened):
    checkout = opened(MAJORDOMUS_REASONING_COOLDOWN_SECONDS="0")
    outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    assert "chatgpt" in selected(planned(checkout))


def test_a_failure_in_one_task_counts_in_all(checkout):
    outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    current = checkout.root / ".ai/local/state/current.yaml"
    current.write_text("id: another-task\n", encoding="utf-8")
    assert excluded(planned(checkout))["chatgpt"] == REASON


def test_an_answer_that_arrives_after_another_failure_is_still_admitted(checkout):
    plan = planned(checkout)
    for _ in range(2):
        outcome(checkout, plan, "gemini", "timeout")
    said = {"conclusion": "keep it", "stance": "supports"}
    assert outcome(checkout, plan, "gemini", "completed", **said).body.status == "completed"


def test_with_nobody_left_the_work_goes_on_locally(checkout):
    plan = planned(checkout)
    outcome(checkout, plan, "chatgpt", "auth_failed")
    for _ in range(2):
        outcome(checkout, plan, "gemini", "timeout")
    left = planned(checkout).body.plan
    assert (left.outcome, len(left.local_review)) == ("decide_locally", 5)


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"CI": "true"}, "disabled: mode_ci"),
        ({"MAJORDOMUS_REASONING_MODE": "offline"}, "disabled: mode_offline"),
        ({"MAJORDOMUS_ADVISORS_DISABLE": "gemini, chatgpt"}, "disabled: disabled_by_configuration"),
        ({"MAJORDOMUS_ADVISORS_DISABLE": "all"}, "disabled: disabled_by_configuration"),
        ({"OPENAI_API_KEY": ""}, "not_configured: credential_absent"),
    ],
    ids=str,
)
def test_who_may_not_be_asked_is_left_out_with_the_reason(opened, environment, reason):
    plan = planned(opened(**environment))
    assert "chatgpt" not in selected(plan)
    assert excluded(plan)["chatgpt"] == reason


def test_no_value_of_a_credential_is_written(checkout, files_of):
    outcome(checkout, planned(checkout), "chatgpt", "auth_failed")
    assert b"a wrong one" not in b"".join(files_of(checkout.root).values())
