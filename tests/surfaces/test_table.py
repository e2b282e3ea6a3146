"""`table`: every table, on the terminal, as JSON or as a file."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from builders import assessment, conclusion
from rich.console import Console

from majordomus_reasoning.frames import TABLES
from majordomus_reasoning.surfaces.terminal import print_table


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_printed_with_and_without_records(command, name) -> None:
    assert command("table", name).out.endswith("0 rows\n")
    command.record(conclusion(command.record(assessment())))

    ran = command("table", name)

    assert ran.exit_code == 0
    assert ran.err == ""


def test_columns_choose_and_order(command) -> None:
    name = command.record(assessment())

    rows = command("table", "evidence", "--columns", "line, record_id", "--format", "json").json

    assert rows == [{"line": 10, "record_id": name}]


FILTERS = [
    (["--task", "untasked"], 1),
    (["--task", "other"], 0),
    (["--since", "2020-01-01T00:00:00Z"], 1),
    (["--since", "2999-01-01T00:00:00Z"], 0),
    (["--as-of", "2020-01-01T00:00:00Z"], 0),
]


@pytest.mark.parametrize(("arguments", "rows"), FILTERS)
def test_filters_leave_only_what_is_asked_for(command, arguments, rows) -> None:
    command.record(assessment())

    assert len(command("table", "assessments", *arguments, "--format", "json").json) == rows


def test_an_advisor_filters_what_has_one(command) -> None:
    question = command.record(assessment())
    command.record({"kind": "plan", "assessment": question})

    asked = (
        "table",
        "selections",
        "--advisor",
        "codex",
        "--format",
        "json",
        "--columns",
        "advisor",
    )

    assert command(*asked, "--format", "json").json == [{"advisor": "codex"}]


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet", "xlsx"])
def test_a_table_is_written_to_a_file(command, tmp_path, suffix) -> None:
    command.record(assessment())
    out = tmp_path / f"out.{suffix}"

    ran = command("table", "assessments", "--out", str(out))

    assert ran.out == f"{out}\n"
    assert out.stat().st_size > 0


def test_the_file_and_the_terminal_say_the_same_json(command, tmp_path) -> None:
    command.record(assessment())
    out = tmp_path / "out.json"
    command("table", "records", "--out", str(out))

    assert json.loads(out.read_text()) == command("table", "records", "--format", "json").json


WRONG = [
    (["opinions"], 2, "name one of records"),
    (["records", "--columns", "colour"], 4, "its columns are record_id"),
    (["records", "--since", "yesterday"], 2, "since"),
    (["records", "--as-of", "abcdef0123"], 4, "abcdef0123"),
    (["records", "--out", "x.txt"], 4, "x.txt"),
    (["unreadable", "--advisor", "codex"], 4, "advisor"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG)
def test_what_is_not_there_is_named(command, arguments, code, message) -> None:
    ran = command("table", *arguments)

    assert ran.exit_code == code
    assert message in ran.err


def printed(checkout, name: str, width: int, **filters: object) -> str:
    console = Console(width=width, file=StringIO())
    print_table(TABLES[name], checkout.table(name, **filters), console)
    return console.file.getvalue()


def test_a_wide_table_is_folded_into_blocks_that_fit(checkout) -> None:
    checkout.assess("a subject that is rather long, so that it has to be folded", materiality="low")

    for width in (60, 80, 120, 200):
        text = printed(checkout, "assessments", width)
        assert max(map(len, text.splitlines())) <= width
        assert all(name in text for name in ("standing", "evidence_prior_external_opinion"))


def test_numbers_stand_right_and_units_in_the_head(checkout) -> None:
    question = checkout.assess("lock scope", evidence=["file:src/worker.py:9"])
    checkout.conclude(question, decision="keep it", rationale="it holds")

    text = printed(checkout, "due", 200, columns=["decision", "age_days"])

    head, _rule, row = [line.rstrip() for line in text.splitlines() if line.strip()][:3]
    assert "age [days]" in head
    assert row.endswith("0")
    assert len(row) == len(head)
