"""One handle on one checkout: the verbs that write, and what its records say."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from majordomus_reasoning.consulting import Consulting
from majordomus_reasoning.core.admission import check_vocabulary
from majordomus_reasoning.core.availability import CircuitPolicy, ModeSource, Situation
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.policy import Request, review_plan
from majordomus_reasoning.core.records import (
    AdvisorState,
    Body,
    Exchange,
    Record,
    ReviewPlan,
)
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import Explanation, State, derive_state, explain
from majordomus_reasoning.errors import NotFound
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.handles import AdvisorStates, Markdown
from majordomus_reasoning.store.evidence import Drift, drift, pins
from majordomus_reasoning.store.files import (
    LOCATION,
    Clock,
    Store,
    Surroundings,
    Written,
    random_suffix,
    system_clock,
)
from majordomus_reasoning.store.repository import head_commit
from majordomus_reasoning.store.situation import (
    Task,
    find_share,
    mode_of,
    read_cooldown,
    read_situation,
    read_task,
)
from majordomus_reasoning.tables import Tables
from majordomus_reasoning.verbs import Named

if TYPE_CHECKING:
    from majordomus_reasoning.advisors.driver import FindAdapter

MOST_SHOWN = 3


class Checkout(Consulting, Tables):
    """One checkout: its records, the situation it is in, and the verbs that add to it.

    Reading never changes the store.
    """

    def __init__(
        self,
        root: Path,
        *,
        store: Path | None = None,
        share: Path | None = None,
        environment: Mapping[str, str] | None = None,
        clock: Clock = system_clock,
        suffix: Callable[[], str] = random_suffix,
        adapters: FindAdapter | None = None,
        fixed_duration_ms: int | None = None,
    ) -> None:
        self.adapters = adapters
        self.fixed_duration_ms = fixed_duration_ms
        self.root = root
        self.environment = os.environ if environment is None else environment
        self.share = find_share(root, share, self.environment)
        self.store = Store(store or root / LOCATION, clock, suffix)
        self._clock = clock

    def now(self) -> datetime:
        """The time of this checkout's clock, in UTC."""
        return self._clock()

    def refresh(self) -> Checkout:
        """Read what is new in the store, as every other look does too; returns this checkout."""
        self.store.load()
        return self

    @property
    def ledger(self) -> Ledger:
        """All records, in order; files that are new since the last look are read."""
        return self.store.load()

    @property
    def unreadable_files(self) -> tuple[Unreadable, ...]:
        """The files of the store that are no records, as of the last look."""
        return self.store.unreadable

    @property
    def task(self) -> Task:
        """The open task and its profile."""
        return read_task(self.root)

    @property
    def mode(self) -> ModeSource:
        """The reasoning mode, and what decided it."""
        return mode_of(self.task, self.environment)

    def situation(self) -> Situation:
        """Mode, catalogue, presence and the rest, as they are now."""
        return read_situation(self.share, self.task, self.environment)

    def advisors(self) -> tuple[AdvisorState, ...]:
        """The state of every advisor now, in declaration order, then the linked peers."""
        return AdvisorStates(self.situation().states(self.ledger, self.now()))

    def head(self) -> str | None:
        """The commit that the checkout is on, None where that is not known."""
        return head_commit(self.root)

    def record(self, body: Mapping[str, Any], *, once: bool = False) -> Written:
        """Record a body tagged by its `kind`; the one path that writes.

        With `once`, a record of the task with the same authored body is returned instead.
        """
        return self.store.write(body, self.situation, self._surroundings(), once=once)

    def record_asked(self, body: Mapping[str, Any], exchange: Exchange) -> Written:
        """Record the outcome of an exchange that our own driver performed."""
        return self.store.write(body, self.situation, self._surroundings(), exchange=exchange)

    def _surroundings(self) -> Surroundings:
        return Surroundings(self.task.id, self.head, lambda body: pins(self.root, body))

    def review_plan(self, request: Request) -> ReviewPlan:
        """The plan that a request would get now; nothing is recorded.

        Raises Refusal for a capability that the vocabulary lacks.
        """
        check_vocabulary(request.capabilities, self.situation)
        return review_plan(request, self.advisors(), self.mode)

    def find(self, record: Named) -> Record[Body]:
        """The record of an id; NotFound where there is none."""
        found = self.ledger.get(str(record))
        if found is None:
            raise NotFound(f"the record {shown(record)!r}", "`status --task all` lists the ids")
        return found

    def explain(self, record: Named) -> Explanation:
        """A record with the whole chain of its assessment; NotFound where there is none."""
        return explain(self.ledger, self.find(record))

    def drift(self, explanation: Explanation) -> tuple[Drift, ...]:
        """What became of the pinned evidence of an explanation's chain."""
        return tuple(
            drift(self.root, record.id, pin) for record in explanation.chain for pin in record.pins
        )

    def histories(self) -> tuple[History, ...]:
        """What the tables are read from: the records, and the files that they cite."""
        policy = CircuitPolicy(override_seconds=read_cooldown(self.environment))
        history = History.of(self.store, now=self.now(), checkout=self.root, circuit_policy=policy)
        return (history,)

    def state(self, task: str | None = None) -> State:
        """What the records of a task say, or those of all tasks."""
        ledger = self.ledger
        return derive_state(ledger, task, self.unreadable_files)

    def report(self, task: str | None = None) -> Markdown:
        """The state as Markdown; empty where there are no records."""
        return Markdown(report(self.state(task)))

    def keep(self, folder: Path | str) -> tuple[Path, ...]:
        """Copy the open task's records, and those they cite, to a folder that git may track.

        Returns the files, those that were there already among them. Opened again with
        `mr.open(folder, frozen=True)`, the copy proves what a notebook tells. Raises StoreError
        where another file has the name of one of them.
        """
        ledger, kept = self.ledger, {}
        wanted = [record for record in ledger if record.task == self.task.id]
        while wanted:
            record = wanted.pop()
            if record.id not in kept:
                kept[record.id] = record
                cited = (ledger.get(name) for name in record.cites or ())
                wanted += [each for each in cited if each]
        return tuple(
            self.store.copy(record, Path(folder))
            for record in sorted(kept.values(), key=lambda record: record.key)
        )

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self._summary())

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self._summary()
        )
        return f"<table>{''.join(cells)}</table>"

    def _summary(self) -> list[tuple[str, str]]:
        states = self.advisors()
        available = [state.id for state in states if state.status == "available"]
        state = self.state()
        unresolved = [
            f"{each.subject} ({each.standing})"
            for each in state.assessments
            if not each.is_resolved
        ]
        return [
            ("mode", f"{self.mode.mode} ({self.mode.source})"),
            ("task", self.task.id),
            ("advisors", f"{', '.join(available) or 'none'} of {len(states)} available"),
            ("records", str(state.totals.records)),
            ("unresolved", _latest(unresolved) or "nothing"),
        ]


def _latest(texts: list[str]) -> str:
    """All of a few texts; of many their number and the latest, so that a display stays small."""
    few = "; ".join(texts[-MOST_SHOWN:])
    return f"{len(texts)}, the latest: {few}" if len(texts) > MOST_SHOWN else few
