"""Who may become a record: a draft and the ledger give a body, or a `Refusal`.

`judge` holds a body against the records; `admit` does so for a draft and computes what only the
writer may say. Each refusal is one sentence with a machine code; nothing is written before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.core.ledger import Ledger, same_subject
from majordomus_reasoning.core.policy import Request, review_plan
from majordomus_reasoning.core.records import (
    BODIES,
    INPUTS,
    KINDS,
    PARENT_FIELD,
    Assessment,
    Attempt,
    Body,
    Conclusion,
    ConclusionInput,
    Consultation,
    Disagreement,
    Evidence,
    Input,
    Part,
    Plan,
    PlanInput,
    Record,
    Resolution,
    Validation,
    texts_of,
)
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import NEITHER, PRIMARY, Materiality, is_blank, is_material
from majordomus_reasoning.errors import Refusal

B = TypeVar("B", bound=Part)
Situate = Callable[[], Situation]


def admit(body: Input, ledger: Ledger, situate: Situate, now: datetime) -> Body:
    """The body to store: the draft, held against the records, with what the writer computes.

    `situate` is called only where the situation matters (a plan, requested capabilities), so that
    a broken catalogue stops nothing else. Raises Refusal.
    """
    admissible(body, ledger, situate)
    if isinstance(body, PlanInput):
        return _plan(body, ledger, situate(), now)
    if isinstance(body, ConclusionInput):
        return _conclusion(body, ledger)
    return body


def admissible(body: Input, ledger: Ledger, situate: Situate) -> None:
    """Refuse what `admit` would refuse; nothing is computed."""
    judge(body, ledger)
    if isinstance(body, Assessment):
        check_vocabulary(body.capabilities, situate)


def check_vocabulary(capabilities: Sequence[str], situate: Situate) -> None:
    """Refuse a capability that the catalogue's vocabulary lacks."""
    vocabulary = situate().catalogue.vocabulary if capabilities else ()
    for word in capabilities:
        if word not in vocabulary:
            message = f"{shown(word)} is no capability of the catalogue: `advisors` lists them."
            raise Refusal("unknown_capability", message, "capabilities")


def _plan(body: PlanInput, ledger: Ledger, situation: Situation, now: datetime) -> Plan:
    assessment = _named(ledger, "assessment", body.assessment, Assessment)
    prior = ledger.prior_decision(assessment)
    request = Request(
        materiality=assessment.body.materiality,
        confidence=assessment.body.confidence,
        capabilities=assessment.body.capabilities,
        prior_conclusion=prior.id if prior else None,
        new_evidence=assessment.body.new_evidence,
    )
    states = situation.states(ledger, now)
    plan = review_plan(request, states, situation.mode)
    return Plan(kind="plan", assessment=body.assessment, plan=plan, availability=states)


def _conclusion(body: ConclusionInput, ledger: Ledger) -> Conclusion:
    reviewers = reviewed_by(body, ledger)
    return Conclusion.model_validate(
        {
            **{name: getattr(body, name) for name in body.model_fields_set},
            "reviewed_by": reviewers,
            "independent_review_count": len(reviewers),
        }
    )


def reviewed_by(body: ConclusionInput, ledger: Ledger) -> tuple[str, ...]:
    """The advisors of the completed consultations that a conclusion cites, each once, sorted."""
    cited = (ledger.find(name, Consultation) for name in body.consultations)
    answers = (each for each in cited if each and each.body.status == "completed")
    return tuple(sorted({answer.body.advisor for answer in answers}))


def judge(body: Input | Body, ledger: Ledger) -> None:
    """Hold a body against the records that were there before it; Refusal where a rule forbids it.

    The same rules admit a new record and check a stored one.
    """
    evidence: tuple[Evidence, ...] = getattr(body, "evidence", ())
    for each in evidence:
        if each.kind == "record" and ledger.get(each.reference) is None:
            _refuse_unknown("evidence", each.reference)
    for kind, rule in _RULES.items():
        if isinstance(body, kind):
            rule(body, ledger)


def _refuse_unknown(field: str, name: str) -> NoReturn:
    message = f"{field} names {shown(name)}, which is not recorded: name a recorded id."
    raise Refusal("unknown_reference", message, field)


def _named(ledger: Ledger, field: str, name: str, kind: type[B]) -> Record[B]:
    record = ledger.get(name)
    if record is None:
        _refuse_unknown(field, name)
    found = ledger.find(name, kind)
    if found is None:
        wanted = kind.__name__.lower()
        message = f"{field} names {shown(name)}, of the kind {record.kind}: name one of {wanted}."
        raise Refusal("wrong_kind", message, field)
    return found


