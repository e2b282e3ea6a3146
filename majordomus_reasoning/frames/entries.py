"""Rows that stand for a record, and the columns that most tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

from majordomus_reasoning.core.ledger import Key, Ledger
from majordomus_reasoning.core.records import Assessment, Part, Record
from majordomus_reasoning.core.words import Confidence, Materiality
from majordomus_reasoning.frames.dtypes import COUNT, STAMP, TEXT, words
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, stored

B = TypeVar("B", bound=Part)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


@dataclass(eq=False)
class Entry(Generic[B]):
    """A row made from one record of a history; what is costly is found when it is asked for."""

    history: History
    record: Record[B]

    @property
    def key(self) -> Key:
        """Where the row stands in its table."""
        return self.record.key

    @property
    def ledger(self) -> Ledger:
        """The records that the row is read from."""
        return self.history.ledger

    @cached_property
    def assessment(self) -> Record[Assessment] | None:
        """The assessment that the record belongs to, where that is recorded."""
        record: Record[Any] = self.record
        return self.ledger.assessment_of(record)


def entries(kind: type[B]) -> Callable[[History], Iterable[Entry[B]]]:
    """The rows function of a table with one row for each record of a kind."""
    return lambda history: [Entry(history, record) for record in history.ledger.of_kind(kind)]


def joined(texts: Iterable[str], separator: str = ", ") -> str | None:
    """A list as one text, since no cell holds a list; None when it is empty.

    >>> joined(["a", "b"]), joined([])
    ('a, b', None)
    """
    return separator.join(texts) or None


def whole(unit: timedelta, start: datetime | None, end: datetime | None) -> int | None:
    """How many whole units lie between two moments; None where one is missing.

    >>> whole(SECOND, datetime(2026, 1, 1), datetime(2026, 1, 1, 0, 0, 1, 999))
    1
    """
    return None if start is None or end is None else (end - start) // unit


def assessment_id(row: Entry[Any]) -> str | None:
    """The id of the assessment that a row belongs to."""
    return row.assessment.id if row.assessment else None


def recorded(name: str) -> Column:
    """The column of when the record was made, under a name."""
    return Column(name, STAMP, "when the record was made", "recorded_at", attrgetter("record.at"))


RECORD_ID = stored("record_id", TEXT, "id", "id of the record that the row is read from")
ASSESSMENT_ID = Column(
    "assessment_id",
    TEXT,
    "id of the assessment that the record belongs to, missing where it is not recorded",
    "through plan, disagreement or conclusion to the assessment",
    assessment_id,
)
TASK = stored("task", TEXT, "task", "task in which the record was made")
AT = recorded("at")
MATERIALITY = stored(
    "materiality",
    words(Materiality, ordered=True),
    "body.materiality",
    "how much hangs on the assessment",
    of="assessment",
)
SUBJECT = stored("subject", TEXT, "body.subject", "what the assessment is about", of="assessment")
STORE = Column(
    "store",
    TEXT,
    "label of the store, empty where one store is read; with an id it names one record",
    "given by the caller",
    lambda row: row.history.label,
)
SOURCE = Column(
    "source",
    TEXT,
    "file of the record, relative to its store; below the label where there is one",
    "the store",
    lambda row: row.history.source(row.record),
)
LAST = (STORE, SOURCE)


def confidence(meaning: str) -> Column:
    """The column of the confidence that a record states."""
    return stored("confidence", words(Confidence, ordered=True), "body.confidence", meaning)


def count(name: str, meaning: str, source: str, read: Callable[[Any], object]) -> Column:
    """A column of counts."""
    return Column(name, COUNT, meaning, source, read)
