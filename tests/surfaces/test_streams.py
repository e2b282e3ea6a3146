"""Standard streams and a working folder that are not as usual: one sentence, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders import assessment

BODY = json.dumps(assessment("naïve €"))
needs_a_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="no device here is always full"
)


@pytest.fixture
def shell(command):
    """The command as a shell runs it in the checkout, with redirections, on a body."""

    def run(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
        here = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
        return subprocess.run(
            ["sh", "-c", line.replace("reasoning", f"{sys.executable} -m majordomus_reasoning")],
            cwd=command.root,
            env=here,
            input=BODY.encode(),
            capture_output=True,
            encoding=None,
            timeout=60,
            check=False,
        )

    return run


def said(ran: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error."""
    (line,) = ran.stderr.decode().splitlines()
    return line


def recorded(command) -> int:
    return command("status", "--format", "json").json["state"]["totals"]["records"]


def test_a_standard_input_that_is_closed_is_a_refusal(command, shell) -> None:
    ran = shell("reasoning record <&-")

    assert ran.returncode == 3
    assert "standard input is closed" in said(ran)
    assert recorded(command) == 0


@needs_a_full_device
@pytest.mark.parametrize("form", ["text", "json"])
def test_an_answer_that_cannot_be_written_is_told_and_the_record_stays(
    command, shell, form
) -> None:
    ran = shell(f"reasoning record --format {form} >/dev/full")

    assert ran.returncode == 1
    assert "cannot be written, but what was recorded is (No space left on device)" in said(ran)
    assert recorded(command) == 1


@needs_a_full_device
def test_a_refusal_that_cannot_be_written_is_told_too(shell) -> None:
    ran = shell("reasoning explain nothing --format json >/dev/full")

    assert ran.returncode == 1
    assert "No space left on device" in said(ran)


@needs_a_full_device
def test_with_nowhere_to_tell_it_only_the_exit_code_says_so(shell) -> None:
    assert shell("reasoning status >/dev/full 2>/dev/full").returncode == 1


def test_without_standard_output_the_verb_is_done(command, shell) -> None:
    ran = shell("reasoning record >&-")

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert recorded(command) == 1


def test_who_has_read_enough_of_an_answer_is_told_nothing(shell) -> None:
    ran = shell("reasoning status | true")

    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("encoding", "subject"), [("latin-1", b"na\xefve \\u20ac"), ("ascii", b"na")]
)
def test_what_the_terminal_cannot_show_is_escaped(shell, encoding, subject) -> None:
    ran = shell("reasoning record", PYTHONIOENCODING=encoding)

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"uncertainty: " + subject in ran.stdout


@pytest.mark.parametrize("verb", ["env", "status", "record", "check"])
def test_a_working_folder_that_is_gone_is_not_there(shell, verb) -> None:
    ran = shell(f"mkdir gone; cd gone; rmdir ../gone; reasoning {verb}")

    assert ran.returncode == 4
    assert "the folder '.' is not there" in said(ran)
