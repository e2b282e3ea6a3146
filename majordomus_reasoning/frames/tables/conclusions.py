"""`conclusions`: a row is a conclusion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from majordomus_reasoning.core.records import Conclusion, Consultation, Record
from majordomus_reasoning.core.state import (
    AnswerOrigin,
    answer_origin,
    not_weighed,
    source_of,
    validations,
)
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
    Entry,
    confidence,
    count,
    joined,
    whole,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored

ConclusionStanding = Literal["concluded", "validated", "validation_failed", "superseded"]


@dataclass(eq=False)
class ConclusionEntry(Entry[Conclusion]):
    """A conclusion, its review, and whether it stands and held."""

    @cached_property
    def superseding(self) -> Record[Conclusion] | None:
        """The conclusion that supersedes it."""
        return self.ledger.superseding(self.record.id)

    @cached_property
    def successor(self) -> Record[Conclusion] | None:
        """What took its place: the one that supersedes it, else the one that stands instead."""
        by = self.superseding
        standing = by or self.ledger.standing_conclusion(self.record.body.assessment)
        return None if standing and standing.id == self.record.id else standing

    @cached_property
    def validations(self) -> tuple[int, int]:
        """How many validations passed, and how many failed."""
        return validations(self.ledger, self.record.id)

    @cached_property
    def unweighed_since(self) -> tuple[str, ...]:
        """What came after it and it does not weigh; nothing, once it no longer stands."""
        return () if self.successor else not_weighed(self.ledger, self.record)

    @cached_property
    def cited(self) -> list[Record[Consultation]]:
        """The consultations that it cites, those that are recorded."""
        found = (self.ledger.find(name, Consultation) for name in self.record.body.consultations)
        return [each for each in found if each]

    def count(self, origin: AnswerOrigin) -> int:
        """How many of the cited consultations are of an origin."""
        return sum(answer_origin(each) == origin for each in self.cited)

    @property
    def standing(self) -> ConclusionStanding:
        """Whether it stands, and what its validations said."""
        if self.successor:
            return "superseded"
        passed, failed = self.validations
        return "validation_failed" if failed else "validated" if passed else "concluded"

    @property
    def stood_until(self) -> datetime | None:
        """When it ceased to stand; the end of the observed time while it stands."""
        return self.successor.at if self.successor else self.history.end

    @property
    def sources(self) -> int:
        """How many independent sources stand behind the answers that it cites."""
        answers = [each for each in self.cited if each.body.status == "completed"]
        return len({source_of(self.ledger, answer) for answer in answers})


def rows(history: History) -> Iterator[ConclusionEntry]:
    """One entry for each conclusion, in order."""
    return (ConclusionEntry(history, record) for record in history.ledger.of_kind(Conclusion))


DECISION = stored("decision", TEXT, "body.decision", "what was decided")
UNWEIGHED = Column(
    "unweighed_since",
    TEXT,
    "ids of the answers and disagreements that came after it and that it does not weigh",
    "later completed consultations and disagreements of its assessment",
    lambda row: joined(row.unweighed_since),
)


TABLE = Table(
    "conclusions",
    "a conclusion",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        stored("supersedes", TEXT, "body.supersedes", "id of the conclusion that it replaces"),
        stored(
            "superseded_by",
            TEXT,
            "id",
            "id of the conclusion that replaced it",
            of="superseding",
        ),
        TASK,
        AT,
        SUBJECT,
        MATERIALITY,
        DECISION,
        confidence("how sure the author was of the decision"),
        Column(
            "reviewed_by",
            TEXT,
            "advisors whose answers it cites, each once; missing for local reasoning",
            "body.reviewed_by",
            lambda row: joined(row.record.body.reviewed_by),
        ),
        stored(
            "independent_review_count",
            COUNT,
            "body.independent_review_count",
            "how many advisors reviewed it",
        ),
        count(
            "distinct_sources",
            "independent sources behind the answers that it cites",
            "body.consultations and the snapshots of their plans",
            lambda row: row.sources,
        ),
        count(
            "asked",
            "cited answers that our driver asked for",
            "origin of the consultations",
            lambda row: row.count("asked"),
        ),
        count(
            "reported",
            "cited answers that a caller reported",
            "origin of the consultations",
            lambda row: row.count("reported"),
        ),
        UNWEIGHED,
        count(
            "validations_passed",
            "validations that passed",
            "outcome of its validations",
            lambda row: row.validations[0],
        ),
        count(
            "validations_failed",
            "validations that failed",
            "outcome of its validations",
            lambda row: row.validations[1],
        ),
        Column(
            "standing",
            words(ConclusionStanding),
            "superseded once another took its place, else what its validations said",
            "later conclusions and its validations",
            lambda row: row.standing,
        ),
        Column(
            "days_stood",
            COUNT,
            "whole days from its recording until another took its place, or until now",
            "recorded_at of both, or the clock",
            lambda row: whole(DAY, row.record.at, row.stood_until),
            "days",
        ),
        *LAST,
    ),
    rows,
)
