"""`consult` as a process: live lines on a terminal, and what an interrupt leaves."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys

import pytest
from builders import assessment

from majordomus_reasoning.testing import ScriptedServer

ANSWER = {"conclusion": "keep it", "stance": "supports"}
HANGS = {"answer": ANSWER, "after": 60}


@pytest.fixture
def question(command) -> str:
    return command.record(assessment())


def start(command, server, question: str, stderr: int) -> subprocess.Popen[bytes]:
    arguments = ["--repo", str(command.root), "consult", "--assessment", question]
    environment = {**server.environment, "GEMINI_API_KEY": "", "TERM": "xterm", "PATH": ""}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "majordomus_reasoning", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=stderr,
    )


def read_until(terminal: int, text: bytes) -> bytes:
    """What a terminal shows until a text stands in it, or its last writer has gone."""
    shown = b""
    while text not in shown:
        try:
            shown += os.read(terminal, 4_096)
        except OSError:  # on Linux the end of a terminal
            break
    return shown


def test_on_a_terminal_each_advisor_has_a_line(command, question) -> None:
    replies = {"openai": [{"answer": ANSWER}], "anthropic": [{"status": 401, "body": {}}]}
    terminal, end = pty.openpty()
    with ScriptedServer(replies) as server, start(command, server, question, end) as process:
        os.close(end)
        shown = read_until(terminal, b"\x1b[?25h")  # the cursor is given back at the end
        out = process.stdout.read().decode()
    os.close(terminal)

    assert b"chatgpt  asked" in shown
    assert b"completed after" in shown
    assert b"auth_failed" in shown
    assert "chatgpt completed supports: keep it" in out
    assert "\x1b" not in out


def test_an_interrupt_records_who_had_not_answered_as_cancelled(command, question) -> None:
    replies = {"openai": [{"answer": ANSWER}], "anthropic": [HANGS]}
    terminal, end = pty.openpty()
    with ScriptedServer(replies) as server, start(command, server, question, end) as process:
        os.close(end)
        read_until(terminal, b"completed")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        exit_code = process.wait()
    os.close(terminal)

    states = command("status", "--format", "json").json["state"]["consultations"]
    assert exit_code == 130
    assert {each["advisor"]: each["status"] for each in states} == {
        "chatgpt": "completed",
        "claude": "cancelled",
    }
