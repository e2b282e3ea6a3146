"""The dialects that advisors are asked in, one module each; another package may add its own.

The adapter of the name `some-dialect` is the function `ask` of the module `some_dialect` here, or
what the entry point `some-dialect` of the group `majordomus_reasoning.adapters` names. No module
here does I/O. Modules whose name begins with an underscore are shared by several.
"""

from __future__ import annotations

import re
from importlib import import_module, metadata
from importlib.util import find_spec
from pkgutil import iter_modules

from majordomus_reasoning.advisors.contract import Adapter
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure

ENTRY_POINTS = "majordomus_reasoning.adapters"


def find_adapter(name: str) -> Adapter:
    """The adapter of a name.

    Raises AdvisorFailure (`no_adapter`) where nobody provides it or what provides it cannot be
    loaded.
    """
    module = f"{__name__}.{name.replace('-', '_')}"
    if re.fullmatch(r"[a-z][a-z0-9-]{0,99}", name) and find_spec(module):
        adapter: Adapter = import_module(module).ask
        return adapter
    for entry_point in metadata.entry_points(group=ENTRY_POINTS, name=name):
        return _load(entry_point)
    raise failure("no_adapter")


def adapter_names() -> tuple[str, ...]:
    """The names of all adapters that are installed, sorted; none is loaded."""
    here = {
        module.name.replace("_", "-")
        for module in iter_modules(__path__)
        if not module.name.startswith("_")
    }
    elsewhere = {entry_point.name for entry_point in metadata.entry_points(group=ENTRY_POINTS)}
    return tuple(sorted(here | elsewhere))


def _load(entry_point: metadata.EntryPoint) -> Adapter:
    try:
        adapter: Adapter = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - another package's own, an exit among them
        sentence = f"The adapter {entry_point.name} cannot be loaded ({type(error).__name__})."
        raise AdvisorFailure("unavailable", "no_adapter", sentence) from None
    return adapter
