"""A checkout that never changes from run to run."""

from __future__ import annotations

import atexit
import contextlib
import random
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from majordomus_reasoning.advisors.driver import FindAdapter
from majordomus_reasoning.checkout import Checkout

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class TickingClock:
    """A clock that starts at a fixed moment and goes on by one second each time it is read.

    >>> clock = TickingClock()
    >>> (clock() - clock()).total_seconds()
    -1.0
    """

    def __init__(self, start: datetime = START) -> None:
        self.moment = start

    def __call__(self) -> datetime:
        """The time now; the next reading is a second later."""
        moment = self.moment
        self.advance(1)
        return moment

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.moment += timedelta(seconds=seconds)


def seeded_suffix(seed: int) -> Iterator[str]:
    """Six hexadecimal digits a time, the same for the same seed, without end."""
    source = random.Random(seed)  # noqa: S311 - ids of examples, no secrets
    while True:
        yield f"{source.getrandbits(24):06x}"


def deterministic_checkout(
    seed: int = 0,
    *,
    root: Path | None = None,
    share: Path | None = None,
    environment: Mapping[str, str] | None = None,
    clock: TickingClock | None = None,
    adapters: FindAdapter | None = None,
) -> Checkout:
    """A checkout in which the same steps give the same bytes, on every machine.

    Clock (ticks of one second), ids, mode, PATH and credentials are fixed; so are the durations of
    consultations (a second) and the order in which their outcomes are recorded. `adapters` stand in
    the place of the real ones, as `ScriptedAdvisors` do. Without `root` it lives in a new temporary
    folder, which goes away with the interpreter.

    >>> deterministic_checkout().mode
    ModeSource(mode='standard', source='default')
    """
    if root is None:
        root = Path(_SCRATCH.enter_context(tempfile.TemporaryDirectory(prefix="majordomus-")))
    suffixes = seeded_suffix(seed)
    return Checkout(
        root,
        share=share,
        environment=environment or {},
        clock=clock or TickingClock(),
        suffix=lambda: next(suffixes),
        adapters=adapters,
        fixed_duration_ms=1_000,
    )


_SCRATCH = contextlib.ExitStack()
atexit.register(_SCRATCH.close)
