import csv
import json
import sys
from io import StringIO

import openpyxl
import pandas as pd
import pytest
from frame_samples import history, record, values

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import canonical
from majordomus_reasoning.errors import NotFound, Refusal, StoreError
from majordomus_reasoning.frames import FORMATS, TABLES, History, conclusions, records, write_table
from majordomus_reasoning.frames.export import LONGEST_CELL, MOST_ROWS

EVERY_FORMAT = pytest.mark.parametrize("suffix", FORMATS)
FORMULAS = ["=1+1", "+1", "-1", "@x", "\tx", "\nx", "\r=1", " =1", "\x1b[31m=1", "＝1", "＋1"]  # noqa: RUF001


def read_csv(path):
    return list(csv.DictReader(StringIO(path.read_bytes().decode("utf-8"), newline="")))


def read_sheet(path):
    head, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def saying(text):
    """The records table of one attempt that says a text."""
    body = {"attempt": text, "observed_failure": "x"}
    return TABLES["timeline"].frame(history([record("attempt-1", 0, body)]))


@EVERY_FORMAT
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("source", [history(), History(Ledger())], ids=["full", "empty"])
def test_every_table_is_written_in_every_format_and_stays_as_it_is(table, source, suffix, tmp_path):
    frame = table.frame(source)
    path = tmp_path / f"table{suffix}"
    assert write_table(frame, path) == path
    assert path.stat().st_size > 0
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    pd.testing.assert_frame_equal(frame, table.frame(source))


def test_csv_holds_stamps_as_rfc_3339_and_nothing_for_what_is_missing(tmp_path):
    row = read_csv(write_table(conclusions(history()), tmp_path / "x.csv"))[0]
    assert row["at"] == "2026-10-01T09:03:20.000000Z"
    assert (row["reviewed_by"], row["superseded_by"]) == ("beta, gamma", "")
    assert (row["independent_review_count"], row["materiality"]) == ("2", "high")


def test_csv_holds_the_body_of_a_record_as_json(tmp_path):
    source = history()
    rows = read_csv(write_table(records(source), tmp_path / "x.csv"))
    first = next(iter(source.ledger))
    assert rows[0]["body"] == canonical(first.body.plain())


def test_json_holds_numbers_booleans_bodies_and_null(tmp_path):
    rows = json.loads(write_table(records(history()), tmp_path / "x.json").read_text())
    assert rows[0]["body"]["evidence"][0]["reference"] == "src/x.py:42"
    assert rows[0]["recorded_at"] == "2026-10-01T09:00:00.000000Z"
    assert rows[2]["head"] is None
    [row] = json.loads(
        write_table(TABLES["disagreements"].frame(history()), tmp_path / "y.json").read_text()
    )
    assert (row["positions"], row["settled"], row["seconds_to_settle"]) == (3, True, 61)


@pytest.mark.parametrize("table", [t for t in TABLES.values() if t.name != "records"])
def test_parquet_keeps_every_value_and_dtype(table, tmp_path):
    frame = table.frame(history())
    path = write_table(frame, tmp_path / "x.parquet")
    read = pd.read_parquet(path)
    assert values(read) == values(frame)
    assert [str(dtype) for dtype in read.dtypes] == [str(dtype) for dtype in frame.dtypes]


def test_a_workbook_holds_numbers_as_numbers_and_stamps_as_text(tmp_path):
    frame = TABLES["consultations"].frame(history())
    row = read_sheet(write_table(frame, tmp_path / "x.xlsx"))[0]
    assert (row["duration_ms"], row["transient"]) == (2150, False)
    assert row["at"] == "2026-10-01T09:01:15.500000Z"
    assert row["diagnostic"] is None


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_a_spreadsheet_would_run_is_made_harmless(text, tmp_path):
    frame = pd.DataFrame({"said": pd.array([text, "a=1", None], dtype="string"), "n": [-1, 0, 1]})
    in_csv = read_csv(write_table(frame, tmp_path / "x.csv"))
    in_sheet = read_sheet(write_table(frame, tmp_path / "x.xlsx"))
    for rows in (in_csv, in_sheet):
        assert rows[0]["said"].startswith("'")
        assert [str(row["n"]) for row in rows] == ["-1", "0", "1"]
        assert rows[1]["said"] == "a=1"


