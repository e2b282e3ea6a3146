"""The shape of an input, where it is meant to break: nesting without end, a key twice."""

from __future__ import annotations

import pytest
from builders import assessment

from majordomus_reasoning.core.draft import DEEPEST_BODY, draft, read_json
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.verbs import authored_body


def holding_itself() -> list[object]:
    endless: list[object] = []
    endless += [endless] * 50
    return endless


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("read", [draft, authored_body])
@pytest.mark.parametrize("facts", [holding_itself(), nested(DEEPEST_BODY), nested(3_000)])
def test_what_nests_too_deeply_is_refused(read, facts):
    with pytest.raises(Refusal, match=f"deeper than {DEEPEST_BODY} levels") as refused:
        read(assessment(facts=facts))
    assert refused.value.code == "invalid_value"


def test_a_key_that_stands_twice_is_named_however_many_keys_there_are():
    """Counting each name in all names would take minutes here and be noticed."""
    names = [f'"{number}": 0' for number in range(80_000)]
    with pytest.raises(Refusal, match="79999 stands twice"):
        read_json(f"{{{', '.join([*names, names[-1]])}}}".encode())


def test_what_was_taken_out_before_is_redacted_too():
    said = {"kind": "assessment", "subject": "x", "facts": ["the key was [redacted:jwt]"]}
    assert draft(said).redacted == {"jwt"}
    assert draft({**said, "facts": ["[redacted:nothing-we-know]"]}).redacted == frozenset()
