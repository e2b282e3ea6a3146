"""Notebooks and their text pairs, the percent scripts of the same name beside them.

Read here and not with jupytext, whose import starts a process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from majordomus_reasoning.texts import Found, files, read


class Notebook(NamedTuple):
    """A notebook: the kind and text of every cell, and the formats that its metadata name."""

    name: str
    cells: list[tuple[str, str]]
    formats: str


def read_notebook(root: Path, path: Path) -> Notebook | Found:
    """A notebook, or why it cannot be read as one."""
    source = read(root, path)
    if isinstance(source, Found):
        return source
    try:
        held = json.loads(source.text)
        cells = [(each["cell_type"], "".join(each["source"])) for each in held["cells"]]
        formats = held.get("metadata", {}).get("jupytext", {}).get("formats", "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = type(error).__name__
        return Found(source.name, f"it cannot be read as a notebook ({reason})")
    return Notebook(source.name, cells, str(formats))


def notebook_pairs(root: Path) -> Iterator[Found]:
    """Notebooks and text pairs that differ, lack each other or cannot be read."""
    found = files(root, root, ".ipynb", ".py", everywhere=False)
    paths = {each for each in found if isinstance(each, Path)}
    for path in sorted(paths):
        if path.suffix == ".ipynb":
            yield from _unlike(root, path, paths)
        elif path.with_suffix(".ipynb") not in paths:
            yield from _orphan(root, path)


def _unlike(root: Path, path: Path, paths: Collection[Path]) -> Iterator[Found]:
    notebook, pair = read_notebook(root, path), path.with_suffix(".py")
    if isinstance(notebook, Found):
        yield notebook
    elif pair in paths:
        script = read(root, pair)
        if isinstance(script, Found):
            yield script
        elif _is_percent(script.text) or _are_paired(notebook.formats):
            held = [_cell(kind, text) for kind, text in notebook.cells]
            if held != percent_cells(script.text):
                yield Found(notebook.name, f"its cells differ from {pair.name}: write both again")
    elif _are_paired(notebook.formats):
        yield Found(notebook.name, f"its text pair {pair.name} is missing: write it again")


def _orphan(root: Path, path: Path) -> Iterator[Found]:
    script = read(root, path)
    if isinstance(script, Found):
        return  # a module like any other, as far as anybody can tell
    formats = re.search(r"^#\s+formats:(.*)$", _header(script.text), re.MULTILINE)
    if formats and _are_paired(formats[1]):
        missing = path.with_suffix(".ipynb").name
        yield Found(script.name, f"its notebook {missing} is missing: write it again")


_MARKER = re.compile(r"^#[ \t]*%%+(?:[ \t]+(.*))?$", re.MULTILINE)
_HEADER = re.compile(r"\A(?:#!.*\n)?(?:# ---\n(?:#.*\n)*?# ---\n)?")
_COMMENTED_MAGIC = re.compile(r"^([ \t]*)# (?=[%!?])", re.MULTILINE)


def _header(script: str) -> str:
    found = _HEADER.match(script)
    return found[0] if found else ""


def _is_percent(script: str) -> bool:
    """Whether a script beside a notebook is its pair: by a marker, by its header, or emptied."""
    return bool(_MARKER.search(script)) or "percent" in _header(script) or not script.strip()


def _are_paired(formats: str) -> bool:
    return {"ipynb", "py:percent"} <= {each.strip() for each in formats.split(",")}


def percent_cells(script: str) -> list[tuple[str, str]]:
    """The kind and text of every cell of a percent script, as its notebook holds them.

    >>> percent_cells("# %% [markdown]\\n# # Title\\n\\n# %%\\n1 + 1\\n")
    [('markdown', '# Title'), ('code', '1 + 1')]
    """
    before, *parts = _MARKER.split(_HEADER.sub("", script))
    cells = [_cell("code", before)] if before.strip() else []
    for options, text in zip(parts[::2], parts[1::2], strict=True):
        kind = re.search(r"\[(markdown|md|raw)\]", options or "")
        if kind is None:
            cells.append(_cell("code", text))
        else:
            cells.append(_cell("raw" if kind[1] == "raw" else "markdown", _uncommented(text)))
    return cells


def _uncommented(text: str) -> str:
    quoted = re.fullmatch(r"\s*(\"{3}|'{3})(.*)\1\s*", text, re.DOTALL)
    return quoted[2] if quoted else re.sub(r"^# ?", "", text, flags=re.MULTILINE)


def _cell(kind: str, text: str) -> tuple[str, str]:
    return kind, _COMMENTED_MAGIC.sub(r"\1", text).strip()
