"""One handle on one checkout: the verbs that write, and what its records say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from majordomus_reasoning.core.admission import check_vocabulary
from majordomus_reasoning.core.availability import ModeSource, Situation
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.policy import Request, review_plan
from majordomus_reasoning.core.records import AdvisorState, Body, Record, ReviewPlan
from majordomus_reasoning.core.report import report
from majordomus_reasoning.core.state import Explanation, State, derive_state, explain
from majordomus_reasoning.errors import NotFound, Refusal
from majordomus_reasoning.handles import Handle
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
    mode_of,
    read_situation,
    read_task,
)

Named = Handle | str
Cited = Mapping[str, Any] | str


class Checkout:
    """One checkout: its records, the situation it is in, and the verbs that add to it.

    Reading never changes the store. Verbs are idempotent by content: the same authored body in the
    same task gives the record that is there, unless `again=True`. Each verb returns a `Handle` and
    raises `Refusal` where the rules forbid the record.
    """

    def __init__(
        self,
        root: Path,
        *,
        share: Path | None = None,
        environment: Mapping[str, str] | None = None,
        clock: Clock = system_clock,
        suffix: Callable[[], str] = random_suffix,
    ) -> None:
        self.root = root
        self.environment = os.environ if environment is None else environment
        self.share = find_share(root, share, self.environment)
        self.store = Store(root / LOCATION, clock, suffix)
        self._clock = clock

    @classmethod
    def open(cls, path: Path | str = ".", *, share: Path | str | None = None) -> Checkout:
        """The checkout that a path lies in: the nearest parent with `.ai` or `.git`, else itself.

        >>> Checkout.open(".").root.is_dir()
        True
        """
        return cls(find_checkout(Path(path)), share=Path(share) if share else None)

    def now(self) -> datetime:
        """The time of this checkout's clock, in UTC."""
        return self._clock()

    @property
    def ledger(self) -> Ledger:
        """All records, in order; files that are new since the last look are read."""
        return self.store.load()

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
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

    def assess(
        self, subject: str, *, evidence: Iterable[Cited] = (), again: bool = False, **fields: Any
    ) -> Handle:
        """State an uncertainty; `fields` are those of an assessment."""
        body = {"kind": "assessment", "subject": subject, "evidence": evidence, **fields}
        return self._verb(body, again)

    def plan(self, assessment: Named, *, again: bool = False) -> Handle:
        """Plan whether review is worth having, and from whom: the latest plan, else a new one."""
        return self._verb({"kind": "plan", "assessment": assessment}, again)

    def disagree(
        self,
        assessment: Named,
        positions: Mapping[Named, str],
        *,
        decided_by: str,
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """State who holds what, and the question that tells the positions apart."""
        held = [{"source": str(source), "position": said} for source, said in positions.items()]
        body = {"kind": "disagreement", "assessment": assessment, "positions": held, **fields}
        return self._verb({**body, "discriminating_question": decided_by}, again)

    def resolve(
        self,
        disagreement: Named,
        *,
        experiment: str,
        outcome: str,
        favours: Named,
        evidence: Iterable[Cited],
        again: bool = False,
    ) -> Handle:
        """Settle a disagreement by the evidence of an experiment."""
        body = {"kind": "resolution", "disagreement": disagreement, "experiment": experiment}
        return self._verb(
            {**body, "outcome": outcome, "favours": favours, "evidence": evidence}, again
        )

    def conclude(
        self,
        assessment: Named,
        *,
        decision: str,
        rationale: str,
        evidence: Iterable[Cited] = (),
        consultations: Iterable[Named] | Mapping[str, Named] = (),
        disagreements: Iterable[Named] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Decide; every answer and disagreement of the assessment must be cited."""
        answers = consultations.values() if isinstance(consultations, Mapping) else consultations
        body = {"kind": "conclusion", "assessment": assessment, "decision": decision, **fields}
        cited = {"consultations": [*answers], "disagreements": [*disagreements]}
        return self._verb({**body, "rationale": rationale, "evidence": evidence, **cited}, again)

    def validate(
        self,
        conclusion: Named,
        *,
        check: str,
        outcome: str,
        evidence: Iterable[Cited] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Record whether a decision held: `pass` or `fail`."""
        body = {"kind": "validation", "conclusion": conclusion, "check": check, **fields}
        return self._verb({**body, "outcome": outcome, "evidence": evidence}, again)

    def attempt(
        self,
        attempt: str,
        *,
        observed_failure: str,
        evidence: Iterable[Cited] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Record what was tried and failed, and what that taught."""
        body = {"kind": "attempt", "attempt": attempt, "observed_failure": observed_failure}
        return self._verb({**body, "evidence": evidence, **fields}, again)

    def _verb(self, body: Mapping[str, Any], again: bool) -> Handle:
        written = self.record(_authored(body), once=not again)
        return Handle(written.record, written.reused)

    def review_plan(self, request: Request) -> ReviewPlan:
        """The plan that a request would get now; nothing is recorded.

        Raises Refusal for a capability that the vocabulary lacks.
        """
        situation = self.situation()
        check_vocabulary(request.capabilities, lambda: situation)
        states = situation.states(self.ledger, self.now())
        return review_plan(request, states, situation.mode)

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

    def state(self, task: str | None = None) -> State:
        """What the records of a task say, or those of all tasks."""
        ledger = self.ledger
        return derive_state(ledger, task, self.unreadable)

    def report(self, task: str | None = None) -> str:
        """The state as Markdown; empty where there are no records."""
        return report(self.state(task))

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
            ("unresolved", "; ".join(unresolved) or "nothing"),
        ]


def _authored(value: Any) -> Any:
    """A verb's arguments as the body they mean: handles are ids, evidence texts are references."""
    if isinstance(value, Handle):
        return value.id
    if isinstance(value, Mapping):
        authored = {name: _authored(item) for name, item in value.items()}
        if isinstance(authored.get("evidence"), list):
            authored["evidence"] = [_evidence(item) for item in authored["evidence"]]
        return authored
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value
    return [_authored(item) for item in value]


def _evidence(cited: Any) -> Any:
    """`file:src/x.py:42` as an evidence object; an object stays what it is."""
    if not isinstance(cited, str):
        return cited
    kind, colon, reference = cited.partition(":")
    if not colon:
        message = f"evidence {cited[:80]!r} names no kind: write it as kind:reference."
        raise Refusal("invalid_value", message, "evidence")
    return {"kind": kind.strip(), "reference": reference.strip()}
