"""Client tools from a script: executables that behave as the real ones do, and contact nobody."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import NamedTuple, Self

from majordomus_reasoning.testing import scripted_client
from majordomus_reasoning.testing.script import Script, checked, read_script

KEYS = ("answer", "text", "status", "message", "stdout", "stderr", "exit", "after", "stubborn")


def client_tool(folder: Path, name: str, program: str) -> Path:
    """An executable client tool that runs a Python program; put its folder on the PATH."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
    path.chmod(0o755)
    return path


class AskedClient(NamedTuple):
    """What one run of a scripted client was told."""

    client: str
    question: str
    arguments: tuple[str, ...]


class ScriptedClients:
    """Executables on a PATH of their own that behave as real client tools, from a script.

    The script maps a client (`codex`, `gemini`, `claude`) to its replies, in turn, the last one
    again and again. A reply holds:

    - `answer`, the object that the model answers with, or `text`, what it writes; or
    - `status` of the service's failure and its `message`, told as the client tells it; or
    - `stdout`, `stderr` and `exit` (0 unless given), printed as they are;

    and with them `after` (seconds it takes) and `stubborn: true` (it does not end when it is asked
    to). Options that the real client does not know are refused as it refuses them. `environment`
    leads the adapters here; the executables are made in `folder`. Raises ValueError for a word that
    is unknown.
    """

    def __init__(self, folder: Path, script: Script) -> None:
        replies = checked(script, scripted_client.CLIENTS, KEYS)
        self._bin = folder / "bin"
        self._turns = folder / "turns"
        for made in (self._bin, self._turns):
            made.mkdir(parents=True, exist_ok=True)
        for turn in self._turns.iterdir():
            turn.unlink()
        path = folder / "script.json"
        path.write_text(json.dumps(replies), encoding="utf-8")
        for client in replies:
            self._make(client, path)

    @classmethod
    def from_yaml(cls, folder: Path, path: Path) -> Self:
        """Clients whose script is a YAML file."""
        return cls(folder, read_script(path))

    @property
    def environment(self) -> dict[str, str]:
        """The PATH on which these clients are, and nothing else."""
        return {"PATH": str(self._bin)}

    @property
    def asked(self) -> tuple[AskedClient, ...]:
        """What the clients were told, client by client, in the order of asking."""
        told = []
        for path in sorted(self._turns.iterdir()):
            turn = json.loads(path.read_text(encoding="utf-8"))
            told.append(AskedClient(turn["client"], turn["question"], tuple(turn["arguments"])))
        return tuple(told)

    def _make(self, client: str, script: Path) -> None:
        # Through a shell, since a first line can name no interpreter of any length and spelling.
        program = Path(scripted_client.__file__)
        words = [sys.executable, "-IS", *map(str, (program, script, self._turns)), client]
        path = self._bin / client
        path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
