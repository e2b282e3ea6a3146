"""`records`: a row is a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from majordomus_reasoning.core.records import KINDS, Body
from majordomus_reasoning.core.words import Origin
from majordomus_reasoning.frames.dtypes import JSON, TEXT, Dtype, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    LAST,
    RECORD_ID,
    SUBJECT,
    TASK,
    Entry,
    joined,
    recorded,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored

KIND = stored("kind", Dtype("category", KINDS), "body.kind", "kind of the record")


def rows(history: History) -> Iterator[Entry[Any]]:
    """One entry for each record, in order."""
    return (Entry(history, record) for record in history.ledger)


def _body(row: Entry[Body]) -> dict[str, Any]:
    return row.record.body.plain()


TABLE = Table(
    "records",
    "a record",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        KIND,
        TASK,
        recorded("recorded_at"),
        stored("head", TEXT, "head", "commit that the checkout was on"),
        SUBJECT,
        stored("origin", words(Origin), "origin", "how the record came to be"),
        Column(
            "redacted",
            TEXT,
            "names of the secret shapes that were removed",
            "redacted",
            lambda row: joined(row.record.redacted),
        ),
        Column("body", JSON, "body as JSON holds it, a dictionary of its own", "body", _body),
        *LAST,
    ),
    rows,
    since="recorded_at",
)
