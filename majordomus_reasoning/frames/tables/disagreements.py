"""`disagreements`: a row is a disagreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from majordomus_reasoning.core.ledger import Ledger, same_subject
from majordomus_reasoning.core.records import Consultation, Disagreement, Record, Resolution
from majordomus_reasoning.core.state import source_of
from majordomus_reasoning.core.words import PRIMARY
from majordomus_reasoning.frames.dtypes import COUNT, FLAG, RATIO, STAMP, TEXT
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    RECORD_ID,
    SECOND,
    TASK,
    Entry,
    count,
    whole,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored


def advisor_of(ledger: Ledger, position_source: str | None) -> str | None:
    """Who holds a position: the advisor of the consultation, or `primary`; None for neither."""
    if position_source == PRIMARY:
        return PRIMARY
    answer = ledger.find(position_source, Consultation)
    return answer.body.advisor if answer else None


@dataclass(eq=False)
class DisagreementEntry(Entry[Disagreement]):
    """A disagreement, how it was settled, and what most of its positions said.

    What most said is a description for study: no rule reads it.
    """

    @cached_property
    def resolution(self) -> Record[Resolution] | None:
        """What settled it, None while it is open."""
        return next(iter(self.ledger.children(self.record.id, Resolution)), None)

    @property
    def favours(self) -> str | None:
        """The source that the evidence favoured, `neither`, or None while it is open."""
        return self.resolution.body.favours if self.resolution else None

    @cached_property
    def texts(self) -> dict[str, str]:
        """What each source says, alike where only white space or letter case differ."""
        return {each.source: same_subject(each.position) for each in self.record.body.positions}

    @cached_property
    def most_common(self) -> tuple[str, int]:
        """The position that most sources hold, the first of equals, and how many hold it."""
        return next(iter(Counter(self.texts.values()).most_common(1)), ("", 0))

    @property
    def majority(self) -> str | None:
        """The position that more than half of the sources hold; None where none is."""
        text, holders = self.most_common
        return text if 2 * holders > len(self.texts) else None

    @property
    def majority_position(self) -> str | None:
        """The majority's position as the first of its holders words it."""
        positions = self.record.body.positions
        alike = (each.position for each in positions if self.texts[each.source] == self.majority)
        return next(alike, None)

    @property
    def evidence_agreed(self) -> bool | None:
        """Whether evidence favoured the majority's position; None while open or without one."""
        if self.majority is None or self.favours is None:
            return None
        return self.texts.get(self.favours) == self.majority

    @property
    def sources(self) -> int:
        """How many sources stand behind the positions, the author as one of them."""
        answers = [self.ledger.find(source, Consultation) for source in self.texts]
        known = {source_of(self.ledger, answer) for answer in answers if answer}
        return len(known) + (PRIMARY in self.texts)


def rows(history: History) -> Iterator[DisagreementEntry]:
    """One entry for each disagreement, in order."""
    return (DisagreementEntry(history, record) for record in history.ledger.of_kind(Disagreement))


TABLE = Table(
    "disagreements",
    "a disagreement",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        stored(
            "resolution_id",
            TEXT,
            "id",
            "id of the resolution that settled it, missing while it is open",
            of="resolution",
        ),
        TASK,
        AT,
        count(
            "positions",
            "positions that cannot all be right",
            "body.positions",
            lambda row: len(row.record.body.positions),
        ),
        count(
            "sources",
            "independent sources behind them, the author as one",
            "body.positions and the snapshots of the plans",
            lambda row: row.sources,
        ),
        stored(
            "question",
            TEXT,
            "body.discriminating_question",
            "the question that tells the positions apart",
        ),
        Column(
            "settled",
            FLAG,
            "whether a resolution settled it",
            "its resolution",
            lambda row: row.resolution is not None,
        ),
        Column(
            "favours",
            TEXT,
            "position_source that the evidence favoured, or neither; missing while it is open",
            "favours of the resolution",
            lambda row: row.favours,
        ),
        Column(
            "favoured_advisor",
            TEXT,
            "advisor that held the favoured position, or primary; missing for neither",
            "advisor of the favoured consultation",
            lambda row: advisor_of(row.ledger, row.favours),
        ),
        Column(
            "majority_position",
            TEXT,
            "position of more than half of the sources, missing where there is none: "
            "a description for study that no rule reads",
            "body.positions, alike but for white space and letter case",
            lambda row: row.majority_position,
        ),
        Column(
            "majority_share",
            RATIO,
            "share of the sources that hold the commonest position, 0 to 1",
            "body.positions",
            lambda row: row.most_common[1] / len(row.texts) if row.texts else None,
            "ratio",
        ),
        Column(
            "evidence_agreed",
            FLAG,
            "whether evidence favoured majority_position; missing while open or without one",
            "favours of the resolution, and body.positions",
            lambda row: row.evidence_agreed,
        ),
        stored("settled_at", STAMP, "at", "when the resolution was recorded", of="resolution"),
        Column(
            "seconds_to_settle",
            COUNT,
            "whole seconds from the disagreement to its resolution",
            "settled_at and at",
            lambda row: whole(SECOND, row.record.at, row.resolution.at if row.resolution else None),
            "seconds",
        ),
        *LAST,
    ),
    rows,
)
