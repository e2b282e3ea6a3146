"""`positions`: a row is a position of a disagreement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from majordomus_reasoning.core.ledger import same_subject
from majordomus_reasoning.core.records import Consultation, Disagreement, Position, Resolution
from majordomus_reasoning.frames.dtypes import FLAG, TEXT
from majordomus_reasoning.frames.entries import (
    ASSESSMENT_ID,
    AT,
    LAST,
    RECORD_ID,
    TASK,
    Entry,
)
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table, stored
from majordomus_reasoning.frames.tables.disagreements import advisor_of


@dataclass(eq=False)
class PositionEntry(Entry[Disagreement]):
    """Who holds what in a disagreement."""

    position: Position

    @property
    def consultation(self) -> str | None:
        """The id of the answer that holds it, None for the author's."""
        answer = self.ledger.find(self.position.source, Consultation)
        return answer.id if answer else None

    @property
    def favoured(self) -> bool | None:
        """Whether evidence favoured it, None while the disagreement is open.

        A resolution names one source; who holds the same position is favoured with it.
        """
        resolution = next(iter(self.ledger.children(self.record.id, Resolution)), None)
        if resolution is None:
            return None
        held = same_subject(self.position.position)
        return any(
            each.source == resolution.body.favours and same_subject(each.position) == held
            for each in self.record.body.positions
        )


def rows(history: History) -> Iterator[PositionEntry]:
    """One entry for each position of each disagreement, as its author listed them."""
    return (
        PositionEntry(history, record, position)
        for record in history.ledger.of_kind(Disagreement)
        for position in record.body.positions
    )


TABLE = Table(
    "positions",
    "a position of a disagreement",
    (
        RECORD_ID,
        ASSESSMENT_ID,
        stored(
            "disagreement_id",
            TEXT,
            "id",
            "id of the disagreement, under the name that other tables give it",
        ),
        Column(
            "consultation_id",
            TEXT,
            "id of the answer that holds it, missing for the author's own",
            "body.positions.source",
            lambda row: row.consultation,
        ),
        TASK,
        AT,
        stored(
            "position_source",
            TEXT,
            "source",
            "primary, or the id of the answer that holds it",
            of="position",
        ),
        Column(
            "advisor",
            TEXT,
            "advisor that holds it, or primary",
            "advisor of the consultation",
            lambda row: advisor_of(row.ledger, row.position.source),
        ),
        stored("position", TEXT, "position", "what is held", of="position"),
        Column(
            "favoured",
            FLAG,
            "whether evidence favoured it, whichever of its holders the resolution names; missing "
            "while the disagreement is open",
            "favours of the resolution, and body.positions, alike but for white space and letter "
            "case",
            lambda row: row.favoured,
        ),
        *LAST,
    ),
    rows,
)
