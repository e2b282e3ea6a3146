"""`selections`: a row is an advisor that one plan selected or excluded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from majordomus_reasoning.core.records import Plan
from majordomus_reasoning.core.words import AdvisorStatus
from majordomus_reasoning.frames.dtypes import COUNT, FLAG, TEXT, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    RECORD_ID,
    TASK,
    Entry,
    joined,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table
from majordomus_reasoning.frames.tables.advisor_states import PLAN_ID


@dataclass(eq=False)
class SelectionEntry(Entry[Plan]):
    """What a plan made of an advisor; `position` counts the selected from 1."""

    advisor: str
    why: str
    position: int | None = None
    covers: str | None = None
    status: AdvisorStatus | None = None


def rows(history: History) -> Iterator[SelectionEntry]:
    """The selected of each plan in order, then its excluded."""
    for record in history.ledger.of_kind(Plan):
        plan = record.body.plan
        for place, each in enumerate(plan.selected, 1):
            covers = joined(each.covers)
            yield SelectionEntry(history, record, each.advisor, each.why, place, covers)
        for left in plan.excluded:
            yield SelectionEntry(history, record, left.advisor, left.reason, status=left.status)


TABLE = Table(
    "selections",
    "an advisor in one plan",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        PLAN_ID,
        TASK,
        AT,
        Column(
            "advisor", TEXT, "advisor", "selected or excluded of the plan", lambda row: row.advisor
        ),
        Column(
            "selected",
            FLAG,
            "whether the plan asks it",
            "selected or excluded of the plan",
            lambda row: row.position is not None,
        ),
        Column(
            "plan_position",
            COUNT,
            "place among the selected, from 1, missing for the excluded",
            "order of selected",
            lambda row: row.position,
        ),
        Column(
            "covers",
            TEXT,
            "requested capabilities that it adds, missing for the excluded",
            "selected.covers",
            lambda row: row.covers,
        ),
        Column(
            "status",
            words(AdvisorStatus),
            "status of the excluded, missing for the selected",
            "excluded.status",
            lambda row: row.status,
        ),
        Column(
            "why",
            TEXT,
            "why it was chosen, or why not",
            "selected.why or excluded.reason",
            lambda row: row.why,
        ),
        *LAST,
    ),
    rows,
)
