"""What was known when a record was made, where its stamp does not tell: the clock was set back.

Stamps rise over the whole store, except where the clock was far ahead and is set right. What is
recorded then is stamped before what it cites; that it was made after it is all that is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import (
    Body,
    Conclusion,
    Consultation,
    Disagreement,
    Record,
    Resolution,
)

# What a conclusion has to cite when it is there: so one that does not cite it came before it.
TO_BE_CITED = (Consultation, Disagreement, Conclusion)


def known_to(record: Record[Body], ledger: Ledger) -> Ledger:
    """The records on a record's subject that were there when it was made, for all that is known.

    It is all that it cites, and what is stamped before it, without the backdated that it does not
    cite though it had to. Where it or a resolution is backdated, what it cites is settled.
    """
    known = _cited(record, ledger)
    resolutions = [
        resolution
        for name in known
        for resolution in ledger.children(name, Resolution)
        if {record.id, resolution.id} & ledger.backdated
    ]
    earlier = [
        each
        for each in _on_its_subject(record, ledger)
        if each.key < record.key
        and not (isinstance(each.body, TO_BE_CITED) and each.id in ledger.backdated)
    ]
    known |= {each.id: each for each in (*resolutions, *earlier)}
    known.pop(record.id, None)
    return Ledger(known.values())


def _cited(record: Record[Body], ledger: Ledger) -> dict[str, Record[Body]]:
    """What a record cites, what that cites, and so on, where the digest proves it, by id."""
    found: dict[str, Record[Body]] = {}
    citing = [record]
    while citing:
        for name, digest in (citing.pop().cites or {}).items():
            cited = ledger.get(name)
            if cited and name not in found and cited.digest == digest:
                found[name] = cited
                citing.append(cited)
    return found


def _on_its_subject(record: Record[Body], ledger: Ledger) -> Iterator[Record[Body]]:
    assessment = ledger.assessment_of(record)
    for each in ledger.on_subject(assessment.body.subject) if assessment else ():
        yield from ledger.chain(each.id)
