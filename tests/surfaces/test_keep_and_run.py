"""`keep` and `run`: a task's records for git to track, and an experiment as evidence."""

from __future__ import annotations

from builders import assessment


def test_keep_copies_the_records_and_prints_where(command, tmp_path) -> None:
    name = command.record(assessment())

    ran = command("keep", str(tmp_path / "kept"))

    assert ran.out == f"{tmp_path / 'kept' / 'untasked' / name}.json\n"
    assert command("keep", str(tmp_path / "kept"), "--format", "json").json == {
        "paths": [ran.out.strip()]
    }


def test_run_prints_the_evidence(command) -> None:
    tool = command.root / "bin" / "experiment"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 3\n")
    tool.chmod(0o755)

    ran = command("run", "experiment --fast")

    assert ran.out.startswith("command:experiment --fast\nexit 3; output sha256 ")
    evidence = command("run", "experiment --fast", "--format", "json").json
    assert command.record(assessment(evidence=[evidence]))


def test_a_command_that_is_not_there_is_exit_code_4(command) -> None:
    assert command("run", "no-such-command").exit_code == 4
