"""`timeline`: a row is a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from majordomus_reasoning.core.records import Body, Consultation
from majordomus_reasoning.core.timeline import Phase, timeline_line
from majordomus_reasoning.frames.dtypes import COUNT, TEXT, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    RECORD_ID,
    SECOND,
    TASK,
    Entry,
    whole,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table
from majordomus_reasoning.frames.tables.records import KIND


@dataclass(eq=False)
class StepEntry(Entry[Body]):
    """A record as a step, and when the step before it in its assessment was taken."""

    previous: datetime | None = None

    @cached_property
    def line(self) -> tuple[Phase, str]:
        """What the step was part of, and the step in one line."""
        return timeline_line(self.record.body)

    @property
    def advisor(self) -> str | None:
        """The advisor that was asked, None where the step is no consultation."""
        body = self.record.body
        return body.advisor if isinstance(body, Consultation) else None

    @property
    def opened(self) -> datetime | None:
        """When the assessment of the step was recorded."""
        return self.assessment.at if self.assessment else None


def rows(history: History) -> Iterator[StepEntry]:
    """One step for each record, in order."""
    latest: dict[str, datetime] = {}
    for record in history.ledger:
        step = StepEntry(history, record)
        if step.assessment:
            step.previous = latest.get(step.assessment.id)
            latest[step.assessment.id] = record.at
        yield step


TABLE = Table(
    "timeline",
    "a step",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        TASK,
        AT,
        Column(
            "phase",
            words(Phase),
            "what the step was part of",
            "kind and outcome of the record",
            lambda row: row.line[0],
        ),
        KIND,
        Column(
            "advisor",
            TEXT,
            "advisor that was asked, missing where the step is no consultation",
            "body.advisor",
            lambda row: row.advisor,
        ),
        Column(
            "summary",
            TEXT,
            "the step in at most 140 characters",
            "what the record says first",
            lambda row: row.line[1],
        ),
        Column(
            "seconds_since_previous",
            COUNT,
            "whole seconds since the previous step of the same assessment",
            "recorded_at of both",
            lambda row: whole(SECOND, row.previous, row.record.at),
            "seconds",
        ),
        Column(
            "seconds_since_assessment",
            COUNT,
            "whole seconds since the assessment was recorded",
            "recorded_at of both",
            lambda row: whole(SECOND, row.opened, row.record.at),
            "seconds",
        ),
        *LAST,
    ),
    rows,
)
