"""The hidden truth of the sample history: how good each advisor is, and what befell it.

No record holds it. The generator draws every outcome and answer from it and writes it to
`truth.json`, so that an analysis of the records can be held against what it should find.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, NamedTuple

DEADLINE_MS = 120_000
ABOUT = {
    "deadline_ms": "an exchange that takes longer is recorded as a timeout of this duration",
    "true": "how often the author's claim is true, the counter-claim, and the third possibility",
    "right_passes": "the probability that a validation of a right decision passes",
    "wrong_passes": "the probability that a validation of a wrong decision passes",
    "advisors": "by id: `words`, how often it states each confidence; `right`, the probability "
    "that an answer stated so is right; `shift`, what the materiality adds to that; "
    "`inconclusive`, the share of answers that take no side; `failures`, the probability of each "
    "failure on an ordinary day; `median_ms` and `spread`, the log-normal duration",
    "incidents": "while one lasts, the probability of each failure instead",
    "assessments": "by id: which of claim, counter and third is true",
    "answers": "by id of the consultation: whether the answer is right, null where it takes no "
    "side",
    "unreadable": "the files that were written beside the records and are none",
}


@dataclass(frozen=True)
class Advisor:
    """How one advisor behaves; `ABOUT` says what each field means."""

    words: Mapping[str, float]
    right: Mapping[str, float]
    failures: Mapping[str, float]
    median_ms: int
    spread: float
    shift: Mapping[str, float] = field(default_factory=dict)
    inconclusive: float = 0.04


@dataclass(frozen=True)
class Incident:
    """A stretch of time in which some advisors fail otherwise than usual."""

    name: str
    advisors: tuple[str, ...]
    start: datetime
    end: datetime
    failures: Mapping[str, float]


def _by_word(low: float, medium: float, high: float) -> Mapping[str, float]:
    return {"low": low, "medium": medium, "high": high}


ADVISORS: Mapping[str, Advisor] = {
    # Good, and knows how good.
    "alder": Advisor(
        _by_word(0.25, 0.45, 0.30),
        _by_word(0.55, 0.75, 0.90),
        {"rate_limited": 0.02, "error": 0.015, "malformed": 0.015, "cancelled": 0.01},
        median_ms=6_500,
        spread=0.5,
        shift={"critical": -0.05},
    ),
    # Sure of itself, and no better for it.
    "birch": Advisor(
        _by_word(0.05, 0.25, 0.70),
        _by_word(0.50, 0.55, 0.60),
        {"rate_limited": 0.02, "error": 0.01, "empty": 0.01, "cancelled": 0.01},
        median_ms=9_000,
        spread=0.6,
    ),
    "hazel": Advisor(
        _by_word(0.30, 0.50, 0.20),
        _by_word(0.50, 0.70, 0.85),
        {"unavailable": 0.02, "error": 0.03, "malformed": 0.02, "cancelled": 0.02},
        median_ms=18_000,
        spread=0.5,
        shift={"material": 0.05},
    ),
    # The slow one: the best answers, doubtful of them, and one in eight too late.
    "linden": Advisor(
        _by_word(0.40, 0.45, 0.15),
        _by_word(0.75, 0.85, 0.95),
        {"error": 0.01, "malformed": 0.01, "cancelled": 0.02},
        median_ms=55_000,
        spread=0.68,
    ),
    "rowan": Advisor(
        _by_word(0.30, 0.40, 0.30),
        _by_word(0.40, 0.50, 0.60),
        {"unavailable": 0.03, "malformed": 0.07, "empty": 0.04},
        median_ms=3_000,
        spread=0.4,
        inconclusive=0.10,
    ),
    # Good at ordinary questions, out of its depth in critical ones.
    "sorrel": Advisor(
        _by_word(0.20, 0.50, 0.30),
        _by_word(0.55, 0.70, 0.80),
        {"unavailable": 0.03, "malformed": 0.04, "empty": 0.02},
        median_ms=4_200,
        spread=0.4,
        shift={"material": 0.10, "critical": -0.30},
        inconclusive=0.06,
    ),
    "peer:tansy": Advisor(
        _by_word(0.30, 0.50, 0.20),
        _by_word(0.60, 0.75, 0.90),
        {"unavailable": 0.06, "timeout": 0.03, "cancelled": 0.01},
        median_ms=30_000,
        spread=0.5,
    ),
}

INCIDENTS = (
    Incident(
        "outage",
        ("alder",),
        datetime(2026, 10, 5, 7, tzinfo=UTC),
        datetime(2026, 10, 9, 15, tzinfo=UTC),
        {"unavailable": 0.6, "timeout": 0.4},
    ),
    Incident(
        "storm of rate limits",
        ("alder", "birch"),
        datetime(2026, 10, 19, 6, tzinfo=UTC),
        datetime(2026, 10, 23, 20, tzinfo=UTC),
        {"rate_limited": 0.9},
    ),
    Incident(
        "wrong credential",
        ("birch",),
        datetime(2026, 11, 9, 6, tzinfo=UTC),
        datetime(2026, 11, 13, 20, tzinfo=UTC),
        {"auth_failed": 1.0},
    ),
)

TRUE: Mapping[str, float] = {"claim": 0.46, "counter": 0.38, "third": 0.16}
RIGHT_PASSES = 0.97
WRONG_PASSES = 0.15


class Outcome(NamedTuple):
    """What asking came to; an answer that takes no side is neither right nor wrong."""

    advisor: str
    status: str
    duration_ms: int
    confidence: str | None = None
    right: bool | None = None


def pick(rng: Random, weights: Mapping[str, float]) -> str:
    """One of the names, as often as its weight says."""
    return rng.choices(list(weights), list(weights.values()))[0]


def outcome(advisor: str, materiality: str, moment: datetime, rng: Random) -> Outcome:
    """What asking an advisor at a moment comes to."""
    truth = ADVISORS[advisor]
    duration = round(truth.median_ms * math.exp(rng.gauss(0, truth.spread)))
    status = _failure(advisor, moment, rng)
    if status == "timeout" or (status is None and duration > DEADLINE_MS):
        return Outcome(advisor, "timeout", DEADLINE_MS + rng.randrange(40))
    if status:
        return Outcome(advisor, status, duration // 5)
    word = pick(rng, truth.words)
    chance = truth.right[word] + truth.shift.get(materiality, 0)
    decided = rng.random() >= truth.inconclusive
    right = rng.random() < chance
    return Outcome(advisor, "completed", duration, word, right if decided else None)


def _failure(advisor: str, moment: datetime, rng: Random) -> str | None:
    failures = ADVISORS[advisor].failures
    for incident in INCIDENTS:
        if advisor in incident.advisors and incident.start <= moment < incident.end:
            failures = incident.failures
    drawn = pick(rng, {**failures, "": 1 - sum(failures.values())})
    return drawn or None


def validates(right: bool, rng: Random) -> str:
    """What a validation says of a decision."""
    return "pass" if rng.random() < (RIGHT_PASSES if right else WRONG_PASSES) else "fail"


def declared() -> dict[str, Any]:
    """The truth as JSON holds it, but for what is true of single records."""
    return {
        "about": ABOUT,
        "deadline_ms": DEADLINE_MS,
        "true": TRUE,
        "right_passes": RIGHT_PASSES,
        "wrong_passes": WRONG_PASSES,
        "advisors": {name: asdict(advisor) for name, advisor in ADVISORS.items()},
        "incidents": [
            {**asdict(each), "start": each.start.isoformat(), "end": each.end.isoformat()}
            for each in INCIDENTS
        ],
    }