def _assessment(body: Assessment, _ledger: Ledger) -> None:
    _need_evidence(body.materiality, body.evidence, "assessment")


def _need_evidence(materiality: Materiality, evidence: Sequence[Evidence], what: str) -> None:
    if is_material(materiality) and not evidence:
        message = f"evidence is missing: with {materiality} materiality the {what} cites some."
        raise Refusal("evidence_missing", message, "evidence")


def _plan_request(body: PlanInput, ledger: Ledger) -> None:
    _named(ledger, "assessment", body.assessment, Assessment)


def _consultation(body: Consultation, ledger: Ledger) -> None:
    plan = _named(ledger, "plan", body.plan, Plan)
    if body.advisor not in {selection.advisor for selection in plan.body.plan.selected}:
        message = f"the plan {plan.id} did not select {shown(body.advisor)}: record a new plan."
        raise Refusal("not_selected", message, "advisor")
    if body.status != "completed":
        if body.conclusion is not None:
            message = f"conclusion goes with completed, not with {body.status}: leave it out."
            raise Refusal("conclusion_without_answer", message, "conclusion")
        return
    if body.conclusion is None or is_blank(body.conclusion):
        message = "conclusion is missing: a completed consultation says what the answer was."
        raise Refusal("conclusion_missing", message, "conclusion")
    if body.stance is None:
        message = "stance is missing: a completed consultation says where the answer stands."
        raise Refusal("stance_missing", message, "stance")
    for other in ledger.children(plan.id, Consultation):
        if other.body.advisor == body.advisor and other.body.status == "completed":
            message = f"{other.id} is the answer of {body.advisor} under this plan: plan again."
            raise Refusal("answered_already", message, "advisor")


def _disagreement(body: Disagreement, ledger: Ledger) -> None:
    assessment = _named(ledger, "assessment", body.assessment, Assessment)
    if len(body.positions) < 2:
        message = f"positions holds {len(body.positions)}: a disagreement needs two or more."
        raise Refusal("positions_missing", message, "positions")
    sources = [position.source for position in body.positions]
    held = set[str]()
    for place, source in enumerate(sources):
        if source in held:
            field = f"positions[{place}].source"
            message = f"{field} repeats {shown(source)}: one source holds one position."
            raise Refusal("duplicate_source", message, field)
        held.add(source)
    for place, source in enumerate(sources):
        if source != PRIMARY and not _is_answer(source, ledger, assessment.id):
            field = f"positions[{place}].source"
            message = (
                f"{field} is {shown(source)}, which holds no position here: name {PRIMARY} or the "
                "id of a completed consultation of this assessment."
            )
            raise Refusal("no_position", message, field)


def _is_answer(name: str, ledger: Ledger, assessment: str) -> bool:
    """Whether a name is that of a completed consultation of an assessment."""
    answer = ledger.find(name, Consultation)
    if answer is None or answer.body.status != "completed":
        return False
    owner = ledger.assessment_of(answer)
    return owner is not None and owner.id == assessment


def _resolution(body: Resolution, ledger: Ledger) -> None:
    disagreement = _named(ledger, "disagreement", body.disagreement, Disagreement)
    if not body.evidence:
        message = "evidence is missing: a disagreement is settled by evidence alone."
        raise Refusal("evidence_missing", message, "evidence")
    sources = [position.source for position in disagreement.body.positions]
    if body.favours not in {*sources, NEITHER}:
        known = shown(", ".join([NEITHER, *sources]), 400)
        message = f"favours is {shown(body.favours)}: name one of {known}."
        raise Refusal("unknown_position", message, "favours")
    settled = next(iter(ledger.children(disagreement.id, Resolution)), None)
    if settled:
        message = f"{settled.id} settled the disagreement already: it is settled once."
        raise Refusal("resolved_already", message, "disagreement")


def _conclude(body: ConclusionInput, ledger: Ledger) -> None:
    assessment = _named(ledger, "assessment", body.assessment, Assessment)
    materiality = assessment.body.materiality
    _need_evidence(materiality, body.evidence, "conclusion")
    if is_material(materiality) and not body.validation_plan:
        message = f"validation_plan is missing: {materiality} materiality says how it is proven."
        raise Refusal("validation_plan_missing", message, "validation_plan")
    _weigh(body, ledger, assessment.id)
    _settle(body, ledger, assessment.id)
    _supersede(body, ledger, assessment)


