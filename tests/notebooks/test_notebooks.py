"""The committed notebooks: executed, paired, and made again from their source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planting import PROJECT

from majordomus_reasoning.pairs import notebook_pairs

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PARTS = ("**Question.**", "## Data", "## Method", "## Reading", "## Limits")


def cells(path: Path) -> list[dict[str, object]]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_there_are_notebooks_and_each_has_its_source() -> None:
    assert NOTEBOOKS
    assert [path.with_suffix(".py").is_file() for path in NOTEBOOKS] == [True] * len(NOTEBOOKS)
    assert {path.stem for path in FOLDER.glob("[0-9]*.py")} == {path.stem for path in NOTEBOOKS}


def test_no_pair_differs() -> None:
    assert [*notebook_pairs(PROJECT)] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_was_executed_in_order(path: Path) -> None:
    """A cell without an execution count passes nbval unseen."""
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]

    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    assert any(cell["outputs"] for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_a_question_and_tells_its_limits(path: Path) -> None:
    text = "\n".join("".join(c["source"]) for c in cells(path) if c["cell_type"] == "markdown")
    places = [text.find(part) for part in PARTS]

    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_shows_a_machine(path: Path) -> None:
    shown = json.dumps([cell.get("outputs") for cell in cells(path)])

    assert not [word for word in ("/tmp", "/home", "/root", str(PROJECT)) if word in shown]
