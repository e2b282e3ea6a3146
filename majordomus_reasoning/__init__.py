"""Material uncertainty as records: assessed, planned, reviewed, concluded and validated.

    >>> import majordomus_reasoning as mr
    >>> checkout = mr.open(".")

Names are handed on from the rooms that define them, when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from majordomus_reasoning.checkout import Checkout
    from majordomus_reasoning.core.availability import CircuitPolicy
    from majordomus_reasoning.core.policy import Request
    from majordomus_reasoning.errors import (
        CatalogueError,
        NotFound,
        ReasoningError,
        Refusal,
        StoreError,
        StoreLocked,
        UnreadableRecord,
        WouldWrite,
    )
    from majordomus_reasoning.frozen import FrozenCheckout
    from majordomus_reasoning.frozen import open_checkout as open  # noqa: A004 - `mr.open` reads so
    from majordomus_reasoning.handles import Handle
    from majordomus_reasoning.tables import Stores, load
    from majordomus_reasoning.version import __version__

__all__ = [
    "CatalogueError",
    "Checkout",
    "CircuitPolicy",
    "FrozenCheckout",
    "Handle",
    "NotFound",
    "ReasoningError",
    "Refusal",
    "Request",
    "StoreError",
    "StoreLocked",
    "Stores",
    "UnreadableRecord",
    "WouldWrite",
    "__version__",
    "load",
    "open",
]

_HOMES = {
    "Checkout": "checkout",
    "CircuitPolicy": "core.availability",
    "FrozenCheckout": "frozen",
    "Handle": "handles",
    "Request": "core.policy",
    "Stores": "tables",
    "__version__": "version",
    "load": "tables",
}


def __getattr__(name: str) -> Any:
    if name == "open":
        return import_module("majordomus_reasoning.frozen").open_checkout
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
