"""Reading the YAML files in which people declare advisors, models, tasks and profiles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from majordomus_reasoning.errors import CatalogueError
from majordomus_reasoning.store.reading import MIB, read_bounded

LARGEST_DECLARATION = MIB


def read_yaml(path: Path, *, words_only: bool = False, absent: Any = None) -> Any:
    """What a YAML file holds, `absent` when there is none.

    With `words_only` every scalar is read as text, so that an id of digits stays one. Raises
    CatalogueError where the file cannot be read, is larger than 1 MiB or is no YAML.
    """
    try:
        text = read_bounded(path, LARGEST_DECLARATION).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return absent
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise CatalogueError(path, "the whole file", f"cannot be read ({reason})") from None
    return _parsed(path, text, words_only=words_only)


def _parsed(path: Path, text: str, *, words_only: bool) -> Any:
    import yaml

    name = "BaseLoader" if words_only else "SafeLoader"
    loader = getattr(yaml, f"C{name}", None) or getattr(yaml, name)  # in C where that was built
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 - both make plain values only
    except Exception as error:  # noqa: BLE001 - a tag that does not fit its value raises anything
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else "the whole file"
        raise CatalogueError(path, place, "it is no YAML") from None
