"""The state of a store, derived from its records alone in one pass: the same on every surface."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import (
    Assessment,
    Body,
    Conclusion,
    Consultation,
    Disagreement,
    Part,
    Plan,
    Record,
    Resolution,
    Validation,
)
from majordomus_reasoning.core.timeline import Step, first_line, timeline_step
from majordomus_reasoning.core.words import (
    Confidence,
    ConsultationStatus,
    Materiality,
    PlanOutcome,
    Stance,
)

AssessmentStanding = Literal[
    "open",
    "planned",
    "disputed",
    "concluded",
    "validated",
    "validation_failed",
    "superseded",
]
AnswerOrigin = Literal["asked", "reported"]
B = TypeVar("B", bound=Part)


@dataclass(frozen=True, slots=True)
class AssessmentState:
    """An assessment and where it stands; `conclusion` is the standing one.

    `outcome` and `reason` are those of its latest plan.
    """

    id: str
    at: str
    subject: str
    materiality: Materiality
    confidence: Confidence
    standing: AssessmentStanding
    plan: str | None
    outcome: PlanOutcome | None
    reason: str | None
    conclusion: str | None
    questions: tuple[str, ...]

    @property
    def is_resolved(self) -> bool:
        """Whether nothing is left to decide: it stands decided, or an earlier decision answers."""
        if self.standing == "planned":
            return self.outcome == "reuse_prior"
        return self.standing in {"concluded", "validated", "superseded"}


@dataclass(frozen=True, slots=True)
class ConsultationState:
    """One outcome of asking, and whether our driver asked or a caller reported it."""

    id: str
    at: str
    assessment: str | None
    plan: str
    advisor: str
    status: ConsultationStatus
    stance: Stance | None
    origin: AnswerOrigin
    diagnostic: str | None


@dataclass(frozen=True, slots=True)
class DisagreementState:
    """A disagreement; `resolution` and `favours` are None while it is unsettled."""

    id: str
    at: str
    assessment: str
    question: str
    sources: tuple[str, ...]
    resolution: str | None
    favours: str | None


@dataclass(frozen=True, slots=True)
class ConclusionState:
    """A decision, who reviewed it, and whether it held.

    It `stands` as the latest of its assessment that nobody supersedes.
    """

    id: str
    at: str
    assessment: str
    subject: str | None
    decision: str
    reviewed_by: tuple[str, ...]
    independent_review_count: int
    asked: int
    reported: int
    validations_passed: int
    validations_failed: int
    superseded_by: str | None
    stands: bool
    unweighed_since: tuple[str, ...]
    risks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over the records of the task asked for; tokens as reported, never estimated."""

    records: int = 0
    consultations_completed: int = 0
    consultations_failed: int = 0
    independent_reviewers: int = 0
    independent_sources: int = 0
    answers_asked: int = 0
    answers_reported: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """All that the records of a task (all tasks: None) say, in the order of records."""

    task: str | None
    assessments: tuple[AssessmentState, ...]
    consultations: tuple[ConsultationState, ...]
    disagreements: tuple[DisagreementState, ...]
    conclusions: tuple[ConclusionState, ...]
    timeline: tuple[Step, ...]
    totals: Totals
    unreadable: tuple[Unreadable, ...]

    def __repr__(self) -> str:
        count = f"records: {self.totals.records} ({self.task or 'all tasks'})"
        lines = (f"  {each.standing}: {first_line(each.subject)}" for each in self.assessments)
        return "\n".join([count, *lines])

    def within(self, ids: Collection[str]) -> State:
        """The state with the lists cut down to some records; totals and unreadable files whole."""
        return replace(
            self,
            assessments=tuple(each for each in self.assessments if each.id in ids),
            consultations=tuple(each for each in self.consultations if each.id in ids),
            disagreements=tuple(each for each in self.disagreements if each.id in ids),
            conclusions=tuple(each for each in self.conclusions if each.id in ids),
            timeline=tuple(each for each in self.timeline if each.id in ids),
        )


