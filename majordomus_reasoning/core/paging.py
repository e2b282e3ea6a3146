"""A window on a long list of steps: the latest, or those before a cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import instant
from majordomus_reasoning.errors import NotFound, Refusal


class Stamped(Protocol):
    """Something with the id and the stamp of a record."""

    @property
    def id(self) -> str:
        """The id of the record."""

    @property
    def at(self) -> str:
        """Its stamp."""


@dataclass(frozen=True)
class Page:
    """At most `limit` steps of the moment `since` or later, and before the step `cursor`."""

    limit: int | None = None
    since: str | None = None
    cursor: str | None = None


class Window(NamedTuple):
    """The ids of the steps shown, and the cursor for the ones before, None where there are none."""

    ids: frozenset[str]
    cursor: str | None


def window(steps: Sequence[Stamped], page: Page) -> Window:
    """The latest steps that a page asks for, out of steps in order.

    Raises Refusal for a `since` that names no moment, NotFound for a cursor that is no step.
    """
    end = len(steps) if page.cursor is None else _place(steps, page.cursor)
    first = 0 if page.since is None else _begin(steps, page.since)
    start = first if page.limit is None else max(first, end - page.limit)
    within = steps[start:end]
    return Window(frozenset(each.id for each in within), within[0].id if start > first else None)


def _begin(steps: Sequence[Stamped], since: str) -> int:
    try:
        return bisect_left(steps, instant(since), key=lambda step: instant(step.at))
    except ValueError:
        message = f"since is {shown(since)!r}: name a moment in UTC, 2026-10-01T09:30:00Z."
        raise Refusal("invalid_value", message, "since") from None


def _place(steps: Sequence[Stamped], cursor: str) -> int:
    place = next((place for place, each in enumerate(steps) if each.id == cursor), None)
    if place is None:
        raise NotFound(f"the cursor {shown(cursor)!r}", "take it from the answer before")
    return place
