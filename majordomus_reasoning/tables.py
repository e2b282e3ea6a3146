"""The tables as methods: what a checkout, or several stores at once, can be looked at through."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.errors import NotFound
from majordomus_reasoning.frames import TABLES, History
from majordomus_reasoning.store.files import LOCATION, Store
from majordomus_reasoning.store.situation import is_store

if TYPE_CHECKING:
    from pandas import DataFrame


class Tables(ABC):
    """One method for each table; its filters are those of `Table.frame`.

    Every method returns a new DataFrame and takes `columns`, `as_of`, `since`, `task`, `advisor`,
    `assessment` and `errors`. The columns are described in the docstring of the function of the
    same name in `majordomus_reasoning.frames`.
    """

    @abstractmethod
    def histories(self) -> Sequence[History]:
        """What the tables are read from, as it is now."""

    def table(self, name: str, **filters: Any) -> DataFrame:
        """The table of that name; NotFound, naming the known ones, where there is none."""
        if name not in TABLES:
            raise NotFound(f"the table {shown(name)!r}", f"the tables are {', '.join(TABLES)}")
        return TABLES[name].frame(self.histories(), **filters)

    def records(self, **filters: Any) -> DataFrame:
        """All records: a row is a record."""
        return self.table("records", **filters)

    def timeline(self, assessment: object | None = None, **filters: Any) -> DataFrame:
        """How it came about: a row is a step, of all assessments or of one."""
        return self.table("timeline", assessment=assessment, **filters)

    def assessments(self, **filters: Any) -> DataFrame:
        """Where each uncertainty stands: a row is an assessment."""
        return self.table("assessments", **filters)

    def consultations(self, **filters: Any) -> DataFrame:
        """Whom was asked and what came of it: a row is a consultation."""
        return self.table("consultations", **filters)

    def advisor_states(self, **filters: Any) -> DataFrame:
        """Who could be asked: a row is an advisor in one plan's snapshot."""
        return self.table("advisor_states", **filters)

    def selections(self, **filters: Any) -> DataFrame:
        """Who was to be asked, who not, and why: a row is an advisor in one plan."""
        return self.table("selections", **filters)

    def disagreements(self, **filters: Any) -> DataFrame:
        """What was disputed and how it was settled: a row is a disagreement."""
        return self.table("disagreements", **filters)

    def positions(self, **filters: Any) -> DataFrame:
        """Who held what: a row is a position of a disagreement."""
        return self.table("positions", **filters)

    def conclusions(self, **filters: Any) -> DataFrame:
        """What was decided and whether it held: a row is a conclusion."""
        return self.table("conclusions", **filters)

    def due(self, **filters: Any) -> DataFrame:
        """What waits for a validation or a second look: a row is a standing conclusion."""
        return self.table("due", **filters)

    def evidence(self, **filters: Any) -> DataFrame:
        """What statements rest on: a row is one evidence reference."""
        return self.table("evidence", **filters)

    def failures(self, **filters: Any) -> DataFrame:
        """Which consultations did not complete: a row is one of them, in its streak."""
        return self.table("failures", **filters)

    def circuits(self, **filters: Any) -> DataFrame:
        """When each advisor could be asked: a row is an interval of one advisor."""
        return self.table("circuits", **filters)

    def unreadable(self, **filters: Any) -> DataFrame:
        """Which files are no records: a row is a file."""
        return self.table("unreadable", **filters)


class Stores(Tables):
    """Several stores as one source of tables; each row says which store it is from."""

    def __init__(self, histories: Iterable[History]) -> None:
        self._histories = tuple(histories)

    def histories(self) -> Sequence[History]:
        """The histories of the stores, in the order given."""
        return self._histories

    def __repr__(self) -> str:
        parts = (f"{each.label}: {len(each.ledger)} records" for each in self._histories)
        return "\n".join(parts)


def load(paths: Iterable[Path | str]) -> Stores:
    """The stores below several paths as one source of tables.

    A path is a checkout or a folder of kept records; its store is called by its shortest ending
    that tells it from the others. Raises NotFound where a path is not there.
    """
    folders = [Path(path).resolve() for path in paths]
    for folder in folders:
        if not folder.is_dir():
            raise NotFound(f"the folder {shown(folder)!r}", "name checkouts or folders of records")
    roots = [folder if is_store(folder) else folder / LOCATION for folder in folders]
    labels = _labels(folders)
    return Stores(
        History.of(Store(root), label=label) for root, label in zip(roots, labels, strict=True)
    )


def _labels(folders: Sequence[Path]) -> list[str]:
    for length in range(1, max((len(folder.parts) for folder in folders), default=0) + 1):
        labels = ["/".join(folder.parts[-length:]) for folder in folders]
        if len(set(labels)) == len(set(folders)):
            return labels
    return [str(folder) for folder in folders]
