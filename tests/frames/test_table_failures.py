from typing import ClassVar

import pytest
from frame_samples import at, consultation, history, record, table_values

from majordomus_reasoning.core.availability import CircuitPolicy


def outcomes(*told):
    """A history of one advisor from pairs of seconds and status, and further fields."""
    return [
        record(
            f"consultation-{place}",
            seconds,
            consultation("plan-1", "beta", status, **(more[0] if more else {})),
        )
        for place, (seconds, status, *more) in enumerate(told)
    ]


def test_every_column_of_failures_holds_the_value_of_its_consultation():
    assert table_values("failures")[1] == {
        "record_id": "consultation-3",
        "assessment_id": "assessment-1",
        "plan_id": "plan-1",
        "next_id": "consultation-4",
        "task": "retry",
        "at": at(90),
        "advisor": "gamma",
        "status": "rate_limited",
        "streak": 1,
        "streak_position": 2,
        "opened_circuit": True,
        "seconds_out": 5,
        "next_status": "completed",
        "next_at": at(95),
        "store": "",
        "source": "retry/consultation-3.json",
    }


def test_a_first_timeout_opens_nothing():
    row = table_values("failures")[0]
    assert (row["opened_circuit"], row["seconds_out"]) == (False, None)
    assert (row["streak_position"], row["next_status"]) == (1, "rate_limited")


def test_a_completed_consultation_ends_a_streak_and_a_cancelled_one_is_passed_over():
    told = [
        (0, "timeout"),
        (10, "cancelled"),
        (20, "malformed"),
        (30, "completed"),
        (40, "error"),
    ]
    rows = table_values("failures", history(outcomes(*told)))
    assert [(row["status"], row["streak"], row["streak_position"]) for row in rows] == [
        ("timeout", 1, 1),
        ("cancelled", None, None),
        ("malformed", 1, 2),
        ("error", 2, 1),
    ]
    assert [row["next_status"] for row in rows] == ["malformed", "malformed", "completed", None]


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ([(0, "timeout"), (10, "unavailable")], 600),
        ([(0, "auth_failed")], 3_600),
        ([(0, "rate_limited")], 900),
        ([(0, "rate_limited", {"retry_after_seconds": 30})], 30),
        ([(0, "timeout"), (10, "malformed"), (20, "error")], None),
        ([(0, "empty")], None),
        ([(0, "rate_limited", {"retry_after_seconds": 0})], None),
    ],
)
def test_an_advisor_is_out_for_the_cooldown_of_its_failure(told, seconds):
    row = table_values("failures", history(outcomes(*told)))[-1]
    assert row["seconds_out"] == seconds
    assert row["opened_circuit"] is (seconds is not None)


def test_an_advisor_that_is_still_out_has_been_so_until_now():
    source = history(outcomes((0, "auth_failed")), now=at(100))
    assert table_values("failures", source)[0]["seconds_out"] == 100


def test_the_policy_of_the_history_decides_what_opens_a_circuit():
    source = history(outcomes((0, "timeout")), circuit_policy=CircuitPolicy(consecutive_failures=1))
    assert table_values("failures", source)[0]["seconds_out"] == 600


def test_a_failure_stamped_far_ahead_of_the_clock_tells_nothing():
    told = outcomes((0, "timeout"), (10_000, "timeout"))
    first, skewed = table_values("failures", history(told, now=at(60)))
    assert first["next_id"] is None
    assert (skewed["streak"], skewed["opened_circuit"]) == (None, False)


class CountingPolicy(CircuitPolicy):
    """The policy, which notes how many outcomes it is shown at a time."""

    shown: ClassVar[list[int]] = []

    def standing(self, newest_first, now):
        told = list(newest_first)
        self.shown.append(len(told))
        return super().standing(told, now)


def test_a_long_outage_costs_no_more_than_its_length():
    told = outcomes(*((seconds, "timeout") for seconds in range(50)))
    rows = table_values("failures", history(told, circuit_policy=CountingPolicy()))
    assert rows[-1]["streak_position"] == 50
    assert len(CountingPolicy.shown) == 50
    assert max(CountingPolicy.shown) == 2
