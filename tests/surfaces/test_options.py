"""What holds for every verb: options before or after it, exit codes, what is printed where."""

from __future__ import annotations

import json

import pytest
from builders import assessment
from click.testing import CliRunner

from majordomus_reasoning.surfaces.capabilities import CAPABILITIES
from majordomus_reasoning.surfaces.cli import main

READING = ["advisors", "plan", "status", "check", "env", "doctor", "context", "handover"]


@pytest.mark.parametrize("verb", READING)
def test_an_option_may_stand_before_or_after_the_verb(command, verb) -> None:
    before, after = command("--format", "json", verb), command(verb, "--format", "json")

    assert before.exit_code == after.exit_code == 0
    assert before.json == after.json


def test_the_last_word_of_an_option_counts(command) -> None:
    assert command("--format", "json", "status", "--format", "text").out.startswith("all tasks")


@pytest.mark.parametrize("verb", READING)
def test_a_reading_verb_writes_nothing(command, verb, files_of) -> None:
    command.record(assessment())
    before = files_of(command.root)

    command(verb)

    assert files_of(command.root) == before


WRONG = [
    ["no-such-verb"],
    ["--format", "yaml", "status"],
    ["status", "--repo", "/no/such/folder"],
    ["plan", "--materiality", "enormous"],
    ["plan", "--confidence", "certain"],
    ["plan", "--capabilities", "mind_reading"],
    ["status", "--task", "../elsewhere"],
    ["status", "--task", "a/b"],
    ["record", "--file", "/no/such/file"],
    ["explain"],
    ["completion", "tcsh"],
]


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_arguments_are_exit_code_2(command, arguments) -> None:
    ran = command(*arguments)

    assert ran.exit_code == 2
    assert ran.out == ""
    assert ran.err


def test_the_nearest_parent_with_ai_or_git_is_the_checkout(tmp_path, monkeypatch) -> None:
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)

    out = CliRunner().invoke(main, ["env", "--format", "json"]).stdout

    assert json.loads(out)["checkout"] == str(tmp_path)


def test_no_control_character_of_a_record_reaches_the_terminal(command) -> None:
    name = command.record(assessment())
    path = next(command.root.rglob("assessment-*.json"))
    hostile = path.read_text().replace("lock scope", "lock \\u001b[31mscope\\u009b2J\\u202e")
    path.unlink()
    path.with_name("hostile.json").write_text(hostile)

    for arguments in (["status"], ["status", "--report"], ["explain", name], ["context"]):
        for form in ("text", "json"):
            printed = command(*arguments, "--format", form).out
            assert not {"\x1b", "\x9b", "\x07"} & set(printed)


def test_only_record_writes_a_record() -> None:
    assert [each.name for each in CAPABILITIES.values() if each.effect == "write"] == [
        "reasoning.record"
    ]


@pytest.mark.parametrize("capability", CAPABILITIES.values(), ids=CAPABILITIES)
def test_a_capability_is_told_in_the_same_words_on_every_surface(capability) -> None:
    verb = main.commands[capability.name.removeprefix("reasoning.")]

    assert verb.help.splitlines()[0] == capability.summary
    assert capability.answer.model_fields
    asked = {name for name in capability.asked.model_fields if name != "record"}
    assert asked <= {parameter.name.rstrip("_") for parameter in verb.params} | {"capabilities"}


def test_the_command_names_its_version(command) -> None:
    assert "0.1.0" in command("--version").out
