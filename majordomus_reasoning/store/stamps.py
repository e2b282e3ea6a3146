"""The moment that a new record is stamped with."""

from __future__ import annotations

from datetime import datetime, timedelta

from majordomus_reasoning.core.availability import SKEW
from majordomus_reasoning.core.ledger import Ledger

MILLISECOND = timedelta(milliseconds=1)


def next_moment(clock: datetime, ledger: Ledger) -> datetime:
    """The clock, in whole milliseconds, but after every stamp that is not far ahead of it.

    Raises OverflowError where the calendar ends before that.
    """
    now = _whole_milliseconds(clock)
    ahead = set()
    last = None
    for record in reversed(ledger):
        if record.at - now <= SKEW:
            last = record.at
            break
        ahead.add(record.at)
    if last is None or last < now:
        return now
    after = _whole_milliseconds(last) + MILLISECOND
    while after in ahead:  # a stamp that does not lift the clock is not repeated either
        after += MILLISECOND
    return after


def _whole_milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
