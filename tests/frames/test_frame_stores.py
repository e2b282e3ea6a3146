"""Many stores at once: their records stay apart, also where their ids are the same."""

import pandas as pd
import pytest
from frame_samples import FIRST_COMMIT, at, history, record, story, values

from majordomus_reasoning.errors import NotFound, Refusal
from majordomus_reasoning.frames import TABLES, assessments, conclusions, records

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
LATER = [
    record("assessment-1", 30, {"subject": "of the other store"}, task="retry"),
    record("attempt-9", 500, {"attempt": "a", "observed_failure": "b"}, task="retry"),
]


def stores():
    return [history(label="here"), history(LATER, label="there", unreadable=())]


@EVERY_TABLE
def test_the_rows_of_several_stores_are_those_of_each_with_its_label(table):
    frame = table.frame(stores())
    for source in stores():
        own = frame[frame["store"] == source.label].reset_index(drop=True)
        pd.testing.assert_frame_equal(own, table.frame(source))
        assert own["source"].str.startswith(f"{source.label}/").all()


def test_rows_of_several_stores_stand_by_time_together():
    assert records(stores())["recorded_at"].is_monotonic_increasing


def test_an_id_that_two_stores_share_stays_apart():
    frame = assessments(stores())
    both = frame[frame["record_id"] == "assessment-1"]
    assert list(both["subject"]) == ["what a timeout means", "of the other store"]
    assert list(both["standing"]) == ["validated", "open"]
    assert list(both["attempts"]) == [1, 0]
    assert both["source"].is_unique


def test_store_and_id_join_tables_without_mixing_stores():
    twice = [history(label="one"), history(label="two")]
    keys = ["store", "assessment_id"]
    own = assessments(twice).rename(columns={"record_id": "assessment_id"})
    joined = conclusions(twice).merge(own, on=keys, validate="many_to_one")
    assert len(joined) == 2 * 3


def test_without_a_label_the_source_is_the_path_in_the_store():
    assert records(history(LATER))["source"][0] == "retry/assessment-1.json"


def test_the_path_of_a_record_is_the_stores_to_say():
    source = history(LATER, paths={"assessment-1": "retry/renamed.json"}.get)
    assert list(records(source)["source"]) == ["retry/renamed.json", "retry/attempt-9.json"]


def test_two_stores_with_one_label_are_refused():
    with pytest.raises(Refusal, match="label"):
        records([history(), history()])


def test_no_store_at_all_is_an_empty_table():
    assert len(records([])) == 0


def test_a_commit_of_one_store_is_a_moment_for_all():
    rows = values(records(stores(), as_of=FIRST_COMMIT))
    assert [(row["store"], row["record_id"]) for row in rows] == [
        ("here", "assessment-1"),
        ("there", "assessment-1"),
        ("here", "plan-1"),
    ]
    with pytest.raises(NotFound):
        records([history(LATER)], as_of=FIRST_COMMIT)


def test_each_store_has_its_own_clock_and_circuits():
    rows = TABLES["circuits"].frame(
        [history(label="a"), history(story()[:3], label="b", now=at(80))]
    )
    assert list(rows[rows["store"] == "b"]["end"]) == [at(80)]
