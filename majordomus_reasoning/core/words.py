"""The words of the wire format, and the small facts about them that every rule shares."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import Literal, get_args

SCHEMA = "majordomus/reasoning-record"
VERSION = 1
UNTASKED = "untasked"
PRIMARY = "primary"
NEITHER = "neither"
LARGEST_NUMBER = 2**53 - 1
LONGEST_WAIT_SECONDS = 86_400

Materiality = Literal["trivial", "low", "material", "high", "critical"]
Confidence = Literal["low", "medium", "high"]
EvidenceKind = Literal[
    "file",
    "test",
    "adr",
    "rule",
    "commit",
    "command",
    "record",
    "document",
    "runtime",
    "prior_external_opinion",
]
ConsultationStatus = Literal[
    "completed",
    "timeout",
    "rate_limited",
    "auth_failed",
    "malformed",
    "empty",
    "unavailable",
    "cancelled",
    "error",
]
Stance = Literal["supports", "opposes", "alternative", "inconclusive"]
PlanOutcome = Literal["consult", "decide_locally", "reuse_prior"]
ValidationOutcome = Literal["pass", "fail"]
AdvisorStatus = Literal[
    "available",
    "unavailable",
    "not_configured",
    "disabled",
    "temporarily_failed",
    "rate_limited",
]
Transport = Literal["api", "cli", "local_runtime", "peer"]
Mode = Literal["offline", "ci", "fast", "standard", "strict"]
Origin = Literal["asked", "reported", "written", "imported"]
Reason = Literal[
    "present",
    "executable_not_found",
    "executable_undeclared",
    "credential_absent",
    "credential_undeclared",
    "mode_ci",
    "mode_offline",
    "disabled_by_configuration",
    "consecutive_failures",
    "rate_limited",
    "authentication_failed",
    "peer_linked",
    "peer_declared_statically",
]

MATERIALITIES: tuple[Materiality, ...] = get_args(Materiality)
MODES: tuple[Mode, ...] = get_args(Mode)
TRANSIENT: frozenset[ConsultationStatus] = frozenset({"timeout", "unavailable", "error"})


def is_material(materiality: Materiality) -> bool:
    """Whether a materiality is `material` or above.

    >>> [word for word in MATERIALITIES if is_material(word)]
    ['material', 'high', 'critical']
    """
    return MATERIALITIES.index(materiality) >= MATERIALITIES.index("material")


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space and invisible characters only.

    >>> is_blank(" \\u200b\\n"), is_blank("x")
    (True, False)
    """
    return not any(char.isprintable() and not char.isspace() for char in text)


_ORDINARY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def is_plain_name(name: str) -> bool:
    """Whether a task name or id may stand as the name of a file or folder.

    >>> [is_plain_name(name) for name in ("retry-task", "..", "a/b", "", "x" * 201)]
    [True, False, False, False, False]
    """
    if _ORDINARY_NAME.fullmatch(name):
        return True
    return (
        not is_blank(name)
        and name not in {".", ".."}
        and not any(char in "/\\" or unicodedata.category(char) in {"Cc", "Cs"} for char in name)
        and len(name.encode("utf-8")) <= 200
    )


def instant(stamp: str) -> datetime:
    """The moment an RFC 3339 stamp names; ValueError for text that names none, or no zone.

    >>> instant("2026-10-01T09:30:01.123Z").isoformat()
    '2026-10-01T09:30:01.123000+00:00'
    """
    moment = datetime.fromisoformat(stamp)
    if moment.tzinfo is None or "T" not in stamp:
        raise ValueError("a stamp is RFC 3339 in UTC, such as 2026-10-01T09:30:01.123Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("a stamp lies between the years 1 and 9999") from None


def to_stamp(moment: datetime) -> str:
    """A moment as the writer stamps it: UTC, milliseconds, `Z`.

    >>> to_stamp(datetime(2026, 10, 1, 9, 30, tzinfo=UTC))
    '2026-10-01T09:30:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
