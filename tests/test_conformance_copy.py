"""The vectors of the design are committed, whole, and are the ones the design holds."""

from __future__ import annotations

from pathlib import Path

import pytest

COPY = Path(__file__).parent / "conformance"
DESIGN = Path(__file__).parents[2] / "shared" / "conformance"
STORE = "original-store/.ai/local/state/reasoning"
FILES = (
    "admission.json",
    "answers.json",
    "availability.json",
    "failures.json",
    "mode.json",
    "policy.json",
    "redaction.json",
    "state.json",
    "original-store/expected.json",
    f"{STORE}/retry-task/assessment-20261001T093001123Z-001eef.json",
    f"{STORE}/retry-task/conclusion-20261001T093007123Z-00d889.json",
    f"{STORE}/retry-task/consultation-20261001T093003123Z-005ccd.json",
    f"{STORE}/retry-task/consultation-20261001T093004123Z-007bbc.json",
    f"{STORE}/retry-task/disagreement-20261001T093005123Z-009aab.json",
    f"{STORE}/retry-task/plan-20261001T093002123Z-003dde.json",
    f"{STORE}/retry-task/resolution-20261001T093006123Z-00b99a.json",
    f"{STORE}/retry-task/validation-20261001T093008123Z-00f778.json",
    f"{STORE}/untasked/.attempt-z.json.tmp",
    f"{STORE}/untasked/attempt-20261001T093009123Z-011667.json",
    f"{STORE}/untasked/broken.json",
    f"{STORE}/untasked/foreign.json",
    f"{STORE}/untasked/newer.json",
)


def files_below(root: Path) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_the_copy_holds_every_file_and_no_other():
    assert files_below(COPY) == set(FILES)


@pytest.mark.skipif(not DESIGN.is_dir(), reason="the design does not lie beside the repository")
def test_the_copy_is_the_one_the_design_holds():
    theirs = {name: (DESIGN / name).read_bytes() for name in files_below(DESIGN)}
    assert theirs == {name: (COPY / name).read_bytes() for name in FILES}