def _weigh(body: ConclusionInput, ledger: Ledger, assessment: str) -> None:
    for name in body.consultations:
        consultation = _named(ledger, "consultations", name, Consultation)
        if consultation.body.status != "completed":
            message = (
                f"{name} ended as {consultation.body.status}, which is no advice: leave it out."
            )
            raise Refusal("no_advice", message, "consultations")
        _belongs(consultation, ledger, assessment, "consultations")
    cited = set(body.consultations)
    for answer in ledger.answers(assessment):
        if answer.id not in cited:
            message = f"the answer {answer.id} is not weighed: cite it in consultations."
            raise Refusal("unweighed_answer", message, "consultations")


def _belongs(record: Record[Any], ledger: Ledger, assessment: str, field: str) -> None:
    owner = ledger.assessment_of(record)
    if owner is None or owner.id != assessment:
        message = f"{field} names {record.id}, which belongs to another assessment: leave it out."
        raise Refusal("other_assessment", message, field)


def _settle(body: ConclusionInput, ledger: Ledger, assessment: str) -> None:
    for name in body.disagreements:
        _belongs(
            _named(ledger, "disagreements", name, Disagreement), ledger, assessment, "disagreements"
        )
    for disagreement in ledger.unsettled(assessment):
        message = f"the disagreement {disagreement.id} is unsettled: record its resolution first."
        raise Refusal("unresolved_disagreement", message, "disagreements")
    cited = set(body.disagreements)
    for disagreement in ledger.children(assessment, Disagreement):
        if disagreement.id not in cited:
            message = f"the disagreement {disagreement.id} is not cited: cite it in disagreements."
            raise Refusal("uncited_disagreement", message, "disagreements")


def _supersede(body: ConclusionInput, ledger: Ledger, assessment: Record[Assessment]) -> None:
    superseded = body.supersedes and _named(ledger, "supersedes", body.supersedes, Conclusion)
    standing = ledger.standing_conclusion(assessment.id)
    if standing and body.supersedes != standing.id:
        message = f"{standing.id} stands already: name it in supersedes to replace it."
        raise Refusal("concluded_already", message, "supersedes")
    if superseded:
        other = ledger.find(superseded.body.assessment, Assessment)
        if other is None or not _alike(other, assessment):
            message = f"supersedes names {superseded.id}, a decision on another subject: leave it."
            raise Refusal("other_subject", message, "supersedes")


def _alike(one: Record[Assessment], other: Record[Assessment]) -> bool:
    return same_subject(one.body.subject) == same_subject(other.body.subject)


def _validation(body: Validation, ledger: Ledger) -> None:
    _named(ledger, "conclusion", body.conclusion, Conclusion)


def _attempt(body: Attempt, ledger: Ledger) -> None:
    if body.assessment is not None:
        _named(ledger, "assessment", body.assessment, Assessment)


# Where several rules forbid a record, the first in the order of the design's table is named.
_RULES: Mapping[type[Part], Callable[[Any, Ledger], None]] = {
    Assessment: _assessment,
    PlanInput: _plan_request,
    Consultation: _consultation,
    Disagreement: _disagreement,
    Resolution: _resolution,
    ConclusionInput: _conclude,
    Validation: _validation,
    Attempt: _attempt,
}


def cites(body: Body, ledger: Ledger) -> dict[str, str]:
    """The digest of the body of every record that a body names, by id.

    A body names a record by a text that is its id, or by an id of our own form within a text: as a
    plan does that reuses a decision.
    """
    texts = set(texts_of(body.plain()))
    within = {name for text in texts for name in _OWN_ID.findall(text)}
    named = (ledger.get(name) for name in sorted(texts | within))
    return {record.id: record.digest for record in named if record}


_OWN_ID = re.compile(rf"\b(?:{'|'.join(KINDS)})-[0-9A-Za-z]{{1,40}}-[0-9a-f]{{6}}\b")


def same_draft(body: Input, ledger: Ledger, task: str | None = None) -> Record[Body] | None:
    """The record of a task (None: of any) that a draft would repeat, None when it is new.

    What repeats has the same authored body. Of a plan, the latest of its assessment counts,
    whatever it said.
    """
    kind = BODIES[body.kind]
    if isinstance(body, Assessment):
        alike: Sequence[Record[Any]] = ledger.on_subject(body.subject)
    else:
        alike = ledger.children(getattr(body, PARENT_FIELD[body.kind]), kind)
    wanted = authored_fields(body)
    return next(
        (
            record
            for record in reversed(alike)
            if task in {None, record.task} and authored_fields(record.body) == wanted
        ),
        None,
    )


def authored_fields(body: Input | Body) -> dict[str, Any]:
    """What a caller wrote in a body, by field: computed fields and defaults apart."""
    fields = INPUTS[body.kind].model_fields
    return {
        name: value
        for name, value in body.plain().items()
        if name in fields and value != fields[name].default and value != []
    }
