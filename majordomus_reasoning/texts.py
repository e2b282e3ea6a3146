"""The files of a repository as text, for the checks.

No file stops them: one that cannot be read is what is found.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from majordomus_reasoning.store.reading import MIB, read_bounded

LARGEST_READ = 16 * MIB
SKIPPED_FOLDERS = frozenset({"build", "dist", "node_modules", "site-packages", "tests", "venv"})


class Found(NamedTuple):
    """Where a fault stands, and what it is."""

    subject: str
    message: str


@dataclass(frozen=True)
class Source:
    """A file of a repository as text, under its path from the repository's root."""

    name: str
    text: str

    def line(self, position: int) -> int:
        """The line that a position in the text stands on, from 1."""
        return bisect_left(self._line_ends, position) + 1

    @cached_property
    def _line_ends(self) -> list[int]:
        return [place for place, char in enumerate(self.text) if char == "\n"]


def read(root: Path, path: Path) -> Source | Found:
    """A file as text, bytes that are no UTF-8 replaced, or why it cannot be read."""
    name = path.relative_to(root).as_posix()
    try:
        text = read_bounded(path, LARGEST_READ).decode("utf-8", errors="replace")
    except OSError as error:
        return Found(name, f"it cannot be read ({error.strerror})")
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def read_all(root: Path, paths: Iterable[Path | Found]) -> Iterator[Source | Found]:
    """Each of the files as text, in the order of their paths, and what was found meanwhile."""
    found = set(paths)
    yield from sorted(each for each in found if isinstance(each, Found))
    for path in sorted(each for each in found if isinstance(each, Path)):
        yield read(root, path)


def files(root: Path, folder: Path, *endings: str, everywhere: bool) -> Iterator[Path | Found]:
    """The files below a folder whose names end so, and the folders that cannot be read.

    A name counts as if it were written in small letters.
    Hidden and built folders are left out, unless it looks everywhere.
    """
    closed: list[OSError] = []
    for place, inner, names in os.walk(folder, onerror=closed.append):
        if not everywhere:
            inner[:] = [name for name in inner if not _is_skipped(name)]
        yield from (Path(place, name) for name in names if name.casefold().endswith(endings))
    for error in closed:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            name = Path(error.filename).relative_to(root).as_posix()
            yield Found(name, f"it cannot be read ({error.strerror})")


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in SKIPPED_FOLDERS
