"""The conformance vectors as test cases, each with its name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "conformance"


def load(file: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    return data


def cases(file: str, key: str) -> list[Any]:
    """Each vector under a key as a parameter named after it."""
    vectors = load(file)[key]
    return [
        pytest.param(vector, id=f"{number}: {_name(vector)}")
        for number, vector in enumerate(vectors, start=1)
    ]


def _name(vector: Mapping[str, Any]) -> str:
    named = vector.get("name") or " ".join(
        str(vector[key])
        for key in ("shape", "prefix", "count", "mode", "materiality", "confidence", "expect")
        if key in vector
    )
    return ascii(named or vector.get("text"))[1:-1]


def assert_known(keys: Iterable[str], known: Iterable[str]) -> None:
    """A vector that says something this test does not check would pass without being checked."""
    assert set(keys) <= set(known), f"unchecked: {sorted(set(keys) - set(known))}"
