"""How long a service says to wait, in every form in which services say it.

A wait is whole seconds, rounded up, between 0 and 86,400. What is no finite number names no wait,
and then the next hint counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from zoneinfo import ZoneInfo

from majordomus_reasoning.core.words import LONGEST_WAIT_SECONDS

LONGEST_MESSAGE = 4_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_UNITS = {
    "d": 86_400.0,
    "h": 3_600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 0.001,
    "us": 0.000_001,
    "ns": 0.000_000_001,
}
_UNIT = (
    r"(?:(?P<ms>ms|millis(?:econd)?s?|milliseconds?)|(?P<us>us|[µμ]s|microseconds?)"
    r"|(?P<ns>ns|nanoseconds?)|(?P<d>d|days?)|(?P<h>h|hrs?|hours?)|(?P<m>m|mins?|minutes?)"
    r"|(?P<s>s|secs?|seconds?))(?![a-z])"
)
_PART = re.compile(rf"(?P<number>[0-9]{{1,15}}(?:\.[0-9]{{1,15}})?)\s{{0,3}}{_UNIT}")
_PARTS = re.compile(
    r"(?:[0-9]{1,15}(?:\.[0-9]{1,15})?\s{0,3}[a-zµμ]{1,12}(?:,\s|\sand\s|\s{0,3})?){1,6}"
)
_SAID = re.compile(
    r"(?:try again|retry(?:ing)?|retry-after|resets?|available(?: again)?|wait)"
    r"(?:\s+(?:in|after|for)|:)?\s+(?:about\s+)?(?=[0-9])"
)
_SAID_TIME = re.compile(
    r"resets?\s+(?:at\s+)?(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))?\s?(?P<half>am|pm)"
    r"\s?\((?P<zone>[A-Za-z_]{1,30}(?:/[A-Za-z_+\-0-9]{1,30}){0,2})\)",
    re.IGNORECASE,
)


def named_wait(
    headers: Mapping[str, str], error: Mapping[str, Any], message: str, at: datetime
) -> int | None:
    """The seconds that a response names, None where it names none.

    `headers` have lower-case names, `error` is the error object of the body, `at` is when it came.

    >>> named_wait({"retry-after": "2.1"}, {}, "", datetime(2026, 1, 1, tzinfo=UTC))
    3
    """
    hints: tuple[Callable[[], float | None], ...] = (
        lambda: _milliseconds(headers.get("retry-after-ms")),
        lambda: _milliseconds(headers.get("x-ms-retry-after-ms")),
        lambda: _retry_after(headers.get("retry-after", ""), at),
        lambda: _latest(_reset_moments(headers, at)),
        lambda: _latest(_reset_durations(headers)),
        lambda: _retry_delay(error),
        lambda: _resets_in(error, at),
        lambda: said_wait(message, at),
    )
    for hint in hints:
        seconds = hint()
        if seconds is not None and not math.isnan(seconds):
            return whole_seconds(seconds)
    return None


def whole_seconds(seconds: float) -> int:
    """A wait as it is stored.

    >>> whole_seconds(1.5), whole_seconds(-5), whole_seconds(1e9)
    (2, 0, 86400)
    """
    return math.ceil(min(max(seconds, 0.0), LONGEST_WAIT_SECONDS))


def recordable_wait(given: object) -> int | None:
    """A wait that an adapter names, as it is stored; what is no finite number names none.

    >>> recordable_wait(1.5), recordable_wait(10**400), recordable_wait(float("inf"))
    (2, 86400, None)
    """
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return whole_seconds(given) if isinstance(given, int) or math.isfinite(given) else None


def said_wait(message: str, at: datetime) -> float | None:
    """The seconds that a message names in words: `try again in 6m0s`, `resets 3pm (Asia/Tokyo)`.

    A time of day without a zone names no wait.
    """
    message = message[:LONGEST_MESSAGE]
    said = _SAID.search(message.lower())
    if said and (parts := _PARTS.match(message.lower(), said.end())):
        seconds = duration(parts.group())
        if seconds is not None:
            return seconds
    time = _SAID_TIME.search(message)
    return _until_time(time, at) if time else None


def duration(text: str) -> float | None:
    """The seconds of a duration such as `1h2m3s`, `500ms`, `34.07s`, `2 days 17 hours`.

    >>> duration("6m0s"), duration("500ms"), duration("soon")
    (360.0, 0.5, None)
    """
    parts = list(_PART.finditer(text))
    rest = _PART.sub("", text).replace("and", "").strip(" ,.")
    if not parts or rest:
        return None
    return sum(float(part["number"]) * _UNITS[part.lastgroup or ""] for part in parts)


def _until_time(time: re.Match[str], at: datetime) -> float | None:
    try:
        local = at.astimezone(ZoneInfo(time["zone"]))
        hour = int(time["hour"]) % 12 + (12 if time["half"].lower() == "pm" else 0)
        reset = local.replace(hour=hour, minute=int(time["minute"] or 0), second=0, microsecond=0)
    except (ValueError, OSError, KeyError):  # no such zone, or no such time of day
        return None
    if reset <= local:
        reset += timedelta(days=1)
    return (reset - at).total_seconds()


def _number(text: str | None) -> float | None:
    return float(text) if text and _NUMBER.fullmatch(text) else None


def _milliseconds(text: str | None) -> float | None:
    number = _number(text.strip() if text else None)
    return None if number is None else number / 1_000


def _retry_after(text: str, at: datetime) -> float | None:
    text = text.strip()
    number = _number(text)
    if number is not None or not text:
        return number
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return _seconds_until(moment if moment.tzinfo else moment.replace(tzinfo=UTC), at)


def _seconds_until(moment: datetime, at: datetime) -> float:
    return (moment - at).total_seconds()


def _exhausted(headers: Mapping[str, str], remaining: str, reset: str) -> Iterator[str]:
    """The resets of the dimensions of which nothing remains."""
    for name, value in headers.items():
        dimension = re.fullmatch(remaining, name)
        if dimension and _number(value.strip()) == 0:
            yield headers.get(reset.format(dimension[1]), "").strip()


def _reset_moments(headers: Mapping[str, str], at: datetime) -> Iterator[float]:
    for value in _exhausted(headers, r"([a-z]+-ratelimit-[a-z-]+)-remaining", "{}-reset"):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            continue
        if moment.tzinfo:
            yield _seconds_until(moment, at)


def _reset_durations(headers: Mapping[str, str]) -> Iterator[float]:
    for value in _exhausted(headers, r"x-ratelimit-remaining-([a-z-]+)", "x-ratelimit-reset-{}"):
        seconds = duration(value)
        if seconds is not None:
            yield seconds


def _latest(waits: Iterator[float]) -> float | None:
    return max(waits, default=None)


def _retry_delay(error: Mapping[str, Any]) -> float | None:
    details = error.get("details")
    for detail in details if isinstance(details, list) else []:
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        seconds = duration(delay) if isinstance(delay, str) else None
        if seconds is not None:
            return seconds
    return None


def _resets_in(error: Mapping[str, Any], at: datetime) -> float | None:
    seconds = _finite(error.get("resets_in_seconds"))
    moment = _finite(error.get("resets_at"))
    return moment - at.timestamp() if seconds is None and moment is not None else seconds


def _finite(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e15 else None  # type: ignore[arg-type]
