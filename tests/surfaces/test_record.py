"""`record`: the one verb that writes; what is refused leaves nothing behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import assessment


def test_a_record_is_answered_with_its_file_and_its_step(command) -> None:
    ran = command("record", "--format", "json", given=assessment())

    assert ran.exit_code == 0
    assert ran.json["record"]["body"]["subject"] == "lock scope"
    assert ran.json["record"]["origin"] == "written"
    assert ran.json["reused"] is False
    assert json.loads(Path(ran.json["path"]).read_bytes()) == ran.json["record"]
    assert ran.json["step"] == {
        "at": ran.json["record"]["recorded_at"],
        "id": ran.json["record"]["id"],
        "phase": "uncertainty",
        "summary": "lock scope",
    }


def test_a_body_may_come_from_a_file(command, tmp_path) -> None:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(assessment("naïve café")), encoding="utf-8")

    ran = command("record", "--file", str(file))

    assert ran.exit_code == 0
    assert "uncertainty: naïve café" in ran.out


def test_once_returns_the_record_that_says_the_same(command) -> None:
    first = command.record(assessment())

    again = command("record", "--once", "--format", "json", given=assessment())

    assert again.json["record"]["id"] == first
    assert again.json["reused"] is True
    assert command("record", "--format", "json", given=assessment()).json["record"]["id"] != first


def test_a_reported_answer_is_recorded_as_reported(command) -> None:
    question = command.record(assessment())
    plan = {"kind": "plan", "assessment": question}
    plan_id = command("record", "--format", "json", given=plan, OPENAI_API_KEY="x").json["record"][
        "id"
    ]
    answer = {"kind": "consultation", "plan": plan_id, "advisor": "chatgpt"}
    said = {"status": "completed", "conclusion": "keep it", "stance": "supports"}

    ran = command("record", "--format", "json", given={**answer, **said})

    assert ran.json["record"]["origin"] == "reported"


DEEP = "[" * 100_000
BAD = [
    ("blank", b"", "no JSON"),
    ("white space", b"  \n", "no JSON"),
    ("no JSON", b"{kind: plan}", "line 1, column 2"),
    ("two values", b"{} {}", "no JSON"),
    ("a list", b"[]", "JSON object"),
    ("null", b"null", "JSON object"),
    ("not UTF-8", b'{"kind": "\xff"}', "not UTF-8"),
    ("UTF-16", json.dumps(assessment()).encode("utf-16"), "not UTF-8"),
    ("a key twice", b'{"kind": "plan", "kind": "plan"}', "kind stands twice"),
    ("NaN", b'{"kind": "assessment", "subject": NaN}', "NaN"),
    ("infinity", b'{"kind": "assessment", "subject": -Infinity}', "Infinity"),
    ("deep", DEEP.encode(), "nests too deeply"),
    (
        "deep object",
        b'{"kind":"assessment","subject":' + b'{"a":' * 20 + b"1" + b"}" * 21,
        "deeper",
    ),
    ("a long number", b'{"kind": "assessment", "subject": ' + b"9" * 5_000 + b"}", "number"),
    ("1 MiB of text", json.dumps(assessment("x" * 1_048_576)).encode(), "1048576"),
    ("a long text", json.dumps(assessment("x" * 65_537)).encode(), "65537 characters"),
    ("no kind", b"{}", "kind is missing"),
    ("unknown kind", b'{"kind": "opinion"}', "kind is none of"),
    ("wrong type", b'{"kind": "assessment", "subject": 1}', "subject"),
    ("lone surrogate key", b'{"kind": "assessment", "subject": "x", "\\ud800": 1}', "no field"),
    ("a claimed review", json.dumps(assessment(reviewed_by=["a"])).encode(), "only the writer's"),
]


@pytest.mark.parametrize(
    ("given", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD]
)
def test_bad_input_is_refused_with_one_sentence_and_nothing_is_written(
    command, files_of, given, message
) -> None:
    before = files_of(command.root)

    ran = command("record", given=given)

    assert ran.exit_code in {2, 3}
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 400
    assert files_of(command.root) == before


def test_a_refusal_in_json_stands_on_standard_output(command) -> None:
    ran = command("record", "--format", "json", given=assessment(evidence=[]))

    assert ran.exit_code == 3
    assert ran.json["error"]["code"] == "evidence_missing"
    assert ran.err == ""


def test_an_id_that_is_not_recorded_is_a_refusal_too(command) -> None:
    ran = command("record", given={"kind": "plan", "assessment": "nothing"})

    assert ran.exit_code == 3
    assert "nothing" in ran.err


def test_a_store_that_cannot_be_written_is_named(command) -> None:
    (command.root / ".ai" / "local").write_text("a file where a folder should be")

    ran = command("record", given=assessment())

    assert ran.exit_code == 1
    assert str(command.root / ".ai/local/state/reasoning") in ran.err


def test_a_task_that_is_no_plain_name_is_refused(command, files_of) -> None:
    current = command.root / ".ai/local/state/current.yaml"
    current.parent.mkdir(parents=True)
    current.write_text("id: ../../elsewhere\n")
    before = files_of(command.root)

    ran = command("record", given=assessment())

    assert ran.exit_code == 1
    assert "current.yaml, field id" in ran.err
    assert files_of(command.root) == before


def test_a_cited_file_that_is_not_there_is_pointed_out(command) -> None:
    (command.root / "here.py").write_text("x\n")
    evidence = [{"kind": "file", "reference": name} for name in ("here.py:1", "nowhere.py:1")]

    out = command("record", given=assessment(evidence=evidence)).out

    assert "not in this checkout: nowhere.py:1\n" in out
    assert "not in this checkout: here.py" not in out


REFUSED_FIRST = [
    assessment(evidence=[]),
    assessment(capabilities=["mind_reading"]),
    {"kind": "plan", "assessment": "nothing"},
]


@pytest.mark.parametrize("body", REFUSED_FIRST, ids=["rule", "vocabulary", "reference"])
def test_a_refusal_in_an_empty_checkout_leaves_nothing_behind(command, body) -> None:
    assert command("record", given=body).exit_code == 3

    assert list((command.root / ".ai").iterdir()) == []
