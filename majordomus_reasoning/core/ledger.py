"""The records in order, indexed: by id, kind, assessment, subject, advisor and reference.

A ledger is immutable to its readers. `append` shares the index with the ledger it grows from, and
each ledger sees only what lies before its own end; so growing by one record costs one record, and
`until` gives the past without copying it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar, cast

from majordomus_reasoning.core.records import (
    BODIES,
    PARENT_FIELD,
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

Key = tuple[datetime, str]
B = TypeVar("B", bound=Part)
_KEY = attrgetter("key")
_WORDS: Mapping[type[Part], str] = {body: kind for kind, body in BODIES.items()}


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file of the store that is no record: where it lies, the field at fault, and why."""

    path: str
    field: str | None
    error: str


class _Index:
    """The shared, growing part: every list is in the order of records."""

    def __init__(self, records: Sequence[Record[Body]]) -> None:
        self.records: list[Record[Body]] = []
        self.by_id: dict[str, Record[Body]] = {}
        self.groups: dict[tuple[str, str], list[Record[Body]]] = {}
        self.end: Key | None = None
        for record in records:
            self.add(record)

    def add(self, record: Record[Body]) -> None:
        self.records.append(record)
        self.end = record.key
        self.by_id[record.id] = record
        for group in _groups(record):
            self.groups.setdefault(group, []).append(record)


def _groups(record: Record[Body]) -> Iterator[tuple[str, str]]:
    body = record.body
    kind = body.kind
    yield ("kind", kind)
    if kind in PARENT_FIELD:
        yield (kind, getattr(body, PARENT_FIELD[kind]) or "")
    if isinstance(body, Assessment):
        yield ("subject", same_subject(body.subject))
    elif isinstance(body, Consultation):
        yield ("advisor", body.advisor)
    elif isinstance(body, Conclusion) and body.supersedes and body.supersedes != record.id:
        yield ("supersedes", body.supersedes)


def same_subject(subject: str) -> str:
    """What equal subjects have in common: white space collapsed, letter case ignored.

    >>> same_subject(" Lock\\t SCOPE ")
    'lock scope'
    """
    return " ".join(subject.split()).casefold()


