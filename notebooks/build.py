"""Write the notebooks from their text pairs and execute them; the pair is the source.

    python notebooks/build.py [NAME …]

Cells that have not changed keep their ids, so that building twice gives the same bytes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent


def build(source: Path) -> Path:
    """Execute a text notebook and write the executed one beside it."""
    notebook = jupytext.read(source, fmt="py:percent")
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=40"],
    ).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    target = source.with_suffix(".ipynb")
    nbformat.write(notebook, target)
    return target


def main(names: list[str]) -> None:
    """Build the named notebooks, or all."""
    sources = [FOLDER / f"{name}.py" for name in names] or sorted(FOLDER.glob("[0-9]*.py"))
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            os.environ[name] = scratch
        for source in sources:
            print(build(source).name)


if __name__ == "__main__":
    main(sys.argv[1:])
