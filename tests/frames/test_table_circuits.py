from datetime import timedelta

import pytest
from frame_samples import at, consultation, history, record, table_values
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.availability import CircuitPolicy

STATUSES = [
    "completed",
    "timeout",
    "rate_limited",
    "auth_failed",
    "malformed",
    "cancelled",
    "unavailable",
]
NAMES = ("beta", "gamma")


def outcomes(*told):
    """Records of consultations from triples of seconds, advisor and status."""
    return [
        record(f"consultation-{place:03}", seconds, consultation("plan-1", name, status))
        for place, (seconds, name, status) in enumerate(told)
    ]


def test_every_column_of_circuits_holds_the_value_of_its_interval():
    [row] = [row for row in table_values("circuits") if row["state"] == "open"]
    assert row == {
        "record_id": "consultation-3",
        "opened_by": "consultation-3",
        "advisor": "gamma",
        "start": at(90),
        "end": at(95),
        "state": "open",
        "reason": "rate_limited",
        "failures": 1,
        "store": "",
        "source": "retry/consultation-3.json",
    }


def test_a_closed_circuit_has_no_reason_and_begins_with_the_store():
    row = table_values("circuits")[0]
    assert (row["state"], row["start"], row["record_id"]) == ("closed", at(0), "assessment-1")
    assert row["opened_by"] is row["reason"] is row["failures"] is None


def test_an_outage_opens_recovers_and_closes():
    told = [
        (0, "beta", "completed"),
        (100, "beta", "timeout"),
        (200, "beta", "error"),
        (900, "beta", "completed"),
    ]
    rows = table_values("circuits", history(outcomes(*told), now=at(1000)))
    assert [
        (row["start"], row["end"], row["state"], row["opened_by"], row["failures"]) for row in rows
    ] == [
        (at(0), at(200), "closed", None, None),
        (at(200), at(800), "open", "consultation-002", 2),
        (at(800), at(900), "recovering", "consultation-002", 2),
        (at(900), at(1000), "closed", None, None),
    ]
    assert [row["reason"] for row in rows] == [None, *["consecutive_failures"] * 2, None]


def test_a_failure_while_the_circuit_is_open_begins_the_cooldown_anew():
    told = [(place * 100, "beta", "timeout") for place in range(3)]
    rows = table_values("circuits", history(outcomes(*told), now=at(1000)))
    assert [(row["start"], row["state"], row["failures"]) for row in rows] == [
        (at(0), "closed", None),
        (at(100), "open", 2),
        (at(200), "open", 3),
        (at(800), "recovering", 3),
    ]


def test_a_cooldown_of_no_length_leaves_an_advisor_recovering_at_once():
    source = history(
        outcomes((0, "beta", "completed"), (10, "beta", "auth_failed")),
        now=at(20),
        circuit_policy=CircuitPolicy(override_seconds=0),
    )
    states = [(row["start"], row["state"]) for row in table_values("circuits", source)]
    assert states == [(at(0), "closed"), (at(10), "recovering")]


def test_the_last_interval_tells_how_things_stand_even_when_it_has_just_begun():
    source = history(outcomes((0, "beta", "completed"), (10, "beta", "auth_failed")), now=at(10))
    row = table_values("circuits", source)[-1]
    assert (row["start"], row["end"], row["state"]) == (at(10), at(10), "open")


def test_without_a_clock_the_observed_time_ends_with_the_last_record():
    source = history(outcomes((0, "beta", "auth_failed"), (50, "gamma", "completed")), now=None)
    assert {row["end"] for row in table_values("circuits", source)} == {at(50)}


def test_a_store_whose_every_stamp_lies_ahead_of_the_clock_shows_no_interval():
    assert table_values("circuits", history(outcomes((9999, "beta", "timeout")), now=at(0))) == []


@st.composite
def stories(draw):
    """Outcomes of two advisors, a policy, and a clock near the end of them."""
    gaps = st.integers(0, 900)
    count = draw(st.integers(1, 25))
    seconds, told = 0, []
    for _ in range(count):
        seconds += draw(gaps)
        told.append((seconds, draw(st.sampled_from(NAMES)), draw(st.sampled_from(STATUSES))))
    policy = CircuitPolicy(
        consecutive_failures=draw(st.integers(1, 4)),
        override_seconds=draw(st.sampled_from([None, None, 0, 60])),
    )
    now = at(seconds + draw(st.integers(-1000, 2000)))
    return history(outcomes(*told), now=now, circuit_policy=policy)


def by_advisor(source):
    rows = table_values("circuits", source)
    return {name: [row for row in rows if row["advisor"] == name] for name in NAMES}


@given(stories())
def test_the_intervals_of_an_advisor_tile_the_observed_time(source):
    for rows in by_advisor(source).values():
        if rows:
            assert rows[0]["start"] == source.start
            assert rows[-1]["end"] == source.end
            assert [row["end"] for row in rows[:-1]] == [row["start"] for row in rows[1:]]
            assert all(row["start"] < row["end"] for row in rows[:-1])


@given(stories(), st.floats(0, 1))
def test_an_interval_says_what_the_policy_said_at_each_of_its_moments(source, share):
    for name, rows in by_advisor(source).items():
        for row in rows:
            moment = row["start"] + (row["end"] - row["start"]) * share
            if moment == row["end"] and row is not rows[-1]:
                moment -= timedelta(microseconds=1)
            outcomes_then = reversed(source.ledger.until(moment).outcomes(name))
            standing = source.circuit_policy.standing(outcomes_then, moment)
            expected = "open" if standing.circuit else "closed"
            assert row["state"] == ("recovering" if standing.recovering else expected)
            if standing.circuit:
                assert row["opened_by"] == standing.circuit.opened_by
                assert row["failures"] == standing.circuit.failures
                assert row["reason"] == standing.reason


@pytest.mark.parametrize("status", STATUSES)
def test_a_single_outcome_of_any_kind_gives_an_interval_that_ends_now(status):
    rows = table_values("circuits", history(outcomes((0, "beta", status)), now=at(5000)))
    assert (rows[0]["start"], rows[-1]["end"]) == (at(0), at(5000))