class Ledger:
    """The records of a store up to some moment, ordered by (`recorded_at`, `id`).

    >>> len(Ledger())
    0
    """

    def __init__(self, records: Iterable[Record[Body]] = ()) -> None:
        self._index = _Index(sorted(records, key=_KEY))
        self._end: Key | None = self._index.end

    @classmethod
    def _view(cls, index: _Index, end: Key | None) -> Ledger:
        ledger = cls.__new__(cls)
        ledger._index, ledger._end = index, end  # noqa: SLF001 - its own class makes it
        return ledger

    def append(self, *records: Record[Body]) -> Ledger:
        """The ledger with records added; this one stays as it is.

        The index is shared when the new records come after all others, which is the rule;
        otherwise it is made anew.
        """
        new = sorted(records, key=_KEY)
        if not new:
            return self
        in_order = self._end is None or self._end < new[0].key
        if self._end != self._index.end or not in_order:
            return Ledger([*self, *new])
        for record in new:
            self._index.add(record)
        return self._view(self._index, new[-1].key)

    def before(self, record: Record[Body]) -> Ledger:
        """What was known when a record was made: all records that come before it."""
        return self._ending(bisect_left(self._index.records, record.key, key=_KEY))

    def until(self, moment: datetime) -> Ledger:
        """What was known at a moment: all records stamped at it or before."""
        return self._ending(bisect_right(self._index.records, moment, key=attrgetter("at")))

    def _ending(self, count: int) -> Ledger:
        count = min(count, len(self))
        return self._view(self._index, self._index.records[count - 1].key if count else None)

    def _seen(self, records: Sequence[Record[Body]]) -> Sequence[Record[Body]]:
        if self._end is self._index.end:  # nothing lies beyond: no record needs a look
            return records
        if self._end is None:
            return ()
        if not records or records[-1].key <= self._end:
            return records
        return records[: bisect_right(records, self._end, key=_KEY)]

    def __len__(self) -> int:
        return len(self._seen(self._index.records))

    def __iter__(self) -> Iterator[Record[Body]]:
        return iter(tuple(self._seen(self._index.records)))

    def __reversed__(self) -> Iterator[Record[Body]]:
        return reversed(self._seen(self._index.records))

    def get(self, record_id: str | None) -> Record[Body] | None:
        """The record of that id, None when there is none."""
        record = self._index.by_id.get(record_id or "")
        if record is None or self._end is self._index.end:
            return record
        return record if self._end and record.key <= self._end else None

    def find(self, record_id: str | None, kind: type[B]) -> Record[B] | None:
        """The record of that id if it is of that kind, None otherwise."""
        record = self.get(record_id)
        return cast("Record[B]", record) if record and isinstance(record.body, kind) else None

    def _group(self, name: str, value: str) -> Sequence[Record[Any]]:
        return self._seen(self._index.groups.get((name, value), ()))

    def of_kind(self, kind: type[B]) -> Sequence[Record[B]]:
        """All records of a kind, in order."""
        return self._group("kind", _WORDS[kind])

    def children(self, record_id: str | None, kind: type[B]) -> Sequence[Record[B]]:
        """The records of a kind that belong to the record of that id, in order."""
        return self._group(_WORDS[kind], record_id or "")

    def on_subject(self, subject: str) -> Sequence[Record[Assessment]]:
        """The assessments of a subject, in order."""
        return self._group("subject", same_subject(subject))

    def outcomes(self, advisor: str) -> Sequence[Record[Consultation]]:
        """The recorded outcomes of an advisor, from all tasks, in order."""
        return self._group("advisor", advisor)

    def superseding(self, conclusion: str) -> Record[Conclusion] | None:
        """The first conclusion that supersedes the one of that id, None while it stands."""
        return next(iter(self._group("supersedes", conclusion)), None)

    def assessment_of(self, record: Record[Body]) -> Record[Assessment] | None:
        """The assessment that a record belongs to, through plan, disagreement or conclusion."""
        current: Record[Body] | None = record
        for _ in range(len(PARENT_FIELD)):
            if current is None or isinstance(current.body, Assessment):
                break
            current = self.get(getattr(current.body, PARENT_FIELD[current.body.kind]))
        if current is None or not isinstance(current.body, Assessment):
            return None
        return cast("Record[Assessment]", current)

    def chain(self, assessment: str) -> list[Record[Body]]:
        """An assessment and every record that belongs to it, in order."""
        root = self.find(assessment, Assessment)
        found: list[Record[Any]] = [root] if root else []
        for plan in self.children(assessment, Plan):
            found += [plan, *self.children(plan.id, Consultation)]
        for disagreement in self.children(assessment, Disagreement):
            found += [disagreement, *self.children(disagreement.id, Resolution)]
        for conclusion in self.children(assessment, Conclusion):
            found += [conclusion, *self.children(conclusion.id, Validation)]
        found += self._group("attempt", assessment)
        return sorted(found, key=_KEY)

    def answers(self, assessment: str) -> list[Record[Consultation]]:
        """The completed consultations of an assessment, in the order of its plans."""
        return [
            consultation
            for plan in self.children(assessment, Plan)
            for consultation in self.children(plan.id, Consultation)
            if consultation.body.status == "completed"
        ]

    def unsettled(self, assessment: str) -> list[Record[Disagreement]]:
        """The disagreements on an assessment that no resolution has settled."""
        return [
            disagreement
            for disagreement in self.children(assessment, Disagreement)
            if not self.children(disagreement.id, Resolution)
        ]

    def standing_conclusion(self, assessment: str) -> Record[Conclusion] | None:
        """The latest conclusion of an assessment that no conclusion supersedes."""
        conclusions = reversed(self.children(assessment, Conclusion))
        return next((each for each in conclusions if not self.superseding(each.id)), None)

    def prior_decision(self, assessment: Record[Assessment]) -> Record[Conclusion] | None:
        """The standing decision on the same subject that answers an assessment, if one does.

        Of the other assessments with the subject, the latest that has a standing conclusion
        counts; it answers unless it is disputed or a validation refuted it.
        """
        for other in reversed(self.on_subject(assessment.body.subject)):
            conclusion = None if other.id == assessment.id else self.standing_conclusion(other.id)
            if conclusion:
                return None if self._doubtful(other.id, conclusion.id) else conclusion
        return None

    def _doubtful(self, assessment: str, conclusion: str) -> bool:
        checks = self.children(conclusion, Validation)
        return bool(self.unsettled(assessment)) or any(
            check.body.outcome == "fail" for check in checks
        )
