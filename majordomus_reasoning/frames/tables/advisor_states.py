"""`advisor_states`: a row is an advisor in one plan's snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from majordomus_reasoning.core.records import AdvisorState, Plan
from majordomus_reasoning.core.words import AdvisorStatus, Reason, Transport, instant
from majordomus_reasoning.frames.dtypes import COUNT, FLAG, STAMP, TEXT, words
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


@dataclass(eq=False)
class StateEntry(Entry[Plan]):
    """An advisor's state in a plan's snapshot."""

    state: AdvisorState

    @property
    def until(self) -> datetime | None:
        """When the cooldown of its circuit ends, None while that is closed."""
        return instant(self.state.circuit.until) if self.state.circuit else None


def rows(history: History) -> Iterator[StateEntry]:
    """One entry for each advisor of each plan, in the snapshot's order."""
    return (
        StateEntry(history, record, state)
        for record in history.ledger.of_kind(Plan)
        for state in record.body.availability
    )


PLAN_ID = stored("plan_id", TEXT, "id", "id of the plan, under the name that other tables give it")

TABLE = Table(
    "advisor_states",
    "an advisor in one plan's snapshot",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        PLAN_ID,
        TASK,
        AT,
        stored("advisor", TEXT, "id", "advisor", of="state"),
        stored("transport", words(Transport), "transport", "how it is reached", of="state"),
        stored("adapter", TEXT, "adapter", "adapter that speaks to it", of="state"),
        Column(
            "advisor_source",
            TEXT,
            "whose opinion its answers are",
            "source, else adapter",
            lambda row: row.state.independent_source,
        ),
        stored("model", TEXT, "model", "model that the catalogue declares for it", of="state"),
        stored("status", words(AdvisorStatus), "status", "whether it could be asked", of="state"),
        stored("reason", words(Reason), "reason", "why it had that status", of="state"),
        stored(
            "recovering",
            FLAG,
            "recovering",
            "whether it was back from a cooldown and had not answered since",
            of="state",
        ),
        stored(
            "circuit_opened_by",
            TEXT,
            "circuit.opened_by",
            "id of the consultation that opened its circuit, missing while that is closed",
            of="state",
        ),
        stored(
            "circuit_failures",
            COUNT,
            "circuit.failures",
            "length of the run of failures that opened the circuit",
            of="state",
        ),
        Column(
            "circuit_until",
            STAMP,
            "when the cooldown ends",
            "circuit.until",
            lambda row: row.until,
        ),
        *LAST,
    ),
    rows,
)
