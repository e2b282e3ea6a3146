"""The main job, done once: the example notebooks are executed, shown and kept as pages."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from majordomus_reasoning.errors import NotFound, StoreError

SHOWN = {"report": "The report", "timeline": "The timeline"}  # what cells with these tags print
PACKAGES = ("ipykernel", "nbclient", "nbconvert")
SECONDS = 120


def notebook_paths() -> list[Path]:
    """The example notebooks: those shipped in a wheel, or those beside the package's source."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "notebooks"
    folder = inside if inside.is_dir() else package.parent / "notebooks"
    return sorted(folder.glob("[0-9]*.ipynb"))


def run_demo(folder: Path) -> Iterator[str]:
    """Execute the notebooks anew, write each as a page, and say what their records say.

    Yields lines. Raises NotFound where the packages of the extra `notebook` are not installed,
    StoreError where the folder cannot be written.
    """
    missing = [name for name in PACKAGES if not find_spec(name)]
    if missing:
        remedy = "install it with pip install 'majordomus_reasoning[notebook]'"
        raise NotFound(f"the package {missing[0]}", remedy)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(folder, f"cannot be written ({error.strerror})") from None
    pages = []
    for path in notebook_paths():
        notebook = _execute(path)
        for tag, title in SHOWN.items():
            printed = _printed(notebook, tag)
            if printed:
                yield from (f"# {title}", "", *printed.splitlines(), "")
        pages.append(_write_page(notebook, folder / path.with_suffix(".html").name))
    yield "The executed notebooks as pages:"
    yield from map(str, pages)


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
            resources={"metadata": {"path": str(path.parent)}},
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


def _write_page(notebook: Any, path: Path) -> Path:
    from nbconvert import HTMLExporter

    page, _resources = HTMLExporter().from_notebook_node(notebook)  # type: ignore[no-untyped-call]
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise StoreError(path, f"cannot be written ({error.strerror})") from None
    return path.resolve()
