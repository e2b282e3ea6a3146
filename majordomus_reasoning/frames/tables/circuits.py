"""`circuits`: a row is an interval of one advisor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from majordomus_reasoning.core.ledger import Key
from majordomus_reasoning.core.records import Circuit
from majordomus_reasoning.core.words import Reason
from majordomus_reasoning.frames.dtypes import COUNT, STAMP, TEXT, words
from majordomus_reasoning.frames.entries import LAST, RECORD_ID, Entry
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.outages import CircuitState, Interval, advisors, intervals
from majordomus_reasoning.frames.table import Column, Table, stored


@dataclass(eq=False)
class IntervalEntry(Entry[Any]):
    """An interval of an advisor's circuit; the record is the one that it began with."""

    advisor: str
    interval: Interval

    @property
    def key(self) -> Key:
        """Where the row stands: an interval may begin when a cooldown ends, without a record."""
        return (self.interval.start, self.record.id)

    @property
    def circuit(self) -> Circuit | None:
        """The circuit that is open, or that the advisor recovers from."""
        outcome = self.interval.outcome
        return None if outcome is None or self.interval.state == "closed" else outcome.circuit

    @property
    def reason(self) -> Reason | None:
        """Why that circuit opened."""
        return self.interval.outcome.reason if self.circuit and self.interval.outcome else None


def rows(history: History) -> Iterator[IntervalEntry]:
    """The intervals of each advisor that was ever asked."""
    first = next(iter(history.ledger), None)
    for advisor in advisors(history):
        for interval in intervals(history, advisor):
            record = interval.outcome.record if interval.outcome else first
            if record is not None:
                yield IntervalEntry(history, record, advisor, interval)


TABLE = Table(
    "circuits",
    "an interval of one advisor",
    (
        RECORD_ID,
        stored(
            "opened_by",
            TEXT,
            "opened_by",
            "id of the consultation that opened the circuit; missing while it is closed",
            of="circuit",
        ),
        Column("advisor", TEXT, "advisor", "body.advisor of its outcomes", lambda row: row.advisor),
        stored("start", STAMP, "start", "when the interval begins", of="interval"),
        stored(
            "end",
            STAMP,
            "end",
            "when it ends, which is when the advisor's next one begins, or now",
            of="interval",
        ),
        stored(
            "state",
            words(CircuitState),
            "state",
            "closed: the advisor may be asked; open: it may not; recovering: it may again, "
            "and has not answered since",
            of="interval",
        ),
        Column(
            "reason",
            words(Reason),
            "why the circuit opened; missing while it is closed",
            "the circuit policy over the advisor's outcomes",
            lambda row: row.reason,
        ),
        stored(
            "failures",
            COUNT,
            "failures",
            "length of the run of failures that opened it; missing while it is closed",
            of="circuit",
        ),
        *LAST,
    ),
    rows,
    since="end",
)
