"""One notebook, run again: live it writes nothing twice, frozen it proves what it tells."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

pytestmark = pytest.mark.slow

LIVE = 'import majordomus_reasoning as mr\ncheckout = mr.open(".")'
KEEP = 'len(checkout.keep("kept"))'
FROZEN = 'import majordomus_reasoning as mr\ncheckout = mr.open("kept", frozen=True)'
CELLS = [
    """question = checkout.assess("lock scope", materiality="high", evidence=["file:a.py:1"])
question""",
    "plan = checkout.plan(question)\nplan",
    """verdict = checkout.conclude(question, decision="keep it", rationale="it holds",
    evidence=["file:a.py:1"], validation_plan=["run it"])
verdict""",
    "print(checkout.report())",
    'checkout.timeline(question)[["phase", "summary"]]',
    "checkout.evidence()",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".ai").mkdir()
    (tmp_path / "a.py").write_text("lock()\n")
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / "jupyter"))
    monkeypatch.setenv("MAJORDOMUS_REASONING_MODE", "standard")
    return tmp_path


def run(folder: Path, first: str, cells: list[str]) -> list[object]:
    """The outputs of a notebook's cells but the first, executed in a folder."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in (first, *cells)])
    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=40"],
    ).execute()
    return json.loads(nbformat.writes(notebook))["cells"][1:]


def outputs(cells: list[object]) -> list[object]:
    return [cell["outputs"] for cell in cells]


def test_a_notebook_is_run_again_live_and_frozen(folder, files_of, monkeypatch) -> None:
    first = run(folder, LIVE, CELLS)
    stored = files_of(folder / ".ai")

    second = run(folder, LIVE, [*CELLS, KEEP])

    assert files_of(folder / ".ai") == stored
    assert len(stored) == 3
    assert outputs(second)[:3] == outputs(first)[:3]

    monkeypatch.setenv("MAJORDOMUS_REASONING_MODE", "strict")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    frozen = run(folder, FROZEN, CELLS)

    assert outputs(frozen) == outputs(second)[: len(CELLS)]
    assert files_of(folder / ".ai") == stored

    changed = [CELLS[0], CELLS[1], CELLS[2].replace("keep it", "change it")]
    with pytest.raises(CellExecutionError) as failed:
        run(folder, FROZEN, changed)

    verdict = next(name for name in map(str, (folder / "kept").rglob("conclusion-*.json")))
    assert Path(verdict).stem in str(failed.value)
    assert "'keep it' there, 'change it' here" in str(failed.value)
    assert "WouldWrite" in str(failed.value)
