"""What is wrong with stored records: every rule again, each at the moment of its recording."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from majordomus_reasoning.core.admission import judge, reviewed_by
from majordomus_reasoning.core.availability import SKEW
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.order import known_to
from majordomus_reasoning.core.records import (
    INPUTS,
    Assessment,
    Body,
    Conclusion,
    Consultation,
    Plan,
    Record,
    texts_of,
)
from majordomus_reasoning.core.redaction import clean_text, shown
from majordomus_reasoning.core.words import is_blank
from majordomus_reasoning.errors import Refusal


class Fault(NamedTuple):
    """A record, by its id, and what is wrong with it."""

    record: str
    message: str


def faults(ledger: Ledger, now: datetime, catalogue: Catalogue | None = None) -> Iterator[Fault]:
    """What is wrong with each record, in order; without a catalogue its words are not looked up.

    >>> list(faults(Ledger(), datetime.max))
    []
    """
    for record in ledger:
        for message in chain(
            _admission(record, ledger),
            _texts(record.body),
            _envelope(record, ledger, now),
            _undeclared(record.body, catalogue) if catalogue else (),
            _selection(record.body) if isinstance(record.body, Plan) else (),
        ):
            yield Fault(record.id, message)


def _admission(record: Record[Body], ledger: Ledger) -> Iterator[str]:
    known = ledger.before(record)
    refusal = _refusal(record.body, known)
    if refusal and ledger.backdated:
        known = known_to(record, ledger)
        refusal = _refusal(record.body, known)
    if refusal:
        yield f"{refusal} ({refusal.code})"
    if isinstance(record.body, Conclusion):
        yield from _review(record.body, known)


def _refusal(body: Body, known: Ledger) -> Refusal | None:
    """Why the rules forbid a body after the records that were known, None where they admit it."""
    try:
        judge(body, known)
    except Refusal as refusal:
        return refusal
    return None


def _review(body: Conclusion, known: Ledger) -> Iterator[str]:
    cited = reviewed_by(body, known)
    if body.reviewed_by != cited or body.independent_review_count != len(cited):
        said = f"{body.independent_review_count} ({_names(body.reviewed_by)})"
        yield f"its review is {said}, but it cites {len(cited)} ({_names(cited)})"


def _names(reviewers: tuple[str, ...]) -> str:
    return shown(", ".join(reviewers), 200) or "nobody"


def _texts(body: Body) -> Iterator[str]:
    authored = INPUTS[body.kind].model_fields
    for name, value in body.plain().items():
        for text in texts_of(value) if name in authored else ():
            if is_blank(text):
                yield f"its {name} is blank (blank_field)"
            elif clean_text(text)[0] != text:
                yield f"its {name} holds a secret's shape or control characters"


def _envelope(record: Record[Body], ledger: Ledger, now: datetime) -> Iterator[str]:
    if record.at - now > SKEW:
        yield f"its stamp {record.recorded_at} is in the future: correct the clock"
    for name in record.body.unknown_fields():
        yield f"its body holds {shown(name)}, a field that is not known here"
    for name, digest in (record.cites or {}).items():
        cited = ledger.get(name)
        if cited is None:
            yield f"it cites {shown(name)}, which is not recorded"
        elif cited.digest != digest:
            yield f"the body of {name} is not the one that it cites: one of the two was changed"


def _undeclared(body: Body, catalogue: Catalogue) -> Iterator[str]:
    if isinstance(body, Assessment):
        for word in body.capabilities:
            if word not in catalogue.vocabulary:
                said = shown(word)
                yield f"it asks for {said}, no capability of the catalogue (unknown_capability)"
    if isinstance(body, Consultation):
        linked = body.advisor.startswith("peer:") and catalogue.advisors.peers is not None
        if not linked and catalogue.advisor(body.advisor) is None:
            yield f"its advisor {shown(body.advisor)} is declared by nobody"


def _selection(body: Plan) -> Iterator[str]:
    available = {state.id for state in body.availability if state.status == "available"}
    for selection in body.plan.selected:
        if selection.advisor not in available:
            name = shown(selection.advisor)
            yield f"it selects {name}, which its own snapshot shows as not available"
    if len(body.plan.selected) > body.plan.budget:
        yield f"it selects {len(body.plan.selected)} advisors with a budget of {body.plan.budget}"
