"""Reading the YAML files in which people declare advisors, models, tasks and profiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from majordomus_reasoning.errors import CatalogueError
from majordomus_reasoning.store.reading import MIB, read_bounded

if TYPE_CHECKING:
    from yaml import Node, ScalarNode

LARGEST_DECLARATION = MIB


def read_yaml(path: Path, *, words_only: bool = False, absent: Any = None) -> Any:
    """What a YAML file holds, `absent` when there is none.

    With `words_only` every scalar is read as text, so that an id of digits stays one. Raises
    CatalogueError where the file cannot be read, is larger than 1 MiB, is no YAML or declares a key
    twice in one mapping, of which YAML would silently keep the last.
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
        document = yaml.compose(text, Loader=loader)
        repeated = _repeated_key(document)
        value = loader("").construct_document(document) if document else None
    except Exception as error:  # noqa: BLE001 - a tag that does not fit its value raises anything
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else "the whole file"
        raise CatalogueError(path, place, "it is no YAML") from None
    if repeated:
        line = repeated.start_mark.line + 1
        raise CatalogueError(path, repeated.value, f"line {line} declares it a second time")
    return value


def _repeated_key(document: Node | None) -> ScalarNode | None:
    """A key that its mapping holds already; None where each stands there once."""
    from yaml import MappingNode, ScalarNode, SequenceNode

    waiting, seen = [document], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias, which may lead back to what holds it
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            waiting += node.value
        elif isinstance(node, MappingNode):
            keys = set()
            for key, value in node.value:
                waiting.append(value)
                if isinstance(key, ScalarNode):  # any other is refused as no plain YAML
                    if (key.tag, key.value) in keys:
                        return key
                    keys.add((key.tag, key.value))
    return None
