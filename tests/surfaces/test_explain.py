"""`explain`: a record, its chain, and whether its evidence still stands."""

from __future__ import annotations

from builders import assessment, conclusion, validation


def test_a_record_is_explained_with_its_whole_chain(command) -> None:
    question = command.record(assessment())
    verdict = command.record(conclusion(question))
    check = command.record(validation(verdict))

    answer = command("explain", check, "--format", "json").json

    assert set(answer) == {"record", "assessment", "chain", "drift", "cursor"}
    last = command("explain", check, "--limit", "1", "--format", "json").json
    assert [step["id"] for step in last["chain"]] == [check]
    assert last["cursor"] == check
    assert answer["record"]["id"] == check
    assert answer["assessment"] == question
    assert [step["id"] for step in answer["chain"]] == [question, verdict, check]
    assert set(answer["chain"][0]) == {"at", "id", "phase", "summary", "record"}


def test_a_record_of_no_assessment_stands_alone(command) -> None:
    attempt = {"kind": "attempt", "attempt": "retry", "observed_failure": "it hung"}
    name = command.record(attempt)

    answer = command("explain", name, "--format", "json").json

    assert answer["assessment"] is None
    assert [step["id"] for step in answer["chain"]] == [name]


def test_the_drift_of_pinned_evidence_is_shown(command) -> None:
    file = command.root / "src" / "worker.py"
    file.parent.mkdir()
    file.write_text("one\n" * 9 + "the line\n")
    name = command.record(assessment())
    assert command("explain", name, "--format", "json").json["drift"] == [
        {"record": name, "reference": "src/worker.py:10", "status": "unchanged", "line": 10}
    ]

    file.write_text("new\n" + "one\n" * 9 + "the line\n")

    assert (
        f"evidence src/worker.py:10 of {name}: line_moved (now line 11)"
        in command("explain", name).out
    )


def test_an_id_that_is_not_recorded_is_exit_code_4(command) -> None:
    ran = command("explain", "nothing", "--format", "json")

    assert ran.exit_code == 4
    assert ran.json["error"]["code"] == "not_found"
    assert command("explain", "../../../etc/passwd").exit_code == 4
