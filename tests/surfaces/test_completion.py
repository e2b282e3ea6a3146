"""`completion` and the page of the command."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_asks_the_command(command, shell) -> None:
    script = command("completion", shell).out

    assert f"_MAJORDOMUS_REASONING_COMPLETE={shell}_complete" in script
    assert "majordomus-reasoning" in script


def test_a_half_word_is_completed_to_the_verbs_that_begin_so(command) -> None:
    asked = {"COMP_WORDS": "majordomus-reasoning do", "COMP_CWORD": "1"}

    ran = command(_MAJORDOMUS_REASONING_COMPLETE="bash_complete", **asked)

    assert "plain,doctor" in ran.out


def test_the_page_of_the_command_is_what_the_command_says() -> None:
    page = runpy.run_path(str(DOCS / "build_command_page.py"))["page"]()

    assert (DOCS / "command.md").read_text(encoding="utf-8") == page, (
        "write it again with python docs/build_command_page.py"
    )
