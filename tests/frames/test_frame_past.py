"""`as_of`: what was known then, and nothing later."""

from datetime import timedelta
from functools import cache

import pandas as pd
import pytest
from frame_samples import FIRST_COMMIT, SECOND_COMMIT, at, history, record, story
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.words import to_stamp
from majordomus_reasoning.errors import NotFound, Refusal
from majordomus_reasoning.frames import TABLES, records

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@cache
def whole_history():
    return history()


@EVERY_TABLE
@given(seconds=st.integers(-10, 3 * 86_400))
def test_a_table_as_of_a_moment_is_the_table_over_the_records_until_then(table, seconds):
    then = history(
        [each for each in story() if each.at <= at(seconds)], now=at(seconds), drift=None
    )
    pd.testing.assert_frame_equal(
        table.frame(whole_history(), as_of=at(seconds)), table.frame(then)
    )


@pytest.mark.parametrize(
    "moment", [at(60), to_stamp(at(60)), "2026-10-01T09:01Z", pd.Timestamp(at(60))]
)
def test_a_moment_is_a_stamp_or_a_datetime(moment):
    assert list(records(history(), as_of=moment)["record_id"]) == ["assessment-1", "plan-1"]


@pytest.mark.parametrize(
    ("commit", "last"),
    [
        (FIRST_COMMIT, "plan-1"),
        (FIRST_COMMIT[:7], "plan-1"),
        (SECOND_COMMIT, "conclusion-1"),
    ],
)
def test_a_commit_means_the_last_record_made_on_it(commit, last):
    assert records(history(), as_of=commit)["record_id"].iloc[-1] == last


def test_the_clock_stands_at_the_moment_too():
    [age] = TABLES["due"].frame(history(), as_of=at(450))["age_days"]
    assert age == 0


def test_the_clock_is_not_put_forward_by_a_moment_that_is_still_to_come():
    later = TABLES["due"].frame(history(), as_of=at(0) + timedelta(days=99))
    pd.testing.assert_frame_equal(later, TABLES["due"].frame(history()))


@pytest.mark.parametrize("unknown", ["0000000", "yesterday", "", "2026-10-01", FIRST_COMMIT[:6]])
def test_an_unknown_commit_is_refused(unknown):
    with pytest.raises(NotFound, match="commit") as caught:
        records(history(), as_of=unknown)
    assert repr(unknown) in str(caught.value)


def test_the_beginning_of_several_commits_is_refused():
    made = [
        record(f"assessment-{place}", place, {"subject": "s"}, head=head)
        for place, head in enumerate(("abcdef01", "abcdef02"))
    ]
    with pytest.raises(NotFound, match="several"):
        records(history(made), as_of="abcdef0")
    assert len(records(history(made), as_of="abcdef01")) == 1


def test_a_moment_without_a_zone_is_refused():
    with pytest.raises(Refusal, match="as_of") as caught:
        records(history(), as_of=at(0).replace(tzinfo=None))
    assert caught.value.code == "invalid_value"
