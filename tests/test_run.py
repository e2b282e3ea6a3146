"""`Checkout.run`: an experiment that a person names, as evidence."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import sys
import threading

import pytest
from dulwich import porcelain

import majordomus_reasoning as mr
from majordomus_reasoning.errors import NotFound, Refusal, StoreError, WouldWrite
from majordomus_reasoning.testing import deterministic_checkout

PROGRAM = """\
import pathlib, sys
print("seen", pathlib.Path("a.txt").read_text())
print("noise", file=sys.stderr)
sys.exit(3)
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a file, and a program `experiment` on its PATH that counts its runs."""
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "experiment"
    counting = 'with open("runs", "a") as runs: runs.write("x")\n'
    tool.write_text(f"#!{sys.executable}\n{counting}{PROGRAM}")
    tool.chmod(0o755)
    (tmp_path / "a.txt").write_text("a")
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    return deterministic_checkout(root=tmp_path, environment={"PATH": path})


def runs(checkout) -> int:
    file = checkout.root / "runs"
    return len(file.read_text()) if file.exists() else 0


def test_a_run_is_evidence_without_its_output(checkout) -> None:
    ran = checkout.run("experiment --fast 'two words'")

    printed = b"seen a\nnoise\n"
    assert ran == {
        "kind": "command",
        "reference": "experiment --fast 'two words'",
        "note": f"exit 3; output sha256 {hashlib.sha256(printed).hexdigest()}",
    }
    assert ran.exit_code == 3
    assert len(checkout.ledger) == 0


def test_the_commit_stands_in_the_note(checkout) -> None:
    porcelain.init(str(checkout.root))
    porcelain.add(str(checkout.root), [str(checkout.root / "a.txt")])
    who = b"A <a@example.com>"
    commit = porcelain.commit(str(checkout.root), message=b"one", author=who, committer=who)

    assert checkout.run("experiment")["note"].endswith(f"; commit {commit.decode()}")


def test_a_run_can_be_cited(checkout) -> None:
    ran = checkout.run("experiment")

    question = checkout.assess("lock scope", materiality="high", evidence=[ran])

    assert question.body.evidence[0].plain() == ran


def test_what_is_recorded_for_an_assessment_is_not_run_again(checkout) -> None:
    question = checkout.assess("lock scope")
    first = checkout.run("experiment", evidence_for=question)
    checkout.conclude(question, decision="keep it", rationale="it holds", evidence=[first])

    again = checkout.run("experiment", evidence_for=question)

    assert again == first
    assert again.reused
    assert not first.reused
    assert again.exit_code == 3
    assert runs(checkout) == 1
    checkout.run("experiment", evidence_for=question, again=True)
    assert runs(checkout) == 2


def test_a_run_of_another_assessment_is_another_run(checkout) -> None:
    first = checkout.assess("lock scope", evidence=[checkout.run("experiment")])
    second = checkout.assess("cache size")

    checkout.run("experiment", evidence_for=second)

    assert runs(checkout) == 2
    assert checkout.recorded_run("experiment", first) is not None


def test_nothing_runs_in_a_frozen_checkout(checkout) -> None:
    question = checkout.assess("lock scope", evidence=[checkout.run("experiment")])
    frozen = mr.open(checkout.root, frozen=True)

    assert frozen.run("experiment", evidence_for=question).exit_code == 3
    assert frozen.run("experiment").exit_code == 3
    with pytest.raises(WouldWrite, match="no run of 'other' is recorded"):
        frozen.run("other")
    assert runs(checkout) == 1


FAULTS = [
    ("no-such-command", NotFound, "no-such-command"),
    ("bin/nothing", NotFound, "name an executable on the PATH, or the path of one"),
    (" ", Refusal, "the command is blank"),
    (["experiment"], Refusal, "write it as one line"),
    ("experiment | sort", Refusal, "name sh -c"),
    ("experiment && true", Refusal, "name sh -c"),
    ("experiment 'open", Refusal, "quotation"),
]


@pytest.mark.parametrize(("command", "error", "message"), FAULTS)
def test_a_command_that_cannot_be_run_is_named(checkout, command, error, message) -> None:
    with pytest.raises(error, match=message):
        checkout.run(command)


def test_a_command_that_does_not_end_is_ended(checkout) -> None:
    with pytest.raises(StoreError, match=r"did not end within 0\.3 s"):
        checkout.run("sleep 60", deadline=0.3)


def test_a_command_may_be_named_by_its_path(checkout) -> None:
    for name in ("bin/experiment", "./bin/experiment", str(checkout.root / "bin/experiment")):
        assert checkout.run(name).exit_code == 3


def test_a_command_that_prints_nothing_has_the_digest_of_nothing(checkout) -> None:
    assert hashlib.sha256(b"").hexdigest() in checkout.run("true")["note"]


def test_a_command_that_prints_too_much_is_named(checkout) -> None:
    with pytest.raises(StoreError, match="too_large"):
        checkout.run("yes")


def test_an_interrupt_ends_the_command(checkout) -> None:
    """Beside a running loop, as in a notebook."""

    async def in_a_loop() -> None:
        interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        interrupt.start()
        checkout.run("sleep 60")

    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt), contextlib.closing(loop):
        loop.run_until_complete(in_a_loop())
