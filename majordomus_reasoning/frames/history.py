"""What tables are read from: the records of one store, and what is known beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path

from majordomus_reasoning.core.availability import SKEW, CircuitPolicy
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import Body, Pin, Record
from majordomus_reasoning.store.evidence import Drift, drift
from majordomus_reasoning.store.files import Store

DEFAULT_POLICY = CircuitPolicy()
DriftOf = Callable[[str, Pin], Drift]


@dataclass(frozen=True)
class History:
    """One store as tables see it; nothing here changes.

    `label` tells stores apart where several are read at once. `paths` gives the file of a record by
    its id, relative to the store. `now` is the clock: without one, the history ends with its last
    record. `drift` says what became of pinned evidence; without it nothing is said of that.
    """

    ledger: Ledger
    unreadable: tuple[Unreadable, ...] = ()
    label: str = ""
    paths: Callable[[str], str | None] = lambda _record_id: None
    now: datetime | None = None
    drift: DriftOf | None = None
    circuit_policy: CircuitPolicy = DEFAULT_POLICY

    @classmethod
    def of(
        cls,
        store: Store,
        *,
        label: str = "",
        now: datetime | None = None,
        checkout: Path | None = None,
        circuit_policy: CircuitPolicy = DEFAULT_POLICY,
    ) -> History:
        """The history of a store, loaded now; with a checkout, drift is read from its files.

        Raises StoreError where the store cannot be read.
        """
        ledger = store.load()
        return cls(
            ledger,
            store.unreadable,
            label,
            partial(_path_in, store),
            now,
            partial(drift, checkout) if checkout else None,
            circuit_policy,
        )

    def source(self, record: Record[Body]) -> str:
        """The file of a record, relative to its store; below the label where there is one."""
        return self.shown(self.paths(record.id) or f"{record.task}/{record.id}.json")

    def shown(self, path: str) -> str:
        """A path within the store, below the label where there is one."""
        return f"{self.label}/{path}" if self.label else path

    @cached_property
    def start(self) -> datetime | None:
        """When the observed time begins: at the first record; None without records."""
        return next((record.at for record in self.ledger), None)

    @cached_property
    def end(self) -> datetime | None:
        """When the observed time ends: now, or at the last record that a skewed clock explains.

        A stamp further ahead of now than the tolerated skew tells nothing of the time.
        """
        stamps = (record.at for record in reversed(self.ledger))
        last = next((at for at in stamps if self.now is None or at <= self.now + SKEW), None)
        known = [moment for moment in (self.now, last) if moment is not None]
        return max(known, default=None)

    def known_at(self, moment: datetime) -> History:
        """What was known at a moment, and nothing later; files as they are now are none of it."""
        now = moment if self.now is None else min(self.now, moment)
        return replace(self, ledger=self.ledger.until(moment), now=now, drift=None)


def _path_in(store: Store, record_id: str) -> str | None:
    path = store.path(record_id)
    return path.relative_to(store.root).as_posix() if path else None


def last_record_on(commit: str, histories: tuple[History, ...]) -> Mapping[str, datetime]:
    """When the last record was made on each commit whose name begins with the one given."""
    return {
        record.head: record.at
        for history in histories
        for record in history.ledger
        if record.head and record.head.startswith(commit)
    }
