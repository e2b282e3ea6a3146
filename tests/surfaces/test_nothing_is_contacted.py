"""Import and every verb but `record` and `adr` neither open a socket nor start a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from builders import assessment
from planting import PROJECT

GUARD = """
import sys

FORBIDDEN = ("socket.", "subprocess.", "os.fork", "os.exec", "os.posix_spawn", "os.spawn",
             "os.system", "pty.spawn", "urllib.Request", "http.client.", "ftplib.", "smtplib.")

def guard(event, arguments):
    if event.startswith(FORBIDDEN):
        sys.stderr.write(f"forbidden: {event} {arguments!r}\\n")
        sys.exit(99)

sys.addaudithook(guard)
"""
VERBS = """
from click.testing import CliRunner
import majordomus_reasoning
from majordomus_reasoning.surfaces.cli import main

for arguments in ARGUMENTS:
    for form in ("text", "json"):
        result = CliRunner().invoke(main, [*arguments, "--format", form])
        if result.exit_code:
            raise SystemExit(f"{arguments}: {result.exit_code}: {result.output}")
checkout = majordomus_reasoning.open(".")
repr(checkout), checkout._repr_html_(), checkout.report(), checkout.head()
"""


@pytest.fixture
def tripwires(tmp_path: Path) -> Path:
    """A folder in which every executable of the catalogue, and git, leaves a mark when run."""
    folder = tmp_path / "bin"
    folder.mkdir()
    declared = yaml.safe_load((PROJECT / "share/advisors.yaml").read_text())["advisors"]
    for name in {each["executable"] for each in declared if "executable" in each} | {"git", "bash"}:
        path = folder / name
        path.write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/tripped\n")
        path.chmod(0o755)
    return folder


def guarded(code: str, folder: Path, tripwires: Path) -> subprocess.CompletedProcess[str]:
    models = yaml.safe_load((PROJECT / "share/models.yaml").read_text())["vendors"]
    keys = {vendor["credential_env"]: "a-value-nobody-sees" for vendor in models}
    environment = {"PATH": str(tripwires), "PYTHONPATH": os.pathsep.join(sys.path), **keys}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", GUARD + code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_nothing_is_contacted(command, tripwires, tmp_path) -> None:
    question = command.record(assessment())
    arguments = [
        *(["env"], ["doctor"], ["context"], ["check"], ["status"], ["advisors"], ["handover"]),
        *(["plan", "--materiality", "critical"], ["explain", question]),
        *(["completion", shell] for shell in ("bash", "zsh", "fish")),
    ]

    ran = guarded(VERBS.replace("ARGUMENTS", json.dumps(arguments)), command.root, tripwires)

    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert not (tmp_path / "tripped").exists()
    assert "a-value-nobody-sees" not in ran.stdout + ran.stderr


CONTACTS = [
    "import socket; socket.create_connection(('127.0.0.1', 9))",
    "import subprocess; subprocess.run(['git'])",
    "import os; os.system('git')",
    "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
]


@pytest.mark.parametrize("code", CONTACTS)
def test_the_guard_would_see_it(code, tripwires, tmp_path) -> None:
    assert guarded(code, tmp_path, tripwires).returncode == 99
