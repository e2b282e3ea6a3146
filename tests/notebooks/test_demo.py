"""`demo`: the main job, with no key, no network and no advisor."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_demo_prints_the_report_the_timeline_and_where_the_page_lies(command, tmp_path) -> None:
    ran = command("demo", "--dir", str(tmp_path / "out"))

    assert ran.exit_code == 0, ran.err
    report, timeline = ran.out.split("# The timeline")
    assert "timeout semantics of the worker" in report
    assert "local reasoning, no independent review" in report
    assert "validations: 1 passed, 0 failed" in report
    assert "Answered by an earlier decision" in report
    phases = [line.split()[1] for line in timeline.splitlines() if line.startswith("12:00:")]
    assert phases == [
        *("uncertainty", "local", "attempt", "conclusion", "validation"),
        *("uncertainty", "reuse"),
    ]
    page = Path(ran.out.splitlines()[-1].rpartition(": ")[2])
    assert page == tmp_path / "out" / "01_decide_alone.html"
    assert "OutcomeUnknown" in page.read_text(encoding="utf-8")
