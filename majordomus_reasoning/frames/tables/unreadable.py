"""`unreadable`: a row is a file that is no record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from majordomus_reasoning.core.ledger import Unreadable
from majordomus_reasoning.core.records import KINDS
from majordomus_reasoning.frames.dtypes import TEXT, Dtype
from majordomus_reasoning.frames.entries import STORE
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored


@dataclass(eq=False)
class UnreadableEntry:
    """A file that is no record: of its content nothing is known, so its name has to tell."""

    history: History
    file: Unreadable

    @property
    def key(self) -> tuple[str, str]:
        """Where the row stands: by store and path, since nothing tells the time."""
        return (self.history.label, self.file.path)

    @property
    def record_id(self) -> str:
        """The id of the record that the file would be."""
        return PurePosixPath(self.file.path).stem

    @property
    def kind(self) -> str | None:
        """The kind that the file's name begins with."""
        word = self.record_id.partition("-")[0]
        return word if word in KINDS else None


def rows(history: History) -> Iterator[UnreadableEntry]:
    """One entry for each unreadable file, by path, as the store was last read."""
    return (UnreadableEntry(history, file) for file in history.unreadable)


TABLE = Table(
    "unreadable",
    "a file that is no record",
    (
        Column(
            "record_id",
            TEXT,
            "id of the record that the file would be",
            "name of the file",
            lambda row: row.record_id,
        ),
        Column(
            "task",
            TEXT,
            "task in whose folder the file lies",
            "folder of the file",
            lambda row: PurePosixPath(row.file.path).parts[0],
        ),
        stored("path", TEXT, "path", "path of the file within its store", of="file"),
        Column(
            "kind",
            Dtype("category", KINDS),
            "kind of record that the name of the file tells of",
            "name of the file",
            lambda row: row.kind,
        ),
        stored("field", TEXT, "field", "where reading stopped, missing for the whole", of="file"),
        stored("error", TEXT, "error", "why it is no record", of="file"),
        STORE,
        Column(
            "source",
            TEXT,
            "the path, below the label of its store where there is one",
            "the store",
            lambda row: row.history.shown(row.file.path),
        ),
    ),
    rows,
)
