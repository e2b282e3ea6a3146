"""`failures`: a row is a consultation that did not complete."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from majordomus_reasoning.core.records import Consultation
from majordomus_reasoning.core.words import ConsultationStatus
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
from majordomus_reasoning.frames.outages import Outcome, advisors, outcomes, seconds_out
from majordomus_reasoning.frames.table import Column, Table, stored
from majordomus_reasoning.frames.tables.consultations import ADVISOR, PLAN_ID, STATUS


@dataclass(eq=False)
class FailureEntry(Entry[Consultation]):
    """A consultation that did not complete, and what followed from it."""

    outcome: Outcome


def rows(history: History) -> Iterator[FailureEntry]:
    """One entry for each consultation that did not complete, by advisor."""
    return (
        FailureEntry(history, outcome.record, outcome)
        for advisor in advisors(history)
        for outcome in outcomes(history, advisor)
        if outcome.record.body.status != "completed"
    )


TABLE = Table(
    "failures",
    "a consultation that did not complete",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        PLAN_ID,
        stored(
            "next_id",
            TEXT,
            "next.id",
            "id of the advisor's next outcome, cancelled ones passed over",
            of="outcome",
        ),
        TASK,
        AT,
        ADVISOR,
        STATUS,
        stored(
            "streak",
            COUNT,
            "streak",
            "number of the advisor's streak of failures, from 1; a completed consultation ends "
            "one; missing for a cancelled one, which tells nothing",
            of="outcome",
        ),
        stored(
            "streak_position",
            COUNT,
            "streak_position",
            "place in that streak, from 1",
            of="outcome",
        ),
        Column(
            "opened_circuit",
            FLAG,
            "whether it opened the advisor's circuit, or kept it open from then on",
            "the circuit policy over the advisor's outcomes",
            lambda row: row.outcome.opened_circuit,
        ),
        Column(
            "seconds_out",
            COUNT,
            "whole seconds that this circuit was open: to the end of the cooldown, the next "
            "outcome or now, whichever came first; missing where it opened none",
            "the circuit policy and the next outcome",
            lambda row: seconds_out(row.outcome, row.history.end),
            "seconds",
        ),
        stored(
            "next_status",
            words(ConsultationStatus),
            "next.body.status",
            "how that next outcome ended",
            of="outcome",
        ),
        stored("next_at", STAMP, "next.at", "when that next outcome was recorded", of="outcome"),
        *LAST,
    ),
    rows,
)
