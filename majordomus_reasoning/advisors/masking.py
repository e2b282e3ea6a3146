"""Taking the credentials that were sent out of what came back, should somebody have quoted one."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST_SECRET = 8  # a shorter one would be found in the middle of any prose
MASK = "[redacted:credential]"


def masked(text: str, secrets: Iterable[str]) -> str:
    """The text with each of the secrets masked; a short one only where it is the whole text.

    >>> masked("the key is a1B2c3D4e5", ["a1B2c3D4e5"])
    'the key is [redacted:credential]'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET or text == secret:
            text = text.replace(secret, MASK)
    return text
