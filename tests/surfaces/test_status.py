"""`status`: what the records say, whatever is wrong beside them."""

from __future__ import annotations

import pytest
from builders import assessment, conclusion, validation


def open_task(command, name: str) -> None:
    current = command.root / ".ai/local/state/current.yaml"
    current.parent.mkdir(parents=True, exist_ok=True)
    current.write_text(f"id: {name}\n")


def test_an_empty_store_has_an_empty_status(command) -> None:
    answer = command("status", "--format", "json").json

    assert set(answer) == {
        *("mode", "advisors_available", "advisors_unavailable", "state", "report", "diagnostics"),
        "cursor",
    }
    assert (answer["mode"], answer["advisors_available"], answer["advisors_unavailable"]) == (
        "standard",
        0,
        8,
    )
    assert set(answer["state"]) == {
        *("task", "assessments", "consultations", "disagreements", "conclusions"),
        *("timeline", "totals", "unreadable"),
    }
    assert answer["report"] == ""
    assert answer["state"]["totals"]["records"] == 0


def test_a_decision_is_shown_with_its_timeline(command) -> None:
    question = command.record(assessment())
    verdict = command.record(conclusion(question))
    command.record(validation(verdict))

    answer = command("status", "--format", "json").json
    text = command("status").out

    assert [each["standing"] for each in answer["state"]["assessments"]] == ["validated"]
    assert [each["phase"] for each in answer["state"]["timeline"]] == [
        "uncertainty",
        "conclusion",
        "validation",
    ]
    assert "local reasoning" in answer["report"]
    assert "validated  high" in text
    assert verdict in text


def test_report_prints_the_markdown_alone(command) -> None:
    command.record(assessment())

    assert command("status", "--report").out == command("status", "--format", "json").json["report"]


TASKS = [
    ([], "second", ["b"]),
    (["--task", "first"], "first", ["a"]),
    (["--task", "all"], None, ["a", "b"]),
    (["--task", "nobody"], "nobody", []),
]


@pytest.mark.parametrize(("arguments", "task", "subjects"), TASKS)
def test_the_open_task_is_shown_unless_another_is_named(command, arguments, task, subjects) -> None:
    for name, subject in (("first", "a"), ("second", "b")):
        open_task(command, name)
        command.record(assessment(subject))

    state = command("status", *arguments, "--format", "json").json["state"]

    assert state["task"] == task
    assert [each["subject"] for each in state["assessments"]] == subjects


def test_without_an_open_task_all_tasks_are_shown(command) -> None:
    open_task(command, "first")
    command.record(assessment())
    (command.root / ".ai/local/state/current.yaml").unlink()

    state = command("status", "--format", "json").json["state"]

    assert state["task"] is None
    assert len(state["assessments"]) == 1


def test_an_unreadable_file_is_listed_and_everything_else_is_shown(command) -> None:
    command.record(assessment())
    path = command.root / ".ai/local/state/reasoning/untasked/broken.json"
    path.write_text("{")

    answer = command("status", "--format", "json").json

    assert [each["path"] for each in answer["state"]["unreadable"]] == ["untasked/broken.json"]
    assert "broken.json" in answer["report"]
    assert "unreadable: untasked/broken.json" in command("status").out
    assert answer["state"]["totals"]["records"] == 1


BROKEN = [
    ("share/advisors.yaml", "version: 1\ncolour: blue\n", "advisors.yaml, field colour"),
    ("share/advisors.yaml", "version: 1\nadvisors: [{id: a}]\n", "field advisors.0.title"),
    ("share/advisors.yaml", "[", "advisors.yaml, field line"),
    (".ai/local/state/current.yaml", "id: [1]\n", "current.yaml, field id"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN)
def test_a_broken_file_is_named_while_status_and_explain_still_work(
    command, name, text, message
) -> None:
    question = command.record(assessment())
    path = command.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)

    status = command("status", "--format", "json")
    explained = command("explain", question)

    assert status.exit_code == explained.exit_code == 0
    assert status.json["state"]["totals"]["records"] == 1
    assert status.json["advisors_available"] is None
    assert message in status.json["diagnostics"][0]
    assert message in status.err
    assert "lock scope" in explained.out
    assert command("context").exit_code == command("env").exit_code == 0
    assert command("check").exit_code == (10 if "share" in name else 0)
    assert command("doctor").exit_code == 10
    refused = command("plan", "--format", "json")
    assert refused.exit_code == 1
    assert message in refused.json["error"]["message"]


def test_a_long_answer_is_read_window_by_window(command) -> None:
    names = [command.record(assessment(f"subject {place}")) for place in range(5)]

    first = command("status", "--limit", "2", "--format", "json").json
    second = command("status", "--limit", "2", "--cursor", first["cursor"], "--format", "json").json

    assert [each["id"] for each in first["state"]["assessments"]] == names[3:]
    assert [each["id"] for each in second["state"]["timeline"]] == names[1:3]
    assert first["state"]["totals"]["records"] == second["state"]["totals"]["records"] == 5
    assert f"more before: --cursor {names[3]}" in command("status", "--limit", "2").out


WRONG_WINDOWS = [
    (["--limit", "0"], 2, "--limit"),
    (["--since", "yesterday"], 2, "yesterday"),
    (["--cursor", "nothing"], 4, "nothing"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG_WINDOWS)
def test_a_window_that_is_none_is_named(command, arguments, code, message) -> None:
    ran = command("status", *arguments)

    assert ran.exit_code == code
    assert message in ran.err
