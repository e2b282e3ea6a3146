"""Many objects at once without the garbage collector, which would look at all of them in vain."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """No garbage collection meanwhile, and none of what was made at once afterwards.

    Every object that reading or deriving makes is kept or goes away by itself; the collector, which
    is called for by their number, would take most of the time, and the more the more there are.
    Freezing and thawing hands them to the oldest generation, as the collector would have done after
    looking at each. May be nested.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
