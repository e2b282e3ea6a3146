"""`context`, `handover` and `adr`: what is read at the entry, left behind, and made to last."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import assessment, conclusion, validation


def test_context_without_records_says_that_reasoning_works(command) -> None:
    ran = command("context")

    assert ran.out.startswith("## Reasoning\n")
    assert "No records yet" in ran.out


def test_context_is_the_report_of_the_open_task(command) -> None:
    command.record(assessment())

    assert command("context").out == command("status", "--report").out
    assert command("context", "--format", "json").json == {
        "task": None,
        "section": command("status", "--report").out,
    }


def test_handover_carries_the_section(command) -> None:
    command.record(assessment())

    text = command("handover").out

    assert text.startswith("# Handover: all tasks\n")
    assert command("context").out in text
    assert "Left to do" not in text


def test_handover_derives_what_is_left_from_the_records(command) -> None:
    first = command.record(assessment("an open question"))
    second = command.record(assessment("a decided one"))
    verdict = command.record(conclusion(second, decision="decided"))
    third = command.record(assessment("a refuted one"))
    refuted = command.record(conclusion(third, decision="refuted"))
    command.record(validation(refuted, "fail"))

    text = command("handover", "--derive").out

    assert text.endswith(
        "## Left to do\n\n"
        f"- decide: an open question (`{first}`)\n"
        f"- validate: decided (`{verdict}`)\n"
        f"- decide anew, a validation failed: refuted (`{refuted}`)\n"
    )


def test_handover_says_so_when_nothing_is_left(command) -> None:
    verdict = command.record(conclusion(command.record(assessment())))
    command.record(validation(verdict))

    assert "every decision validated" in command("handover", "--derive").out


def test_adr_writes_a_numbered_draft_and_never_overwrites(command) -> None:
    question = command.record(assessment(hypothesis="one lock is enough", questions=["for whom?"]))
    decision = conclusion(
        question, decision="Keep one lock", rejected=["two locks"], risks=["slow"]
    )
    verdict = command.record(decision)
    folder = command.root / "docs" / "decisions"
    folder.mkdir(parents=True)
    (folder / "0007-earlier.md").write_text("earlier")

    first = command("adr", verdict)
    second = command("adr", verdict, "--format", "json")

    assert first.out == f"{folder / '0008-keep-one-lock.md'}\n"
    assert second.json == {"path": str(folder / "0009-keep-one-lock.md")}
    assert (folder / "0007-earlier.md").read_text() == "earlier"
    text = (folder / "0008-keep-one-lock.md").read_text()
    for line in (
        "status: proposed",
        "# Keep one lock",
        "## Context and Problem Statement",
        "> lock scope",
        "- hypothesis: one lock is enough",
        "- question: for whom?",
        "- two locks",
        "> the failure tests show it",
        "- risk: slow",
        "- run the tests",
        "- independent review: 0 (nobody: local reasoning)",
        "- evidence: file `src/worker.py:10`",
        f"- record: `{verdict}` of the task `untasked`",
    ):
        assert f"\n{line}\n" in text
    assert sorted(path.name for path in folder.iterdir()) == [
        "0007-earlier.md",
        "0008-keep-one-lock.md",
        "0009-keep-one-lock.md",
    ]


@pytest.mark.parametrize("opening", ["```", "~~~", "<!--", "# A heading", "<script>"])
def test_a_text_that_opens_a_block_does_not_swallow_the_rest_of_the_draft(command, opening) -> None:
    question = command.record(assessment(f"{opening} scope"))
    why = f"it holds\n\n{opening}\nand so on"
    verdict = command.record(conclusion(question, rationale=why))

    path = Path(command("adr", verdict).out.strip())

    lines = path.read_text(encoding="utf-8").splitlines()
    opened = [line for line in lines if opening in line]
    assert opened == [f"> {opening} scope", f"> {opening}"]
    assert "> it holds\n>\n" in path.read_text(encoding="utf-8")


def test_adr_takes_a_folder(command, tmp_path) -> None:
    verdict = command.record(conclusion(command.record(assessment())))

    ran = command("adr", verdict, "--dir", str(tmp_path / "adr"))

    assert ran.out == f"{tmp_path / 'adr' / '0001-keep-it.md'}\n"


def test_adr_of_no_conclusion_is_refused_and_writes_nothing(command) -> None:
    question = command.record(assessment())

    assert command("adr", question).exit_code == 3
    assert command("adr", "nothing").exit_code == 4
    assert not (command.root / "docs").exists()


def test_adr_names_a_folder_that_cannot_be_written(command) -> None:
    verdict = command.record(conclusion(command.record(assessment())))
    (command.root / "docs").write_text("a file")

    ran = command("adr", verdict)

    assert ran.exit_code == 1
    assert str(command.root / "docs" / "decisions") in ran.err
