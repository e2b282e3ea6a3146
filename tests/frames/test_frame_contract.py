import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from frame_samples import ORIGINAL, history

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.errors import NotFound, Refusal, UnreadableRecord
from majordomus_reasoning.frames import TABLES, History
from majordomus_reasoning.frames.dtypes import COUNT, JSON
from majordomus_reasoning.store.files import Store
from majordomus_reasoning.testing import deterministic_checkout

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
EMPTY = History(Ledger())
CONCLUSIONS_OR_OUTCOMES = {"supersedes", "superseded_by", "opened_by"}
UNIT_WORDS = {"seconds": "seconds", "days": "days", "ms": "milliseconds", "tokens": "tokens"}


def test_the_tables_stand_in_the_order_of_the_page():
    assert list(TABLES) == [
        "records",
        "timeline",
        "assessments",
        "consultations",
        "advisor_states",
        "selections",
        "disagreements",
        "positions",
        "conclusions",
        "due",
        "evidence",
        "failures",
        "circuits",
        "unreadable",
    ]


@pytest.mark.parametrize("source", [EMPTY, history()], ids=["empty", "full"])
@EVERY_TABLE
def test_a_table_has_its_declared_columns_and_dtypes_whatever_the_store_holds(table, source):
    frame = table.frame(source)
    assert list(frame.columns) == [column.name for column in table.columns]
    assert len(frame) == 0 if source is EMPTY else len(frame) > 0
    for column in table.columns:
        dtype = frame[column.name].dtype
        assert dtype == column.dtype.name
        if column.dtype.levels:
            assert tuple(dtype.categories) == column.dtype.levels
            assert dtype.ordered is column.dtype.ordered


@EVERY_TABLE
def test_a_row_is_numbered_from_nought_and_begins_with_its_record_and_ends_with_its_file(table):
    frame = table.frame(history())
    assert isinstance(frame.index, pd.RangeIndex)
    assert (frame.columns[0], frame.columns[-1]) == ("record_id", "source")
    assert frame["record_id"].notna().all()
    assert frame["source"].notna().all()


@EVERY_TABLE
def test_the_ids_of_other_records_stand_before_everything_else(table):
    names = [column.name for column in table.columns[1:]]
    keys = [name for name in names if name.endswith("_id") or name in CONCLUSIONS_OR_OUTCOMES]
    assert names[: len(keys)] == keys


@pytest.mark.parametrize("name", [name for name in TABLES if name != "unreadable"])
def test_rows_stand_by_time_and_then_by_id(name):
    frame = TABLES[name].frame(history())
    time = {"records": "recorded_at", "circuits": "start"}.get(name, "at")
    rows = list(zip(frame[time], frame["record_id"], strict=True))
    assert rows == sorted(rows)


@EVERY_TABLE
def test_no_cell_holds_a_list_or_a_dictionary_but_the_body_of_a_record(table):
    frame = table.frame(history())
    nested = {
        name for name in frame for cell in frame[name] if isinstance(cell, list | tuple | dict)
    }
    assert nested == ({"body"} if table.name == "records" else set())
    assert [c.name for c in table.columns if c.dtype == JSON] == sorted(nested)


@EVERY_TABLE
def test_an_empty_and_a_full_frame_go_together_without_a_change_of_dtype(table):
    full = table.frame(history())
    for frames in ([table.frame(EMPTY), full], [full, table.frame(EMPTY)], [full, full]):
        assert pd.concat(frames, ignore_index=True).dtypes.equals(full.dtypes)


@EVERY_TABLE
def test_the_same_records_give_the_same_frame_and_changing_it_changes_nothing(table):
    source = history()
    first = table.frame(source)
    kept = first.copy(deep=True)
    first["source"] = "changed"
    pd.testing.assert_frame_equal(table.frame(source), kept)


@EVERY_TABLE
def test_only_the_columns_asked_for_are_read_in_the_order_asked_for(table):
    whole = table.frame(history())
    assert list(table.frame(history(), columns=["source", "record_id"])) == ["source", "record_id"]
    for name in whole:
        pd.testing.assert_frame_equal(table.frame(history(), columns=[name]), whole[[name]])


def test_a_column_that_is_not_asked_for_costs_nothing():
    def fail(_record_id, _pin):
        raise AssertionError("drift was read")

    frame = TABLES["evidence"].frame(history(drift=fail), columns=["reference"])
    assert len(frame) == 4


def test_no_column_at_all_still_counts_the_rows():
    assert TABLES["records"].frame(history(), columns=[]).shape == (19, 0)


@EVERY_TABLE
def test_an_unknown_column_is_refused_with_the_known_ones(table):
    with pytest.raises(NotFound, match="'subjet'") as caught:
        table.frame(history(), columns=["record_id", "subjet"])
    assert all(column.name in str(caught.value) for column in table.columns)


@EVERY_TABLE
def test_an_unreadable_file_raises_when_it_is_asked_to(table):
    with pytest.raises(UnreadableRecord) as caught:
        table.frame(history(label="here"), errors="raise")
    assert (caught.value.path, caught.value.field) == ("here/cache/plan-9.json", "body.plan")
    assert len(table.frame(history(unreadable=()), errors="raise")) == len(
        table.frame(history(unreadable=()))
    )


def test_another_way_to_meet_errors_is_refused():
    with pytest.raises(Refusal, match="errors is 'ignore'"):
        TABLES["records"].frame(history(), errors="ignore")


@EVERY_TABLE
def test_the_store_of_the_original_tool_is_read_in_every_table(table):
    frame = table.frame(History.of(Store(ORIGINAL)))
    assert (
        len(frame)
        == {
            "records": 9,
            "timeline": 9,
            "assessments": 1,
            "consultations": 2,
            "advisor_states": 3,
            "selections": 3,
            "disagreements": 1,
            "positions": 2,
            "conclusions": 1,
            "due": 0,
            "evidence": 5,
            "failures": 1,
            "circuits": 2,
            "unreadable": 3,
        }[table.name]
    )
    assert all((ORIGINAL / path).is_file() for path in frame["source"])


@EVERY_TABLE
def test_what_a_checkout_has_just_recorded_is_in_its_tables(table):
    checkout = deterministic_checkout()
    question = checkout.assess("what a timeout means", evidence=["file:src/x.py:1"])
    checkout.plan(question)
    checkout.conclude(question, decision="restart it", rationale="it is shown")
    source = History.of(checkout.store, now=checkout.now(), checkout=checkout.root)
    tables_with_rows = {
        "records": 3,
        "timeline": 3,
        "assessments": 1,
        "conclusions": 1,
        "due": 1,
        "evidence": 1,
        "advisor_states": len(checkout.advisors()),
        "selections": len(checkout.advisors()),
    }
    frame = table.frame(source)
    assert len(frame) == tables_with_rows.get(table.name, 0)
    assert all((checkout.store.root / path).is_file() for path in frame["source"])


@EVERY_TABLE
def test_a_unit_stands_in_the_name_of_the_column_that_has_it(table):
    for column in table.columns:
        words = [UNIT_WORDS[word] for word in column.name.split("_") if word in UNIT_WORDS]
        assert column.unit in {*words, *(["ratio"] if "share" in column.name else [])} or (
            column.unit is None and not words
        )
        assert not words or column.dtype == COUNT


@EVERY_TABLE
def test_every_table_has_a_file_of_tests_for_its_values(table):
    assert Path(__file__).with_name(f"test_table_{table.name}.py").is_file()


def test_declaring_the_tables_imports_no_pandas():
    code = "import sys, majordomus_reasoning.frames; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