def derive_state(
    ledger: Ledger, task: str | None = None, unreadable: Iterable[Unreadable] = ()
) -> State:
    """The state of one task, or of all; references reach beyond the task.

    >>> derive_state(Ledger()).totals.records
    0
    """
    records = [record for record in ledger if task in {None, record.task}]
    found = _Found(records)
    return State(
        task=task,
        assessments=tuple(assessment_state(ledger, each) for each in found.of(Assessment)),
        consultations=tuple(_consultation_state(ledger, each) for each in found.of(Consultation)),
        disagreements=tuple(_disagreement_state(ledger, each) for each in found.of(Disagreement)),
        conclusions=tuple(conclusion_state(ledger, each) for each in found.of(Conclusion)),
        timeline=tuple(timeline_step(record) for record in records),
        totals=_totals(ledger, len(records), found.of(Consultation)),
        unreadable=tuple(unreadable),
    )


class _Found:
    """Records by kind, parted in one pass: a look at every record is what takes the time."""

    def __init__(self, records: Iterable[Record[Body]]) -> None:
        self._by_kind: dict[type[Part], list[Record[Any]]] = {}
        for record in records:
            self._by_kind.setdefault(type(record.body), []).append(record)

    def of(self, kind: type[B]) -> list[Record[B]]:
        """The records of a kind, in order."""
        return self._by_kind.get(kind, [])


def assessment_state(ledger: Ledger, record: Record[Assessment]) -> AssessmentState:
    """Where one assessment stands."""
    plans = ledger.children(record.id, Plan)
    latest = plans[-1].body.plan if plans else None
    conclusion = ledger.standing_conclusion(record.id)
    return AssessmentState(
        id=record.id,
        at=record.recorded_at,
        subject=record.body.subject,
        materiality=record.body.materiality,
        confidence=record.body.confidence,
        standing=_standing(ledger, record.id, conclusion, planned=bool(plans)),
        plan=plans[-1].id if plans else None,
        outcome=latest.outcome if latest else None,
        reason=latest.reason if latest else None,
        conclusion=conclusion.id if conclusion else None,
        questions=record.body.questions,
    )


def _standing(
    ledger: Ledger, assessment: str, conclusion: Record[Conclusion] | None, planned: bool
) -> AssessmentStanding:
    if ledger.unsettled(assessment):
        return "disputed"
    if conclusion:
        passed, failed = validations(ledger, conclusion.id)
        return "validation_failed" if failed else "validated" if passed else "concluded"
    for own in ledger.children(assessment, Conclusion):
        by = ledger.superseding(own.id)
        if by and by.body.assessment != assessment:
            return "superseded"
    return "planned" if planned else "open"


def validations(ledger: Ledger, conclusion: str) -> tuple[int, int]:
    """How many validations of a conclusion passed, and how many failed."""
    outcomes = [check.body.outcome for check in ledger.children(conclusion, Validation)]
    return outcomes.count("pass"), outcomes.count("fail")


def answer_origin(record: Record[Consultation]) -> AnswerOrigin:
    """Whether our driver performed the exchange, or a caller reported it."""
    return "asked" if record.origin == "asked" else "reported"


def _consultation_state(ledger: Ledger, record: Record[Consultation]) -> ConsultationState:
    assessment = ledger.assessment_of(record)
    return ConsultationState(
        id=record.id,
        at=record.recorded_at,
        assessment=assessment.id if assessment else None,
        plan=record.body.plan,
        advisor=record.body.advisor,
        status=record.body.status,
        stance=record.body.stance,
        origin=answer_origin(record),
        diagnostic=record.body.diagnostic,
    )


def _disagreement_state(ledger: Ledger, record: Record[Disagreement]) -> DisagreementState:
    resolution = next(iter(ledger.children(record.id, Resolution)), None)
    return DisagreementState(
        id=record.id,
        at=record.recorded_at,
        assessment=record.body.assessment,
        question=record.body.discriminating_question,
        sources=tuple(position.source for position in record.body.positions),
        resolution=resolution.id if resolution else None,
        favours=resolution.body.favours if resolution else None,
    )


