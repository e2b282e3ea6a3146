"""`consultations`: a row is a consultation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from majordomus_reasoning.core.records import AdvisorState, Consultation, Plan, Record
from majordomus_reasoning.core.state import AnswerOrigin, answer_origin, source_of
from majordomus_reasoning.core.words import TRANSIENT, ConsultationStatus, Mode, Stance, Transport
from majordomus_reasoning.frames.dtypes import COUNT, FLAG, TEXT, words
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    MATERIALITY,
    RECORD_ID,
    TASK,
    Entry,
    confidence,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored


@dataclass(eq=False)
class ConsultationEntry(Entry[Consultation]):
    """A consultation with its plan, and what the plan knew of the advisor."""

    @cached_property
    def plan(self) -> Record[Plan] | None:
        """The plan that it was made under, where that is recorded."""
        return self.ledger.find(self.record.body.plan, Plan)

    @cached_property
    def snapshot(self) -> AdvisorState | None:
        """The advisor's state in the plan's snapshot."""
        states = self.plan.body.availability if self.plan else ()
        return next((state for state in states if state.id == self.record.body.advisor), None)

    @property
    def model(self) -> str | None:
        """The model as the server named it, else as the plan's snapshot declares it."""
        named = self.record.exchange.model if self.record.exchange else None
        return named or (self.snapshot.model if self.snapshot else None)

    @property
    def plan_position(self) -> int | None:
        """The advisor's place among those that the plan selected, from 1."""
        selected = self.plan.body.plan.selected if self.plan else ()
        names = [selection.advisor for selection in selected]
        advisor = self.record.body.advisor
        return names.index(advisor) + 1 if advisor in names else None


def rows(history: History) -> Iterator[ConsultationEntry]:
    """One entry for each consultation, in order."""
    return (ConsultationEntry(history, record) for record in history.ledger.of_kind(Consultation))


PLAN_ID = stored("plan_id", TEXT, "body.plan", "id of the plan that it was made under")
ADVISOR = stored("advisor", TEXT, "body.advisor", "advisor that was asked")
STATUS = stored("status", words(ConsultationStatus), "body.status", "how it ended")

TABLE = Table(
    "consultations",
    "a consultation",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        PLAN_ID,
        TASK,
        AT,
        ADVISOR,
        stored(
            "transport",
            words(Transport),
            "transport",
            "how the advisor is reached, by the plan's snapshot",
            of="snapshot",
        ),
        stored(
            "adapter",
            TEXT,
            "adapter",
            "adapter that speaks to the advisor, by the plan's snapshot",
            of="snapshot",
        ),
        Column(
            "advisor_source",
            TEXT,
            "whose opinion it is: answers of one source are one opinion",
            "source, else adapter, of the plan's snapshot; else the advisor",
            lambda row: source_of(row.ledger, row.record),
        ),
        Column(
            "model",
            TEXT,
            "model as the server named it, else as the plan's snapshot declares it",
            "exchange.model, else the plan's snapshot",
            lambda row: row.model,
        ),
        stored("client", TEXT, "exchange.client", "client that performed the exchange"),
        stored("client_version", TEXT, "exchange.client_version", "version of that client"),
        Column(
            "answer_origin",
            words(AnswerOrigin),
            "asked where our driver performed the exchange, else reported",
            "origin",
            lambda row: answer_origin(row.record),
        ),
        STATUS,
        Column(
            "transient",
            FLAG,
            "whether it failed in a way that may pass by itself",
            "body.status",
            lambda row: row.record.body.status in TRANSIENT,
        ),
        stored("stance", words(Stance), "body.stance", "how the answer stands to the hypothesis"),
        confidence("how sure the advisor said it was"),
        stored("duration_ms", COUNT, "body.duration_ms", "how long it took", unit="milliseconds"),
        stored(
            "input_tokens",
            COUNT,
            "body.usage.input_tokens",
            "tokens read, as the adapter reported them",
            unit="tokens",
        ),
        stored(
            "output_tokens",
            COUNT,
            "body.usage.output_tokens",
            "tokens written, as the adapter reported them",
            unit="tokens",
        ),
        stored(
            "retry_after_seconds",
            COUNT,
            "body.retry_after_seconds",
            "how long the advisor asked to be left alone",
            unit="seconds",
        ),
        stored("diagnostic", TEXT, "body.diagnostic", "what was said of a failure"),
        MATERIALITY,
        stored("mode", words(Mode), "body.plan.mode", "reasoning mode of the plan", of="plan"),
        Column(
            "plan_position",
            COUNT,
            "place among those that the plan selected, from 1",
            "selected of the plan",
            lambda row: row.plan_position,
        ),
        *LAST,
    ),
    rows,
)
