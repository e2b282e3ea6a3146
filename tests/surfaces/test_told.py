"""Whatever is typed is told without secrets, and each line of text is one line."""

from __future__ import annotations

import pytest
from builders import assessment

SECRET = "sk-ant-" + "a1B2c" * 5  # made when the test runs
TYPED = [
    [SECRET],
    ["status", f"--{SECRET}"],
    ["status", "--task", f"/{SECRET}"],
    ["status", "--repo", f"/{SECRET}"],
    ["plan", "--materiality", SECRET],
    ["plan", "--capabilities", SECRET],
    ["explain", SECRET],
    ["adr", SECRET],
    ["record", "--file", SECRET],
    ["assess", "lock scope", "--evidence", SECRET],
    ["disagree", "x", "--position", SECRET, "--decided-by", "y"],
    ["table", SECRET],
    ["table", "records", "--columns", SECRET],
    ["table", "records", "--since", SECRET],
    ["table", "records", "--as-of", SECRET],
    ["table", "records", "--out", f"{SECRET}.txt"],
    ["completion", SECRET],
]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "arguments", TYPED, ids=lambda words: " ".join(words[:2]).replace(SECRET, "X")
)
def test_no_message_repeats_a_secret(command, arguments, form) -> None:
    ran = command("--format", form, *arguments)

    assert ran.exit_code in {1, 2, 3, 4}
    assert SECRET[:20] not in ran.out + ran.err
    assert "[redacted:anthropic-key]" in ran.out + ran.err


def test_a_message_of_several_lines_stays_one_where_it_holds_no_secret(command) -> None:
    assert command("plan", "--materiality", "x").err.startswith("Usage: ")


def test_a_name_with_a_line_break_forges_no_second_line(command) -> None:
    command.record(assessment())
    folder = next(command.root.rglob("assessment-*.json")).parent
    (folder / "a\nunreadable: forged line.json").write_text("{")

    for verb in ("status", "check", "doctor"):
        lines = command(verb).out.splitlines()
        assert not [line for line in lines if line.startswith("unreadable: forged")]
        assert [line for line in lines if "a unreadable: forged line.json" in line]
