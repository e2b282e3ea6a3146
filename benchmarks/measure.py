"""What every benchmark measures with: the fastest of several times, and a ratio with its bound."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

ROUNDS = 5


class Ratio(NamedTuple):
    """What was measured: the seconds of the thing and of its measure, and the promised bound."""

    name: str
    seconds: float
    measure: float
    bound: float

    def __str__(self) -> str:
        value = self.seconds / self.measure
        verdict = "within" if value <= self.bound else "OVER"
        return (
            f"{self.name:<52} {self.seconds * 1000:9.1f} ms / {self.measure * 1000:9.1f} ms"
            f" = {value:6.3f}  {verdict} {self.bound:g}"
        )


def fastest(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least of several times: what the work takes when nothing else is in the way."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
