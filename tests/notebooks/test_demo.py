"""`demo`: the main job, with no key, no network and no advisor."""

from __future__ import annotations

from pathlib import Path

import pytest
from planting import PROJECT

pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))


def test_demo_prints_the_report_the_timeline_and_where_the_page_lies(command, tmp_path) -> None:
    ran = command("demo", "--dir", str(tmp_path / "out"))

    assert ran.exit_code == 0, ran.err
    report, timeline = ran.out.split("# The timeline")[:2]
    assert "timeout semantics of the worker" in report
    assert "local reasoning, no independent review" in report
    assert "validations: 1 passed, 0 failed" in report
    assert "Answered by an earlier decision" in report
    phases = [line.split()[1] for line in timeline.splitlines() if line.startswith("12:00:")]
    assert phases == [
        *("uncertainty", "local", "attempt", "conclusion", "validation"),
        *("uncertainty", "reuse"),
    ]
    pages = [Path(line) for line in ran.out.splitlines()[-len(NOTEBOOKS) :]]
    assert pages == [tmp_path / "out" / f"{path.stem}.html" for path in NOTEBOOKS]
    assert "OutcomeUnknown" in pages[0].read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_named(command, tmp_path) -> None:
    (tmp_path / "file").write_text("")

    ran = command("demo", "--dir", str(tmp_path / "file" / "out"))

    assert ran.exit_code == 1
    assert str(tmp_path / "file" / "out") in ran.err
