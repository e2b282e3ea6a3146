"""What may be the name of a task or a profile, before it becomes part of records."""

from __future__ import annotations

from majordomus_reasoning.core.redaction import clean_text
from majordomus_reasoning.core.words import is_plain_name

EVERY_TASK = "all"


def unfit_name(name: str) -> str | None:
    """Why a name may not stand in records, None where it may; the reason never repeats it.

    >>> unfit_name("retry-task"), unfit_name("a/b")
    (None, 'it is no plain name of at most 200 bytes')
    """
    if not is_plain_name(name):
        return "it is no plain name of at most 200 bytes"
    if clean_text(name)[0] != name:
        return "it has the shape of a secret"
    return None


def unfit_task(name: str) -> str | None:
    """Why a name may not be that of a task that is written to, None where it may.

    A task is a folder beside the store's own hidden files, and a word of the command. Records of
    other hands may have such names, and stay readable.

    >>> [unfit_task(name) for name in ("0042", "all", ".lock")]
    [None, 'the word means every task', 'it begins with a dot']
    """
    if name == EVERY_TASK:
        return "the word means every task"
    if name.startswith("."):
        return "it begins with a dot"
    return unfit_name(name)
