"""A checkout that proves, and the one way to open either kind."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.consulting import Answers, CommandEvidence
from majordomus_reasoning.core.admission import same_draft
from majordomus_reasoning.core.availability import ModeSource, Situation
from majordomus_reasoning.core.draft import draft
from majordomus_reasoning.core.nearest import nearest
from majordomus_reasoning.core.records import AdvisorState, Exchange, Plan
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import instant
from majordomus_reasoning.errors import NotFound, Refusal, WouldWrite
from majordomus_reasoning.handles import AdvisorStates
from majordomus_reasoning.store.files import LOCATION, Written
from majordomus_reasoning.store.situation import Task, find_checkout, is_store, read_catalogue
from majordomus_reasoning.verbs import Named


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
        return AdvisorStates(plan.availability if plan else ())

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
        same = same_draft(drafted, ledger, self.task.id) or same_draft(drafted, ledger)
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

    def record_asked(self, body: Mapping[str, Any], exchange: Exchange) -> Written:  # noqa: ARG002
        """Nothing is asked here; what would be recorded is looked up as any other."""
        return self.record(body)

    def keep(self, folder: Path | str) -> tuple[Path, ...]:
        """Nothing is written; WouldWrite."""
        raise WouldWrite(
            f"a frozen checkout writes nothing to {shown(folder)!r}: open it live to keep records."
        )

    async def consult(self, plan: Named, **_options: Any) -> Answers:
        """The recorded outcomes under a plan; WouldWrite where somebody was not asked then."""
        missing = self.unasked(plan)
        if missing:
            raise WouldWrite(
                f"nothing is recorded of asking {', '.join(missing)}, and a frozen checkout asks "
                "nobody: run it live, and keep the records.",
                str(plan),
            )
        return self.answers(plan)

    def run(
        self, command: str, *, evidence_for: Named | None = None, **_options: Any
    ) -> CommandEvidence:
        """The recorded evidence of a command; WouldWrite where there is none."""
        recorded = self.recorded_run(command, evidence_for)
        if recorded is None:
            raise WouldWrite(
                f"no run of {shown(command)!r} is recorded, and a frozen checkout runs nothing: "
                "run it live, and keep the records."
            )
        return recorded


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
        raise NotFound(
            f"the folder {shown(path)!r}", "name a checkout, or a folder of kept records"
        )
    root = find_checkout(start)
    store = start.resolve() if is_store(start) else root / LOCATION
    declared = Path(share) if share else None
    if not frozen and now is None:
        return Checkout(root, store=store, share=declared)
    moment = _moment(now) if isinstance(now, str) else now
    return FrozenCheckout(root, store=store, share=declared, now=moment)


def _moment(now: str) -> datetime:
    try:
        return instant(now)
    except ValueError:
        message = f"now is {shown(now)!r}: name a moment in UTC, 2026-11-30T12:00:00Z."
        raise Refusal("invalid_value", message, "now") from None
