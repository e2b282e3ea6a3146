"""Withdrawing a consultation, from whatever thread the wish comes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


class Cancellation:
    """A wish to withdraw; once made it stays, and whoever listens is told once.

    >>> cancellation = Cancellation()
    >>> cancellation.cancel()
    >>> cancellation.requested
    True
    """

    def __init__(self) -> None:
        self.requested = False
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Withdraw; safe from any thread and from a signal's handler."""
        with self._lock:  # held while they are told, so that nobody is told who has left
            listeners = () if self.requested else tuple(self._listeners)
            self.requested = True
            for listener in listeners:
                listener()

    @contextlib.contextmanager
    def telling(self, listener: Callable[[], None]) -> Iterator[None]:
        """While within, the listener is told of a wish; at once where it was made before."""
        with self._lock:
            self._listeners.append(listener)
            if self.requested:
                listener()
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)
