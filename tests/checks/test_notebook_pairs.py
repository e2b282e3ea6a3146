"""The check `notebooks`: a notebook and its text pair hold the same cells."""

from __future__ import annotations

from pathlib import Path

import jupytext
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from planting import examine, write

from majordomus_reasoning.pairs import percent_cells

PAIR = "# %% [markdown]\n# # Title\n\n# %%\n1 + 1\n"


def notebook(path: Path, *cells: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)


def test_a_pair_with_the_same_cells_is_no_finding(repository: Path) -> None:
    write(repository, {"notebooks/a.py": PAIR})
    notebook(repository / "notebooks/a.ipynb", new_markdown_cell("# Title"), new_code_cell("1 + 1"))

    assert examine(repository).ok


CHANGED = [
    [new_markdown_cell("# Title"), new_code_cell("1 + 2")],
    [new_markdown_cell("# Title")],
    [new_code_cell("1 + 1"), new_markdown_cell("# Title")],
    [new_code_cell("# Title"), new_code_cell("1 + 1")],
]


@pytest.mark.parametrize("cells", CHANGED)
def test_a_pair_whose_cells_differ_is_a_finding(repository: Path, cells: list[object]) -> None:
    write(repository, {"notebooks/a.py": PAIR})
    notebook(repository / "notebooks/a.ipynb", *cells)

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("notebooks", "notebooks/a.ipynb")]


HEADER = "# ---\n# jupyter:\n#   jupytext:\n#     formats: ipynb,py:percent\n# ---\n\n"
LOST = {
    "emptied": "",
    "blank": "\n \n",
    "a header alone": HEADER,
    "no markers left": HEADER + "# # Title\n\n1 + 1\n",
    "a cell lost": HEADER + "# %%\n1 + 1\n",
    "markers without a space": "#%% [markdown]\n# # Title\n\n#%%\n1 + 2\n",
    "code before the first marker": "import os\n\n" + PAIR,
}


@pytest.mark.parametrize("script", LOST.values(), ids=LOST)
def test_a_pair_that_lost_its_cells_or_markers_is_a_finding(repository: Path, script: str) -> None:
    write(repository, {"a.py": script})
    notebook(repository / "a.ipynb", new_markdown_cell("# Title"), new_code_cell("1 + 1"))

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("notebooks", "a.ipynb")]


def test_a_pair_whose_markers_have_no_space_is_still_one(repository: Path) -> None:
    write(repository, {"a.py": PAIR.replace("# %%", "#%%")})
    notebook(repository / "a.ipynb", new_markdown_cell("# Title"), new_code_cell("1 + 1"))

    assert examine(repository).ok


def test_a_module_that_only_shares_a_notebooks_name_is_no_pair(repository: Path) -> None:
    write(repository, {"a.py": "def f():\n    return 1\n"})
    notebook(repository / "a.ipynb", new_code_cell("1"))

    assert examine(repository).ok


PAIRED = {"jupytext": {"formats": "ipynb,py:percent"}}


@pytest.mark.parametrize("script", [None, "1 + 2\n"])
def test_a_notebook_that_names_a_pair_it_lacks_is_a_finding(
    repository: Path, script: str | None
) -> None:
    if script:
        write(repository, {"a.py": script})
    cells = [new_code_cell("1 + 1")]
    nbformat.write(new_notebook(cells=cells, metadata=PAIRED), repository / "a.ipynb")

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("notebooks", "a.ipynb")]


def test_a_text_pair_without_its_notebook_is_a_finding(repository: Path) -> None:
    write(repository, {"notebooks/a.py": HEADER + PAIR})

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == ("notebooks", "notebooks/a.py")
    assert "a.ipynb is missing" in found.message


@pytest.mark.parametrize(
    "script",
    [
        PAIR,
        HEADER.replace("ipynb,", "") + PAIR,
        HEADER.replace("ipynb", "x//ipynb") + PAIR,
        "",
        "x\n",
    ],
)
def test_a_script_that_names_no_notebook_beside_it_needs_none(
    repository: Path, script: str
) -> None:
    write(repository, {"a.py": script})

    assert examine(repository).ok


def test_a_notebook_that_is_no_notebook_is_a_finding(repository: Path) -> None:
    write(repository, {"a.py": PAIR, "a.ipynb": "[]"})

    assert [each.check for each in examine(repository).findings] == ["notebooks"]


def test_a_notebook_without_a_pair_is_nobodys_fault(repository: Path) -> None:
    notebook(repository / "a.ipynb", new_code_cell("1"))

    assert examine(repository).ok


SCRIPTS = {
    "magics": "# %%\n# %matplotlib inline\n# !ls\nx = 1\n",
    "tags": '# %% tags=["report"]\nx = 1\n\n# %% [markdown]\n# text\n#\n# more\n',
    "quoted": '# %% [markdown]\n"""\n# Title\n"""\n\n# %%\nx\n',
    "raw": "# %% [raw]\n# raw text\n",
    "no space before the marker": "#%% [markdown]\n# text\n#%%\nx\n#  %%\ny\n",
    "a nested marker": "# %%\nx\n# %%%% inner\ny\n",
    "a magic like a marker": "# %%\n# %%time\nx\n",
    "code before": "import os\n\n# %%\nx\n",
    "an interpreter": "#!/usr/bin/env python\n# %%\nx\n",
    "no cells": "",
    "no marker": "x = 1\n\n\ny = 2\n",
    "empty cells": "# %%\n\n# %%\n\n# %%\nx\n",
    "a header": "# ---\n# jupyter:\n#   jupytext:\n#     formats: ipynb\n# ---\n\n# %%\nx\n",
    "a marker in a string": "# %%\nx = '''\n  #%% no cell\n'''\n",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_is_read_as_jupytext_reads_it(script: str) -> None:
    cells = jupytext.reads(script, fmt="py:percent").cells

    assert percent_cells(script) == [(each.cell_type, each.source.strip()) for each in cells]
