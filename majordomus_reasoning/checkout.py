"""One handle on one checkout: the verbs that write, and what its records say."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from majordomus_reasoning.core.admission import check_vocabulary, same_draft
from majordomus_reasoning.core.availability import CircuitPolicy, ModeSource, Situation
from majordomus_reasoning.core.draft import draft
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.nearest import nearest
from majordomus_reasoning.core.policy import Request, review_plan
from majordomus_reasoning.core.records import AdvisorState, Body, Plan, Record, ReviewPlan
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import Explanation, State, derive_state, explain
from majordomus_reasoning.core.words import instant
from majordomus_reasoning.errors import NotFound, WouldWrite
from majordomus_reasoning.frames.history import History
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
    find_checkout,
    find_share,
    is_store,
    mode_of,
    read_catalogue,
    read_cooldown,
    read_situation,
    read_task,
)
from majordomus_reasoning.tables import Tables
from majordomus_reasoning.verbs import Named, Verbs

MOST_SHOWN = 3


class Checkout(Verbs, Tables):
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
    ) -> None:
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
        return self.situation().states(self.ledger, self.now())

    def head(self) -> str | None:
        """The commit that the checkout is on, None where that is not known."""
        return head_commit(self.root)

    def record(self, body: Mapping[str, Any], *, once: bool = False) -> Written:
        """Record a body tagged by its `kind`; the one path that writes.

        With `once`, a record of the task with the same authored body is returned instead.
        """
        surroundings = Surroundings(self.task.id, self.head, lambda body: pins(self.root, body))
        return self.store.write(body, self.situation, surroundings, once=once)

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
            raise NotFound(f"the record {str(record)[:80]!r}", "`status --task all` lists the ids")
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

    def report(self, task: str | None = None) -> str:
        """The state as Markdown; empty where there are no records."""
        return report(self.state(task))

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


class FrozenCheckout(Checkout):
    """A checkout that proves: it asks nobody and writes nothing.

    Its clock is the last stamp of the store, or the `now` it was opened with; its mode, task and
    advisors are what the records say. A verb whose record exists gives it, `again` or not; one
    whose record does not exist raises WouldWrite.
    """

    def __init__(
        self, root: Path, *, store: Path, share: Path | None = None, now: datetime | None = None
    ) -> None:
        super().__init__(root, store=store, share=share, environment={}, clock=self._moment)
        self._now = now

    def _moment(self) -> datetime:
        if self._now is not None:
            return self._now
        last = next(reversed(self.ledger), None)
        return last.at if last else datetime.fromtimestamp(0, UTC)

    def _last_plan(self) -> Plan | None:
        plans = self.ledger.of_kind(Plan)
        return plans[-1].body if plans else None

    @property
    def task(self) -> Task:
        """The task of the last record."""
        last = next(reversed(self.ledger), None)
        return Task(last.task) if last else Task()

    @property
    def mode(self) -> ModeSource:
        """The mode of the last plan."""
        plan = self._last_plan()
        if plan is None:
            return ModeSource("standard", "default")
        return ModeSource(plan.plan.mode, plan.plan.mode_source)

    def situation(self) -> Situation:
        """The mode of the last plan and the catalogue; nobody is present."""
        return Situation(mode=self.mode, catalogue=read_catalogue(self.share))

    def advisors(self) -> tuple[AdvisorState, ...]:
        """The state of every advisor at the last plan, as it was recorded."""
        plan = self._last_plan()
        return plan.availability if plan else ()

    def head(self) -> str | None:
        """The commit of the last record."""
        last = next(reversed(self.ledger), None)
        return last.head if last else None

    def record(self, body: Mapping[str, Any], *, once: bool = False) -> Written:  # noqa: ARG002 - both mean the record that is there
        """The record that is there; WouldWrite, with the nearest one and what differs, if none is.

        Raises Refusal where the body has not the shape of its kind.
        """
        drafted = draft(body).body
        ledger = self.ledger
        same = same_draft(drafted, ledger)
        path = self.store.path(same.id) if same else None
        if same and path:
            return Written(same, path, reused=True)
        found = nearest(drafted, ledger)
        near = (
            f"the nearest, {found.record.id}, differs in {found.difference}"
            if found
            else (f"it holds no {drafted.kind}")
        )
        raise WouldWrite(
            f"no such {drafted.kind} is recorded, and a frozen checkout writes nothing: {near}; "
            "run it live, and keep the records.",
            found.record.id if found else None,
        )


def open_checkout(
    path: Path | str = ".",
    *,
    share: Path | str | None = None,
    frozen: bool = False,
    now: datetime | str | None = None,
) -> Checkout:
    """The checkout that a path lies in: the nearest parent with `.ai` or `.git`, else itself.

    A folder of kept records is opened as it is. With `frozen`, or with the time `now` (a stamp in
    UTC), it asks nobody and writes nothing. Raises NotFound where the path is not there.

    >>> open_checkout(".").root.is_dir()
    True
    """
    start = Path(path)
    if not start.is_dir():
        raise NotFound(f"the folder {str(path)!r}", "name a checkout, or a folder of kept records")
    root = find_checkout(start)
    store = start.resolve() if is_store(start) else root / LOCATION
    declared = Path(share) if share else None
    if not frozen and now is None:
        return Checkout(root, store=store, share=declared)
    moment = instant(now) if isinstance(now, str) else now
    return FrozenCheckout(root, store=store, share=declared, now=moment)
