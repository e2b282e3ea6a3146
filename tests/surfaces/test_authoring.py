"""`assess`, `disagree`, `resolve`, `conclude`, `validate`, `attempt`: the verbs, word for word."""

from __future__ import annotations

import pytest

from majordomus_reasoning.core.records import INPUTS
from majordomus_reasoning.surfaces.authoring import OPTION_NAMES, VERBS
from majordomus_reasoning.surfaces.cli import main

EVIDENCE = ("--evidence", "test:tests/test_x.py::test_it")
ASSESS = ("assess", "lock scope", "--materiality", "high", *EVIDENCE)


def recorded(command, *arguments: str) -> dict[str, object]:
    ran = command(*arguments, "--format", "json")
    assert ran.exit_code == 0, ran.out + ran.err
    return ran.json


def test_a_decision_is_made_without_a_line_of_json(command) -> None:
    question = recorded(command, *ASSESS, "--questions", "a?", "--questions", "b?")["record"]
    tried = recorded(
        command, "attempt", "retry", "--observed-failure", "it hung", "--assessment", question["id"]
    )
    verdict = recorded(
        command, "conclude", question["id"], "--decision", "one lock", "--rationale", "it holds",
        *EVIDENCE, "--validation-plan", "run it", "--confidence", "high",
    )["record"]  # fmt: skip
    held = recorded(command, "validate", verdict["id"], "--check", "ran it", "--outcome", "pass")

    assert question["body"]["questions"] == ["a?", "b?"]
    assert question["body"]["evidence"] == [
        {"kind": "test", "reference": "tests/test_x.py::test_it"}
    ]
    assert tried["record"]["body"]["assessment"] == question["id"]
    assert verdict["body"]["independent_review_count"] == 0
    assert held["step"]["summary"] == "pass: ran it"


def test_positions_are_written_as_source_and_text(command) -> None:
    question = recorded(command, *ASSESS)["record"]["id"]
    plan = {"kind": "plan", "assessment": question}
    plan_id = command("record", "--format", "json", given=plan, OPENAI_API_KEY="x").json["record"][
        "id"
    ]
    answer = command.record(
        {"kind": "consultation", "plan": plan_id, "advisor": "chatgpt", "status": "completed"}
        | {"conclusion": "two", "stance": "opposes"}
    )

    quarrel = recorded(
        command, "disagree", question, "--decided-by", "who waits?",
        "--position", "primary=one lock", "--position", f"{answer}=two = locks",
    )["record"]  # fmt: skip
    settled = recorded(
        command, "resolve", quarrel["id"], "--experiment", "count", "--outcome", "nobody waits",
        "--favours", "primary", *EVIDENCE,
    )  # fmt: skip

    assert quarrel["body"]["positions"] == [
        {"source": "primary", "position": "one lock"},
        {"source": answer, "position": "two = locks"},
    ]
    assert quarrel["body"]["discriminating_question"] == "who waits?"
    assert settled["record"]["body"]["favours"] == "primary"


def test_the_same_words_find_the_record_that_is_there(command) -> None:
    first = recorded(command, *ASSESS)

    assert recorded(command, *ASSESS)["record"]["id"] == first["record"]["id"]
    assert recorded(command, *ASSESS)["reused"] is True
    assert recorded(command, *ASSESS, "--again")["record"]["id"] != first["record"]["id"]


REFUSED = [
    (["assess", "lock scope", "--materiality", "high"], 3, "evidence is missing"),
    (["assess", "lock scope", "--evidence", "x.py"], 3, "names no kind"),
    (["assess", "lock scope", "--evidence", "guess:x.py"], 3, "names no kind"),
    (["assess", " "], 3, "subject is blank"),
    (["assess"], 2, "SUBJECT"),
    (["conclude", "nothing", "--decision", "d", "--rationale", "r"], 3, "nothing"),
    (["conclude", "nothing", "--decision", "d"], 2, "--rationale"),
    (["validate", "nothing", "--check", "c", "--outcome", "maybe"], 2, "maybe"),
    (["disagree", "a", "--decided-by", "q", "--position", "primary"], 3, "names no source"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSED)
def test_bad_words_are_refused_and_nothing_is_written(
    command, files_of, arguments, code, message
) -> None:
    before = files_of(command.root)

    ran = command(*arguments)

    assert ran.exit_code == code
    assert message in ran.err
    assert files_of(command.root) == before


@pytest.mark.parametrize(("verb", "kind", "_summary"), VERBS)
def test_every_field_of_the_kind_can_be_said(verb, kind, _summary) -> None:
    """The options are those of the record's own fields; a field that is added is an option."""
    parameters = {each.name: each for each in main.commands[verb].params}
    fields = {name for name in INPUTS[kind].model_fields if name != "kind"}

    assert fields | {"again", "repo", "share", "format_"} == set(parameters)
    for name, field in INPUTS[kind].model_fields.items():
        if name != "kind":
            assert parameters[name].required == field.is_required()
    for name, shown in OPTION_NAMES.items():
        if name in fields:
            assert f"--{shown.replace('_', '-')}" in parameters[name].opts
