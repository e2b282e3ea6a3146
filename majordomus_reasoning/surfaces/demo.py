"""The main job, done once: an example notebook is executed, shown and kept as a page."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from majordomus_reasoning.errors import NotFound

NOTEBOOK = "01_decide_alone.ipynb"
SHOWN = {"report": "The report", "timeline": "The timeline"}
PACKAGES = ("ipykernel", "nbclient", "nbconvert")
SECONDS = 120


def notebook_path() -> Path:
    """The example notebook, in a wheel or beside the package's source."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "notebooks" / NOTEBOOK
    return inside if inside.is_file() else package.parent / "notebooks" / NOTEBOOK


def run_demo(folder: Path) -> Iterator[str]:
    """Execute the notebook anew, write it as a page, and say what its records say.

    Yields lines. Raises NotFound where the packages of the extra `notebook` are not installed.
    """
    missing = [name for name in PACKAGES if not find_spec(name)]
    if missing:
        remedy = "install it with pip install 'majordomus_reasoning[notebook]'"
        raise NotFound(f"the package {missing[0]}", remedy)
    notebook = _execute(notebook_path())
    for tag, title in SHOWN.items():
        yield f"# {title}"
        yield ""
        yield from _printed(notebook, tag).splitlines()
        yield ""
    yield f"The executed notebook as a page: {_write_page(notebook, folder)}"


def _execute(path: Path) -> Any:
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory(prefix="majordomus-demo-") as scratch:
        # A kernel of this interpreter, whatever the person has configured elsewhere.
        names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        os.environ.update(dict.fromkeys(names, scratch))
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,
            extra_arguments=["--log-level=40"],
            resources={"metadata": {"path": scratch}},
        )
        return client.execute()


def _printed(notebook: Any, tag: str) -> str:
    """What the cells with a tag printed."""
    outputs = (
        output
        for cell in notebook.cells
        if tag in cell.metadata.get("tags", ())
        for output in cell.outputs
    )
    return "".join(output.get("text", "") for output in outputs)


def _write_page(notebook: Any, folder: Path) -> Path:
    from nbconvert import HTMLExporter

    page, _resources = HTMLExporter().from_notebook_node(notebook)  # type: ignore[no-untyped-call]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NOTEBOOK.replace(".ipynb", ".html")
    path.write_text(page, encoding="utf-8")
    return path.resolve()