def test_a_carriage_return_in_text_begins_no_row_that_a_spreadsheet_would_run(tmp_path):
    path = write_table(pd.DataFrame({"said": ["a\r=1", "\r=2"]}), tmp_path / "x.csv")
    assert path.read_bytes() == b"said\na=1\n'=2\n"


def test_words_and_plain_objects_are_made_harmless_as_well(tmp_path):
    frame = pd.DataFrame({"word": pd.Categorical(["=a"]), "any": pd.Series(["=b"], dtype="object")})
    [row] = read_csv(write_table(frame, tmp_path / "x.csv"))
    assert row == {"word": "'=a", "any": "'=b"}


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_formats_that_run_nothing_keep_text_as_it_is(suffix, tmp_path):
    path = write_table(saying("=1+1"), tmp_path / f"x{suffix}")
    read = json.loads(path.read_text()) if suffix == ".json" else values(pd.read_parquet(path))
    assert read[0]["summary"] == "=1+1"


def test_a_workbook_cell_is_cut_and_has_no_control_characters(tmp_path):
    long = "x" * (LONGEST_CELL + 1)
    frame = pd.DataFrame({"said": ["bell\x07", long]})
    bell, cut = read_sheet(write_table(frame, tmp_path / "x.xlsx"))
    assert bell["said"] == "bell"
    assert len(cut["said"]) == LONGEST_CELL
    assert cut["said"].endswith("x…")


def test_a_table_longer_than_a_workbook_is_refused(tmp_path):
    frame = pd.DataFrame({"n": range(MOST_ROWS + 1)})
    with pytest.raises(Refusal, match=str(MOST_ROWS)):
        write_table(frame, tmp_path / "x.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.txt", "x", "x.csv.gz"])
def test_a_suffix_without_a_format_is_refused_with_those_that_have_one(name, tmp_path):
    with pytest.raises(NotFound, match=r"\.csv, \.json, \.parquet, \.xlsx"):
        write_table(records(history()), tmp_path / name)


def test_a_suffix_may_be_in_capitals(tmp_path):
    assert read_csv(write_table(records(history()), tmp_path / "X.CSV"))


@pytest.mark.parametrize(("suffix", "package"), [(".parquet", "pyarrow"), (".xlsx", "openpyxl")])
def test_a_package_that_is_not_installed_is_named_with_the_remedy(
    suffix, package, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, package, None)  # what Python itself does to forbid an import
    with pytest.raises(NotFound, match=rf"{package} is not there: .*majordomus_reasoning\[lake\]"):
        write_table(records(history()), tmp_path / f"x{suffix}")
    assert list(tmp_path.iterdir()) == []


@EVERY_FORMAT
def test_a_file_that_cannot_be_written_is_named(suffix, tmp_path):
    path = tmp_path / "absent" / f"x{suffix}"
    with pytest.raises(StoreError, match="No such file") as caught:
        write_table(conclusions(history()), path)
    assert caught.value.path == str(path)


def test_a_file_is_replaced_whole_and_a_failure_leaves_it_and_nothing_else(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("before")
    write_table(conclusions(history()), path)
    kept = path.read_text()
    assert kept.startswith("record_id,")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(StoreError):
        write_table(conclusions(history()), tmp_path / "folder.csv")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder.csv", "x.csv"]


def test_the_same_table_gives_the_same_bytes(tmp_path):
    for suffix in (".csv", ".json", ".parquet"):
        first, second = (
            write_table(records(history()), tmp_path / f"{name}{suffix}").read_bytes()
            for name in ("a", "b")
        )
        assert first == second
