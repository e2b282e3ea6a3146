"""The snapshot of the environment: what a session learns at its entry, which must be quick.

It reads the parts it needs and no more: the rules of state, checks and texts stay unloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from majordomus_reasoning.core.words import Mode
from majordomus_reasoning.errors import ReasoningError
from majordomus_reasoning.store.files import LOCATION, Store, system_clock
from majordomus_reasoning.store.situation import (
    find_share,
    mode_of,
    read_situation,
    read_task,
    unreadable_values,
)
from majordomus_reasoning.version import __version__


@dataclass(frozen=True)
class Snapshot:
    """What a session should know at its entry; None where a broken file hides it."""

    version: str
    operational: bool
    checkout: str
    share: str
    task: str | None
    mode: Mode | None
    mode_source: str | None
    advisors_available: int | None
    advisors_unavailable: int | None
    diagnostics: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """The snapshot as JSON holds it."""
        return asdict(self)


def snapshot(root: Path, share: Path | None, environment: Mapping[str, str]) -> Snapshot:
    """The environment as it is; a broken file is named, and hides only what it holds."""
    share = find_share(root, share, environment)
    problems = [f"{name}: {why}; it is skipped" for name, why in unreadable_values(environment)]
    task = mode = states = None
    try:
        task = read_task(root)
        mode = mode_of(task, environment)
        situation = read_situation(share, task, environment)
        states = situation.states(Store(root / LOCATION).load(), system_clock())
    except ReasoningError as error:
        problems.append(str(error))
    available = sum(state.status == "available" for state in states or ())
    return Snapshot(
        version=__version__,
        operational=True,
        checkout=str(root),
        share=str(share),
        task=task.id if task else None,
        mode=mode.mode if mode else None,
        mode_source=mode.source if mode else None,
        advisors_available=None if states is None else available,
        advisors_unavailable=None if states is None else len(states) - available,
        diagnostics=tuple(problems),
    )


def banner(answer: Snapshot) -> Iterator[str]:
    """The snapshot in one line."""
    mode = f"{answer.mode} ({answer.mode_source})" if answer.mode else "unknown"
    known = answer.advisors_available is not None
    total = (answer.advisors_available or 0) + (answer.advisors_unavailable or 0)
    count = f"{answer.advisors_available} of {total} available" if known else "unknown"
    task = answer.task or "unknown"
    yield f"reasoning: operational · mode {mode} · advisors {count} · task {task}"