def conclusion_state(ledger: Ledger, record: Record[Conclusion]) -> ConclusionState:
    """One decision: its review, its validations, and what it has not weighed."""
    assessment = ledger.find(record.body.assessment, Assessment)
    cited = [ledger.find(name, Consultation) for name in record.body.consultations]
    origins = [answer_origin(answer) for answer in cited if answer]
    passed, failed = validations(ledger, record.id)
    by = ledger.superseding(record.id)
    # Only one that nobody supersedes can stand: so not all of them are looked through for each.
    stands = by is None and _stands(ledger, record)
    return ConclusionState(
        id=record.id,
        at=record.recorded_at,
        assessment=record.body.assessment,
        subject=assessment.body.subject if assessment else None,
        decision=record.body.decision,
        reviewed_by=record.body.reviewed_by,
        independent_review_count=record.body.independent_review_count,
        asked=origins.count("asked"),
        reported=origins.count("reported"),
        validations_passed=passed,
        validations_failed=failed,
        superseded_by=by.id if by else None,
        stands=stands,
        unweighed_since=unweighed_since(ledger, record) if stands else (),
        risks=record.body.risks,
    )


def _stands(ledger: Ledger, conclusion: Record[Conclusion]) -> bool:
    standing = ledger.standing_conclusion(conclusion.body.assessment)
    return standing is not None and standing.id == conclusion.id


def unweighed_since(ledger: Ledger, conclusion: Record[Conclusion]) -> tuple[str, ...]:
    """What came to the assessment after its standing conclusion and is not weighed by it."""
    if not _stands(ledger, conclusion):
        return ()
    return not_weighed(ledger, conclusion)


def not_weighed(ledger: Ledger, conclusion: Record[Conclusion]) -> tuple[str, ...]:
    """What came to the assessment after a conclusion and is not cited, whether it stands or not.

    What is backdated came after it too, since else it would have had to be cited.
    """
    assessment = conclusion.body.assessment
    cited = {*conclusion.body.consultations, *conclusion.body.disagreements}
    came: list[Record[Any]] = [*ledger.answers(assessment)]
    came += ledger.children(assessment, Disagreement)
    late = [
        record
        for record in came
        if record.id not in cited and (record.key > conclusion.key or record.id in ledger.backdated)
    ]
    return tuple(record.id for record in sorted(late, key=lambda record: record.key))


def source_of(ledger: Ledger, consultation: Record[Consultation]) -> str:
    """Whose opinion an answer is, by its plan's snapshot; the advisor itself where that is gone."""
    plan = ledger.find(consultation.body.plan, Plan)
    for state in plan.body.availability if plan else ():
        if state.id == consultation.body.advisor:
            return state.independent_source
    return consultation.body.advisor


def _totals(ledger: Ledger, records: int, consultations: list[Record[Consultation]]) -> Totals:
    answers = [record for record in consultations if record.body.status == "completed"]
    asked = sum(answer_origin(record) == "asked" for record in answers)
    usages = [record.body.usage for record in consultations if record.body.usage]
    return Totals(
        records=records,
        consultations_completed=len(answers),
        consultations_failed=len(consultations) - len(answers),
        independent_reviewers=len({record.body.advisor for record in answers}),
        independent_sources=len({source_of(ledger, record) for record in answers}),
        answers_asked=asked,
        answers_reported=len(answers) - asked,
        input_tokens=sum(usage.input_tokens or 0 for usage in usages),
        output_tokens=sum(usage.output_tokens or 0 for usage in usages),
    )


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """A record, the assessment it belongs to, and that assessment's whole chain."""

    record: Record[Body]
    assessment: str | None
    chain: tuple[Record[Body], ...]

    def __repr__(self) -> str:
        steps = (timeline_step(each) for each in self.chain)
        lines = (f"  {step.at}  {step.phase}: {step.summary} ({step.id})" for step in steps)
        return "\n".join([f"{self.record.id}, of {self.assessment or 'no assessment'}:", *lines])


def explain(ledger: Ledger, record: Record[Body]) -> Explanation:
    """The record with its assessment's chain; a record of no assessment stands alone."""
    assessment = ledger.assessment_of(record)
    if assessment is None:
        return Explanation(record, None, (record,))
    return Explanation(record, assessment.id, tuple(ledger.chain(assessment.id)))
