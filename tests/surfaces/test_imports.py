"""A verb that shows no table loads neither pandas nor a chart, a widget or a web library."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"altair", "dulwich", "fastapi", "httpx", "ipywidgets", "jupytext", "nbformat", "numpy"}
HEAVY |= {"pandas", "scipy"}
VERBS = ["advisors", "plan", "status", "env", "context", "handover", "check", "doctor"]
CODE = """
import sys
from click.testing import CliRunner
from majordomus_reasoning.surfaces.cli import main
result = CliRunner().invoke(main, sys.argv[1:])
assert result.exit_code == 0, result.output
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def loaded(*arguments: str) -> set[str]:
    ran = [sys.executable, "-W", "ignore", "-c", CODE, *arguments]
    return set(subprocess.run(ran, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_without_tables_loads_nothing_heavy(verb, tmp_path) -> None:
    assert not loaded(verb, "--repo", str(tmp_path)) & HEAVY
