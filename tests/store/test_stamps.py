"""Stamps are strictly increasing over all tasks of a store, whatever the clock does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from builders import Writer, assessment, envelope, put

from majordomus_reasoning.core.words import to_stamp
from majordomus_reasoning.errors import StoreError
from majordomus_reasoning.testing import START


class SetClock:
    """A clock that says the moments it is given, then the last of them for ever."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)

    def __call__(self):
        now = self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        return START + timedelta(seconds=now)


def stamps(writer: Writer, count: int) -> list[str]:
    tasks = ("first", "second")
    return [
        writer.write(assessment(str(n)), task=tasks[n % 2]).record.recorded_at for n in range(count)
    ]


def at(seconds: float) -> str:
    return to_stamp(START + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ((0, 1, 2), (0, 1, 2)),
        ((0, 0, 0), (0, 0.001, 0.002)),
        ((10, 5, 1), (10, 10.001, 10.002)),
        ((10, 5, 11), (10, 10.001, 11)),
        ((0.0004, 0.0008, 0.0012), (0, 0.001, 0.002)),
    ],
    ids=["goes on", "stands still", "steps back", "comes back", "less than a millisecond"],
)
def test_with_a_clock_that(tmp_path, clock, expected):
    writer = Writer(tmp_path, clock=SetClock(*clock))
    assert stamps(writer, 3) == [at(seconds) for seconds in expected]


@pytest.mark.parametrize(
    ("stored", "stamped"),
    [(-1, 0), (0, 0.001), (299, 299.001), (300, 300.001), (300.001, 0), (10**6, 0)],
)
def test_a_stored_stamp_lifts_the_next_unless_it_is_more_than_300_seconds_ahead(
    tmp_path, stored, stamped
):
    put(tmp_path, "x.json", envelope("x", stored, assessment()))
    assert stamps(Writer(tmp_path, clock=SetClock(0)), 1) == [at(stamped)]


def test_at_the_edge_of_300_seconds_no_stamp_is_given_twice(tmp_path):
    put(tmp_path, "x.json", envelope("x", 299.999, assessment()))
    given = stamps(Writer(tmp_path, clock=SetClock(0)), 4)
    assert given == [at(300), at(300.001), at(300.002), at(300.003)]


@pytest.mark.parametrize(
    ("stored", "stamped"),
    [
        ("2026-11-30T12:00:05Z", 5.001),
        ("2026-11-30T12:00:05.25Z", 5.251),
        ("2026-11-30T12:00:05.250999Z", 5.251),
        ("2026-11-30T12:00:05+00:00", 5.001),
        ("2026-11-30T14:00:05.000+02:00", 5.001),
    ],
)
def test_a_stamp_of_another_form_is_read_and_lifts_the_next(tmp_path, stored, stamped):
    put(tmp_path, "x.json", envelope("x", stored, assessment()))
    assert stamps(Writer(tmp_path, clock=SetClock(0)), 1) == [at(stamped)]


def test_at_the_end_of_the_calendar_the_last_stamp_is_given_once(tmp_path):
    writer = Writer(tmp_path, clock=lambda: datetime.max.replace(tzinfo=UTC))
    assert stamps(writer, 1) == ["9999-12-31T23:59:59.999Z"]
    with pytest.raises(StoreError, match="correct the clock"):
        writer.write(assessment())
    assert len(writer.store.load()) == 1
