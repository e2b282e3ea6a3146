"""From what a service or a client said to the reason of a failure, by a table per dialect.

The first row that fits decides, so a table stands with the most specific rows first. A row fits
when everything it names fits: the HTTP status, a code (a type, code, status or quota id), words of
the message, a web page where JSON was due.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.waits import named_wait

LONGEST_READ = 20_000
_CODE_KEYS = frozenset({"type", "code", "status", "reason", "error_code", "quotaId"})
_DEEPEST = 5
_WAITS = frozenset({"rate_limited", "unavailable"})


@dataclass(frozen=True)
class Signal:
    """What is known of a failed exchange; `error` is the error object, `at` when it came."""

    at: datetime
    http: int | None = None
    codes: frozenset[str] = frozenset()
    message: str = ""
    is_page: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A reason, and what tells it: `code` and `says` are regular expressions, letter case aside.

    `code` fits a whole code, `says` any part of the message.
    """

    reason: str
    http: Container[int] | None = None
    code: str | None = None
    says: str | None = None
    page: bool | None = None

    def fits(self, signal: Signal) -> bool:
        """Whether all that the row names is so."""
        if self.http is not None and signal.http not in self.http:
            return False
        if self.page is not None and signal.is_page is not self.page:
            return False
        if self.code is not None and not any(_fits(self.code, code) for code in signal.codes):
            return False
        return self.says is None or bool(re.search(self.says, signal.message, re.IGNORECASE))


def _fits(pattern: str, code: str) -> bool:
    return re.fullmatch(pattern, code, re.IGNORECASE) is not None


Table = tuple[Row, ...]

HTTP: Table = (
    Row("credential_refused", http=(401,)),
    Row("quota_exhausted", http=(402,)),
    Row("rate_limit", http=(429,)),
    Row("withdrawn", http=(499,)),
    Row("bad_endpoint", http=range(300, 400)),
    Row("html_page", page=True),
    Row("region", http=(451,)),
    Row("region", http=(403,), says=r"\b(?:country|region|territory|location)\b"),
    Row("permission", http=(403,)),
    Row("model_not_found", http=(404,), says=r"\bmodels?\b"),
    Row("bad_endpoint", http=(404, 405, 407, 410, 421)),
    Row("context_length", http=(413,)),
    Row("server_error", http=(408, 409, 423, 425)),
    Row("bad_request", http=range(400, 500)),
    Row("overloaded", http=(503, 529)),
    Row("server_error", http=range(500, 600)),
)

# Only where no HTTP status is known: an error within a 200, or within a stream.
CODES: Table = (
    Row("quota_exhausted", code=r"billing_error"),
    Row("rate_limit", code=r"rate_limit(?:_exceeded|_error)?|slow_down|resource_exhausted"),
    Row("rate_limit", code=r"usage_limit_reached|too_many_requests"),
    Row("overloaded", code=r"(?:server_)?(?:is_)?overloaded(?:_error)?|unavailable"),
    Row("credential_refused", code=r"authentication_error|invalid_api_key|unauthenticated"),
    Row("permission", code=r"permission_error|permission_denied"),
    Row("model_not_found", code=r"model_not_found"),
    Row("model_not_found", code=r"not_found(?:_error)?", says=r"\bmodels?\b"),
    Row("bad_endpoint", code=r"not_found(?:_error)?"),
    Row("context_length", code=r"context_length_exceeded|request_too_large"),
    Row("server_error", code=r"(?:internal_)?server_error|api_error|timeout_error|internal"),
    Row("bad_request", code=r"invalid_request_error|invalid_argument"),
)


def classify(signal: Signal, table: Iterable[Row]) -> AdvisorFailure | None:
    """The failure of the first row that fits, with the wait that was named; None where none fits.

    A used-up quota names no wait: waiting does not help.
    """
    row = next((row for row in table if row.fits(signal)), None)
    if row is None:
        return None
    found = failure(row.reason)
    if found.status in _WAITS and row.reason != "quota_exhausted":
        wait = named_wait(signal.headers, signal.error, signal.message, signal.at)
        return failure(row.reason, wait)
    return found


def codes_in(error: object, depth: int = 0) -> frozenset[str]:
    """Every type, code, status, reason and quota id that an error object names."""
    found: set[str] = set()
    if depth > _DEEPEST:
        return frozenset()
    if isinstance(error, Mapping):
        for name, value in error.items():
            if name in _CODE_KEYS and isinstance(value, str | int) and not isinstance(value, bool):
                found.add(str(value)[:200])
            found |= codes_in(value, depth + 1)
    elif isinstance(error, list):
        for value in error[:50]:
            found |= codes_in(value, depth + 1)
    return frozenset(found)


def http_code(value: object) -> int | None:
    """A number or text that is the HTTP status of a failure, None for any other value.

    >>> http_code("429"), http_code(1), http_code("rate_limit")
    (429, None, None)
    """
    digits = str(value) if isinstance(value, int | str) else ""
    return int(digits) if re.fullmatch("[345][0-9]{2}", digits) else None
