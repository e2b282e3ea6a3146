"""What an advisor's outcomes came to, one after the other: streaks of failures, open circuits.

The rule is `CircuitPolicy.standing`; here it is asked once for each outcome, with no more of the
run before it than the rule needs, so that a long outage costs no more than its length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal, NamedTuple

from majordomus_reasoning.core.availability import SKEW, CircuitPolicy
from majordomus_reasoning.core.records import Circuit, Consultation, Record
from majordomus_reasoning.core.words import TRANSIENT, Reason, instant
from majordomus_reasoning.frames.history import History

CircuitState = Literal["closed", "open", "recovering"]
JUST_BEFORE = timedelta(microseconds=1)


@dataclass(frozen=True)
class Outcome:
    """One outcome of asking an advisor, and what followed from it.

    An outcome that tells nothing (withdrawn, or stamped too far ahead of the clock) belongs to no
    streak and opens nothing. `circuit` is the one it opened, `next` the advisor's next outcome that
    tells something. `streak` numbers the advisor's runs of outcomes that did not complete, and
    `streak_position` the outcomes in one, both from 1.
    """

    record: Record[Consultation]
    tells: bool
    streak: int | None = None
    streak_position: int | None = None
    reason: Reason | None = None
    circuit: Circuit | None = None
    next: Record[Consultation] | None = None

    @cached_property
    def until(self) -> datetime | None:
        """When the cooldown that it began would end by itself; None when it began none."""
        if self.circuit is None:
            return None
        return max(instant(self.circuit.until), self.record.at)

    @property
    def opened_circuit(self) -> bool:
        """Whether the circuit was open from then on; a cooldown of no length opens none."""
        return self.until is not None and self.until > self.record.at


class Interval(NamedTuple):
    """A stretch of time in which an advisor's circuit was in one state, for one reason."""

    start: datetime
    end: datetime
    state: CircuitState
    outcome: Outcome | None


def advisors(history: History) -> list[str]:
    """The advisors that were ever asked, in the order of their first outcome."""
    consultations = history.ledger.of_kind(Consultation)
    return list(dict.fromkeys(record.body.advisor for record in consultations))


def outcomes(history: History, advisor: str) -> list[Outcome]:
    """All outcomes of an advisor in order, with what followed from each."""
    records = history.ledger.outcomes(advisor)
    telling = [_tells(record, history) for record in records]
    return [*_judged(history, records, telling)]


def _following(
    records: Sequence[Record[Consultation]], telling: Sequence[bool]
) -> list[Record[Consultation] | None]:
    """For each outcome the next one that tells something."""
    following: list[Record[Consultation] | None] = []
    latest: Record[Consultation] | None = None
    for record, tells in zip(reversed(records), reversed(telling), strict=True):
        following.append(latest)
        latest = record if tells else latest
    return following[::-1]


def _judged(
    history: History, records: Sequence[Record[Consultation]], telling: Sequence[bool]
) -> Iterator[Outcome]:
    policy = history.circuit_policy
    run: deque[Record[Consultation]] = deque(maxlen=max(policy.consecutive_failures, 1))
    failures = streak = position = 0
    following = _following(records, telling)
    for record, tells, next_record in zip(records, telling, following, strict=True):
        status = record.body.status
        if not tells:
            yield Outcome(record, tells=False, next=next_record)
            continue
        if status not in TRANSIENT:
            run.clear()
            failures = 0
        position = 0 if status == "completed" else position + 1
        streak += position == 1
        if status in TRANSIENT:
            run.appendleft(record)
            failures += 1
        reason, circuit = _opened(policy, run or [record], max(failures, 1))
        yield Outcome(
            record,
            tells=True,
            streak=streak if position else None,
            streak_position=position or None,
            reason=reason,
            circuit=circuit,
            next=next_record,
        )


def _tells(record: Record[Consultation], history: History) -> bool:
    skewed = history.now is not None and record.at > history.now + SKEW
    return record.body.status != "cancelled" and not skewed


def _opened(
    policy: CircuitPolicy, newest_first: Sequence[Record[Consultation]], failures: int
) -> tuple[Reason | None, Circuit | None]:
    """The circuit that the newest outcome opened, and why; asked a moment before it.

    So a cooldown of no length is told from no cooldown: its advisor recovers at once.
    """
    standing = policy.standing(newest_first, newest_first[0].at - JUST_BEFORE)
    circuit = standing.circuit
    if circuit and circuit.failures != failures:  # the run goes on beyond what was looked at
        circuit = circuit.model_copy(update={"failures": failures})
    return standing.reason, circuit


def seconds_out(outcome: Outcome, end: datetime | None) -> int | None:
    """Whole seconds that the circuit an outcome opened was open, up to the end of the time seen."""
    if outcome.until is None or end is None or not outcome.opened_circuit:
        return None
    ends = [outcome.until, end, *([outcome.next.at] if outcome.next else [])]
    return (min(ends) - outcome.record.at) // timedelta(seconds=1)


def intervals(history: History, advisor: str) -> list[Interval]:
    """The observed time in intervals of one advisor's circuit, without gap or overlap.

    Each begins where the one before it ends. The last tells the state at the end of the observed
    time, and has no length where that state begins there.
    """
    if history.start is None or history.end is None or history.start > history.end:
        return []
    told = outcomes(history, advisor)
    changes = [change for change in _changes(history.start, told) if change[0] <= history.end]
    ends = [start for start, _state, _outcome in changes[1:]] + [history.end]
    tiles: list[Interval] = []
    for place, ((start, state, outcome), end) in enumerate(zip(changes, ends, strict=True)):
        if tiles and tiles[-1].state == state == "closed":
            tiles[-1] = tiles[-1]._replace(end=end)
        elif start < end or place == len(changes) - 1:
            tiles.append(Interval(start, end, state, outcome))
    return tiles


def _changes(
    start: datetime, told: list[Outcome]
) -> Iterator[tuple[datetime, CircuitState, Outcome | None]]:
    """Each moment at which a circuit's state may change, the state from then on, and its cause."""
    yield start, "closed", None
    for outcome in told:
        if not outcome.tells:
            continue
        if outcome.until is None:
            yield outcome.record.at, "closed", outcome
            continue
        yield outcome.record.at, "open", outcome
        if outcome.next is None or outcome.until < outcome.next.at:
            yield outcome.until, "recovering", outcome
