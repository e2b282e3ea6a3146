"""The scripts of the doubles: replies under each name, in turn, the last one again and again."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

Reply = Mapping[str, Any]
Script = Mapping[str, Sequence[Reply]]


def read_script(path: Path) -> Script:
    """The script that a YAML file holds; ValueError where it holds none."""
    script = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(script, Mapping):
        message = f"{path.name} is no script: write replies under each name"
        raise ValueError(message)  # noqa: TRY004 - what is wrong is the content of a file
    return script


# What a reply says something by; `after` and the like are only said beside it.
SAYS = frozenset({"answer", "text", "status", "body", "stdout", "stderr", "exit"})


def checked(
    script: Script, names: Collection[str], keys: Collection[str]
) -> dict[str, list[Reply]]:
    """The replies under each name; ValueError for a word that would never be read.

    >>> checked({"codex": [{"anwser": {}}]}, {"codex"}, {"answer"})
    Traceback (most recent call last):
    ...
    ValueError: 'anwser' is nothing that a reply of codex can hold: it holds answer
    """
    for name, replies in script.items():
        if name not in names:
            raise ValueError(f"{name!r} cannot be scripted: write {', '.join(sorted(names))}")
        if not replies:
            raise ValueError(f"{name} has no reply: leave it out, or write one")
        for reply in replies:
            _check_reply(name, reply, keys)
    return {name: list(replies) for name, replies in script.items()}


def _check_reply(name: str, reply: Reply, keys: Collection[str]) -> None:
    for word in reply:
        if word not in keys:
            known = ", ".join(keys)
            raise ValueError(
                f"{word!r} is nothing that a reply of {name} can hold: it holds {known}"
            )
    if not SAYS & {*reply}:
        raise ValueError(f"a reply of {name} says nothing: write an answer, a text or a status")


def said(reply: Reply) -> str:
    """What the model writes: the text, else the answer as JSON, else nothing."""
    if "text" in reply:
        return str(reply["text"])
    return json.dumps(reply["answer"]) if "answer" in reply else ""
