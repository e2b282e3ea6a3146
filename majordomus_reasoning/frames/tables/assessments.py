"""`assessments`: a row is an assessment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import get_args

from majordomus_reasoning.core.records import Assessment, Attempt, Conclusion
from majordomus_reasoning.core.state import AssessmentStanding, AssessmentState, assessment_state
from majordomus_reasoning.core.words import EvidenceKind, PlanOutcome
from majordomus_reasoning.frames.dtypes import COUNT, STAMP, TEXT, words
from majordomus_reasoning.frames.entries import (
    AT,
    LAST,
    MATERIALITY,
    RECORD_ID,
    SECOND,
    SUBJECT,
    TASK,
    Entry,
    confidence,
    count,
    whole,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored


@dataclass(eq=False)
class AssessmentEntry(Entry[Assessment]):
    """An assessment and where it stands."""

    @cached_property
    def state(self) -> AssessmentState:
        """Where the assessment stands."""
        return assessment_state(self.ledger, self.record)

    @cached_property
    def evidence(self) -> Counter[str]:
        """How often the assessment cites each kind of evidence."""
        return Counter(each.kind for each in self.record.body.evidence)

    @property
    def decided_at(self) -> datetime | None:
        """When the standing conclusion was recorded."""
        conclusion = self.ledger.find(self.state.conclusion, Conclusion)
        return conclusion.at if conclusion else None

    @property
    def reviewers(self) -> int:
        """How many advisors answered."""
        return len({answer.body.advisor for answer in self.ledger.answers(self.record.id)})

    @property
    def open_questions(self) -> int:
        """How many questions are open: those of an assessment that is not resolved."""
        return 0 if self.state.is_resolved else len(self.record.body.questions)


def rows(history: History) -> Iterator[AssessmentEntry]:
    """One entry for each assessment, in order."""
    return (AssessmentEntry(history, record) for record in history.ledger.of_kind(Assessment))


def _evidence_count(kind: str) -> Column:
    return count(
        f"evidence_{kind}",
        f"evidence of the kind `{kind}` that the assessment cites",
        "body.evidence",
        lambda row: row.evidence.get(kind, 0),
    )


TABLE = Table(
    "assessments",
    "an assessment",
    (
        RECORD_ID,
        stored("plan_id", TEXT, "plan", "id of its latest plan", of="state"),
        stored("conclusion_id", TEXT, "conclusion", "id of its standing conclusion", of="state"),
        TASK,
        AT,
        SUBJECT,
        MATERIALITY,
        confidence("how sure the author was of the hypothesis"),
        stored("standing", words(AssessmentStanding), "standing", "where it stands", of="state"),
        *(_evidence_count(kind) for kind in get_args(EvidenceKind)),
        stored(
            "plan_outcome",
            words(PlanOutcome),
            "outcome",
            "what its latest plan came to",
            of="state",
        ),
        Column(
            "reviewers",
            COUNT,
            "advisors that answered, each once",
            "completed consultations of its plans",
            lambda row: row.reviewers,
        ),
        Column(
            "decided_at",
            STAMP,
            "when its standing conclusion was recorded",
            "recorded_at of the conclusion",
            lambda row: row.decided_at,
        ),
        Column(
            "seconds_to_conclusion",
            COUNT,
            "whole seconds from the assessment to its standing conclusion",
            "decided_at and at",
            lambda row: whole(SECOND, row.record.at, row.decided_at),
            "seconds",
        ),
        count(
            "attempts",
            "attempts recorded for it",
            "its attempts",
            lambda row: len(row.ledger.children(row.record.id, Attempt)),
        ),
        count(
            "open_questions",
            "its questions while it is not resolved, 0 from then on",
            "body.questions and standing",
            lambda row: row.open_questions,
        ),
        *LAST,
    ),
    rows,
    assessment="record_id",
)
