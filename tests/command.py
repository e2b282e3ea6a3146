"""The command as a person runs it: arguments and standard input in, text and exit code out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from majordomus_reasoning.surfaces.cli import COMMAND, main

ABSENT = ("CI", "MAJORDOMUS_REASONING_MODE", "MAJORDOMUS_ADVISORS_DISABLE", "MAJORDOMUS_SHARE")
ABSENT += ("MAJORDOMUS_REASONING_COOLDOWN_SECONDS", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")


@dataclass(frozen=True)
class Ran:
    """What a run of the command gave."""

    exit_code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Command:
    """The command in one checkout, with a PATH on which nothing is."""

    root: Path

    def __call__(
        self, *arguments: str, given: str | bytes | Mapping[str, Any] | None = None, **env: str
    ) -> Ran:
        text = json.dumps(given) if isinstance(given, Mapping) else given
        environment: dict[str, str | None] = dict.fromkeys([*ABSENT, "GEMINI_API_KEY"])
        environment |= {"PATH": str(self.root / "bin"), **env}
        where = ["--repo", str(self.root)]
        result = CliRunner().invoke(
            main, [*where, *arguments], input=text, env=environment, prog_name=COMMAND
        )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    def record(self, body: Mapping[str, Any]) -> str:
        """Record a body and return its id."""
        ran = self("record", "--format", "json", given=body)
        assert ran.exit_code == 0, ran.out + ran.err
        return str(ran.json["record"]["id"])
