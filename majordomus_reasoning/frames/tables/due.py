"""`due`: a row is a standing conclusion that waits for something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from majordomus_reasoning.frames.dtypes import COUNT, TEXT, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    DAY,
    LAST,
    MATERIALITY,
    RECORD_ID,
    SUBJECT,
    TASK,
    joined,
    whole,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table
from majordomus_reasoning.frames.tables import conclusions
from majordomus_reasoning.frames.tables.conclusions import DECISION, UNWEIGHED, ConclusionEntry

WhyDue = Literal["not_validated", "unweighed", "not_validated_and_unweighed"]


def why_due(row: ConclusionEntry) -> WhyDue | None:
    """What a conclusion waits for; None where it waits for nothing or does not stand."""
    if row.successor:
        return None
    unweighed = bool(row.unweighed_since)
    if any(row.validations):
        return "unweighed" if unweighed else None
    return "not_validated_and_unweighed" if unweighed else "not_validated"


def rows(history: History) -> Iterator[ConclusionEntry]:
    """The entries of the conclusions that wait for something, in order."""
    return (row for row in conclusions.rows(history) if why_due(row))


TABLE = Table(
    "due",
    "a standing conclusion without a validation, or with something unweighed since",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        TASK,
        AT,
        SUBJECT,
        MATERIALITY,
        DECISION,
        Column(
            "why",
            words(WhyDue),
            "why it is due",
            "its validations, and what came after it",
            why_due,
        ),
        UNWEIGHED,
        Column(
            "age_days",
            COUNT,
            "whole days since its recording",
            "recorded_at and the clock",
            lambda row: whole(DAY, row.record.at, row.history.end),
            "days",
        ),
        Column(
            "validation_plan",
            TEXT,
            "how its author means to prove it, steps parted by semicolons",
            "body.validation_plan",
            lambda row: joined(row.record.body.validation_plan, "; "),
        ),
        *LAST,
    ),
    rows,
)
