"""A table declared as data, and the one builder that makes its DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from majordomus_reasoning.core.collector import collector_paused
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import instant
from majordomus_reasoning.errors import NotFound, Refusal, UnreadableRecord
from majordomus_reasoning.frames.dtypes import Dtype, array
from majordomus_reasoning.frames.history import History, last_record_on

if TYPE_CHECKING:
    from pandas import DataFrame

Read = Callable[[Any], object]
Moment = datetime | str
SHORTEST_COMMIT = 7  # what git shows of a commit; less may well be a year


@dataclass(frozen=True)
class Column:
    """A column: its dtype, what it means, where its value comes from, and how it is read of a row.

    `unit` is the unit that stands in the name, None for what has none.
    """

    name: str
    dtype: Dtype
    meaning: str
    source: str
    read: Read
    unit: str | None = None

    @property
    def type(self) -> str:
        """The dtype as text, with its levels where it has some."""
        if not self.dtype.levels:
            return self.dtype.name
        return (
            f"{self.dtype.name}: {(' < ' if self.dtype.ordered else ', ').join(self.dtype.levels)}"
        )

    @property
    def sentence(self) -> str:
        """The meaning as a sentence."""
        return self.meaning[0].upper() + self.meaning[1:] + "."


def stored(
    name: str, dtype: Dtype, path: str, meaning: str, *, of: str = "record", unit: str | None = None
) -> Column:
    """A column whose value stands in a record at a dotted path, missing where the path ends early.

    `of` is the row's attribute that the path starts from.
    """
    return Column(name, dtype, meaning, path, _follow(f"{of}.{path}"), unit)


def _follow(path: str) -> Read:
    names = path.split(".")
    if names[:-1] in (["record"], ["record", "body"]):  # never missing, and read at the speed of C
        return attrgetter(path)

    def read(row: Any) -> object:
        value = row
        for name in names:
            value = getattr(value, name)
            if value is None:
                return None
        return value

    return read


@dataclass(frozen=True)
class Table:
    """A table: what a row is, its columns in order, and the rows of a history.

    A row has a `key` (time, id), which is the order of the table. `since`, `task`, `advisor` and
    `assessment` name the column that the filter of that name compares; a table that does not have
    the column cannot be filtered so.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    rows: Callable[[History], Iterable[Any]]
    since: str = "at"
    task: str = "task"
    advisor: str = "advisor"
    assessment: str = "assessment_id"

    def frame(
        self,
        histories: History | Iterable[History],
        *,
        columns: Sequence[str] | None = None,
        as_of: Moment | None = None,
        since: Moment | None = None,
        task: str | None = None,
        advisor: str | None = None,
        assessment: object | None = None,
        errors: Literal["collect", "raise"] = "collect",
    ) -> DataFrame:
        """The table as a new DataFrame.

        Args:
            histories: The history of one store, or those of several with labels of their own.
            columns: Only these, in this order; nothing else is read. None means all.
            as_of: What was known then and nothing later: a moment, or a commit (its first seven
                digits at least), which means the last record made on it.
            since: Only rows of this moment or later.
            task: Only rows of this task; references reach beyond it.
            advisor: Only rows of this advisor.
            assessment: Only rows of this assessment, by its id or handle.
            errors: `raise` raises the first unreadable file of the stores.

        Raises:
            NotFound: The table lacks a column, or no record was made on the commit.
            Refusal: A text names no moment, `errors` no way, or two stores have one label.
            UnreadableRecord: A file is no record, with `errors="raise"`.

        """
        chosen = self._chosen(columns)
        sources = _sources(histories)
        _meet_unreadable(errors, sources)
        if as_of is not None:
            moment = _moment_known(as_of, sources)
            sources = tuple(history.known_at(moment) for history in sources)
        with collector_paused():
            rows = [row for history in sources for row in self.rows(history)]
            rows.sort(key=attrgetter("key"))
            if since is not None:
                rows = self._later(rows, _moment(since, "since"))
            equals = {self.task: task, self.advisor: advisor, self.assessment: assessment}
            for name, wanted in equals.items():
                if wanted is not None:
                    rows = self._equal(rows, name, str(wanted))
            return _frame(chosen, rows)

    def column(self, name: str) -> Column:
        """The column of that name; NotFound, naming the known ones, where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        known = ", ".join(column.name for column in self.columns)
        raise NotFound(f"the column {shown(name)!r} of {self.name}", f"its columns are {known}")

    def _chosen(self, names: Sequence[str] | None) -> tuple[Column, ...]:
        if names is None:
            return self.columns
        wanted = [names] if isinstance(names, str) else names
        return tuple(self.column(name) for name in dict.fromkeys(wanted))

    def _later(self, rows: list[Any], moment: datetime) -> list[Any]:
        read: Callable[[Any], Any] = self.column(self.since).read
        return [row for row in rows if read(row) >= moment]

    def _equal(self, rows: list[Any], name: str, wanted: str) -> list[Any]:
        read = self.column(name).read
        return [row for row in rows if read(row) == wanted]


def _sources(histories: History | Iterable[History]) -> tuple[History, ...]:
    sources = (histories,) if isinstance(histories, History) else tuple(histories)
    if len({history.label for history in sources}) < len(sources):
        message = "two stores have one label: give each its own, so that their records stay apart."
        raise Refusal("invalid_value", message, "label")
    return sources


def _meet_unreadable(errors: str, sources: tuple[History, ...]) -> None:
    if errors not in {"collect", "raise"}:
        message = f"errors is {shown(errors)!r}: name collect or raise."
        raise Refusal("invalid_value", message, "errors")
    faults = [(history, fault) for history in sources for fault in history.unreadable]
    if errors == "raise" and faults:
        history, fault = faults[0]
        raise UnreadableRecord(history.shown(fault.path), fault.field, fault.error)


def _moment(value: Moment, name: str) -> datetime:
    try:
        return instant(value.isoformat() if isinstance(value, datetime) else value)
    except ValueError:
        message = f"{name} is {shown(value)!r}: name a moment in UTC, 2026-10-01T09:30:00Z."
        raise Refusal("invalid_value", message, name) from None


def _moment_known(as_of: Moment, sources: tuple[History, ...]) -> datetime:
    """The moment that `as_of` means: itself, or that of the last record made on the commit."""
    try:
        return _moment(as_of, "as_of")
    except Refusal:
        if isinstance(as_of, datetime):
            raise
    made = last_record_on(as_of, sources) if len(as_of) >= SHORTEST_COMMIT else {}
    if as_of in made:
        return made[as_of]
    if len(made) == 1:
        return next(iter(made.values()))
    found = "is the beginning of several" if made else "has no record"
    message = f"the moment or commit {shown(as_of)!r} ({found})"
    raise NotFound(message, "name a moment such as 2026-10-01T09:30:00Z, or a commit of a record")


def _frame(columns: tuple[Column, ...], rows: list[Any]) -> DataFrame:
    import pandas as pd

    # Row by row, since a record is read several times as fast while it is still at hand.
    reads = [column.read for column in columns]
    cells = [[read(row) for read in reads] for row in rows]
    values = zip(*cells, strict=True) if cells else ([] for _ in columns)
    arrays = {
        column.name: array(column.dtype, list(each))
        for column, each in zip(columns, values, strict=True)
    }
    return pd.DataFrame(arrays, index=pd.RangeIndex(len(rows)), columns=[*arrays])
