"""`evidence`: a row is one evidence reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from majordomus_reasoning.core import records as wire
from majordomus_reasoning.core.words import EvidenceKind
from majordomus_reasoning.frames.dtypes import COUNT, FLAG, TEXT, Dtype, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    RECORD_ID,
    TASK,
    Entry,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored
from majordomus_reasoning.store.evidence import FileReference, parse_reference

UNCHANGED = frozenset({"unchanged", "line_unchanged", "line_moved"})


@dataclass(eq=False)
class EvidenceEntry(Entry[Any]):
    """One evidence reference of a record, and what was pinned of it."""

    evidence: wire.Evidence

    @cached_property
    def place(self) -> FileReference | None:
        """The path and line of a `file` reference."""
        cited = self.evidence
        return parse_reference(cited.reference) if cited.kind == "file" else None

    @cached_property
    def pin(self) -> wire.Pin | None:
        """What was kept of the file when the record was made."""
        if self.evidence.kind != "file":
            return None
        pins = self.record.pins
        return next((pin for pin in pins if pin.reference == self.evidence.reference), None)

    @property
    def unchanged(self) -> bool | None:
        """Whether the pinned line, or file, still says the same; None where nobody can tell."""
        if self.pin is None or self.history.drift is None:
            return None
        return self.history.drift(self.record.id, self.pin).status in UNCHANGED


def rows(history: History) -> Iterator[EvidenceEntry]:
    """One entry for each evidence of each record, as its author listed them."""
    return (
        EvidenceEntry(history, record, evidence)
        for record in history.ledger
        for evidence in getattr(record.body, "evidence", ())
    )


TABLE = Table(
    "evidence",
    "one evidence reference",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        TASK,
        AT,
        stored(
            "record_kind", Dtype("category", wire.KINDS), "body.kind", "kind of the citing record"
        ),
        stored("kind", words(EvidenceKind), "kind", "kind of the evidence", of="evidence"),
        stored("reference", TEXT, "reference", "what is cited", of="evidence"),
        stored("note", TEXT, "note", "what the author says of it", of="evidence"),
        stored("path", TEXT, "path", "path of a file reference", of="place"),
        stored("line", COUNT, "line", "line of a file reference, from 1", of="place"),
        stored(
            "pinned_sha256",
            TEXT,
            "sha256",
            "SHA-256 of the file when the record was made, in hexadecimal",
            of="pin",
        ),
        stored("commit", TEXT, "commit", "commit that the file was as in, when pinned", of="pin"),
        Column(
            "commit_known",
            FLAG,
            "whether what was pinned was the content of a known commit; missing without a pin",
            "pins.commit",
            lambda row: row.pin.commit is not None if row.pin else None,
        ),
        Column(
            "unchanged_since",
            FLAG,
            "whether the pinned line (the file, where none is named) still says the same; missing "
            "without a pin, without a checkout, and as of the past",
            "the files of the checkout, now",
            lambda row: row.unchanged,
        ),
        *LAST,
    ),
    rows,
)
