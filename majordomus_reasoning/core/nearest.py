"""The recorded body that is most like a draft, and what differs: for a person who looks for it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any, NamedTuple

from majordomus_reasoning.core.admission import authored_fields
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import BODIES, Body, Input, Record, canonical
from majordomus_reasoning.core.redaction import shown

MOST_COMPARED = 50
LONGEST_SHOWN = 60


class Nearest(NamedTuple):
    """A record, and the fields in which it differs from the draft, each there and here."""

    record: Record[Body]
    difference: str


def nearest(body: Input, ledger: Ledger) -> Nearest | None:
    """The record of the draft's kind with the fewest differing fields; None where there is none.

    Of equals the one whose differing texts are most alike counts, then the latest.
    """
    wanted = authored_fields(body)
    ranked = sorted(
        (
            (len(_differing(wanted, record)), -place, record)
            for place, record in enumerate(ledger.of_kind(BODIES[body.kind]))
        ),
        key=lambda each: each[:2],
    )
    fewest = [record for count, _place, record in ranked if count == ranked[0][0]]
    if not fewest:
        return None
    text = canonical(wanted)
    best = max(
        fewest[:MOST_COMPARED],
        key=lambda record: SequenceMatcher(
            None, text, canonical(authored_fields(record.body)), autojunk=False
        ).quick_ratio(),
    )
    there = authored_fields(best.body)
    names = sorted(_differing(wanted, best))
    parts = (f"{name} ({_shown(there, name)} there, {_shown(wanted, name)} here)" for name in names)
    return Nearest(best, ", ".join(parts) or "its task")


def _differing(wanted: dict[str, Any], record: Record[Any]) -> set[str]:
    there = authored_fields(record.body)
    return {name for name in there.keys() | wanted if there.get(name) != wanted.get(name)}


def _shown(fields: dict[str, Any], name: str) -> str:
    if name not in fields:
        return "nothing"
    value = fields[name]
    return repr(shown(value if isinstance(value, str) else canonical(value), LONGEST_SHOWN))
