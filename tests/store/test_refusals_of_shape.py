"""What is no body at all, or too much of one, is refused; and no refusal repeats what it read."""

from __future__ import annotations

import pytest
from builders import (
    Writer,
    assessment,
    refusal,
)


class Unprintable(int):
    """A number with more digits than Python prints; the test's own name must not try."""

    def __repr__(self):
        return "a huge number"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing_field"),
        ({"subject": "x"}, "missing_field"),
        ({"kind": None}, "invalid_value"),
        ({"kind": ""}, "invalid_value"),
        ({"kind": "Assessment"}, "invalid_value"),
        ({"kind": "opinion", "text": "x"}, "invalid_value"),
        ({"kind": ["assessment"]}, "invalid_value"),
        ({"kind": "planinput", "assessment": "x"}, "invalid_value"),
        ({1: "x", "kind": "assessment", "subject": "x"}, "unknown_field"),
        ([], "invalid_value"),
        (None, "invalid_value"),
        ("assessment", "invalid_value"),
        ({"kind": "assessment", "subject": b"x"}, "invalid_value"),
        ({"kind": "consultation", "duration_ms": Unprintable(10**5000)}, "invalid_value"),
        ({"kind": "assessment", "subject": {1, 2}}, "invalid_value"),
        ({"kind": "assessment", "subject": "x", "\ud800": 1}, "unknown_field"),
    ],
    ids=ascii,
)
def test_what_is_no_body_of_a_kind_is_refused(tmp_path, body, code):
    assert refusal(Writer(tmp_path / "reasoning").write, body).code == code
    assert list(tmp_path.iterdir()) == []


def deep(levels):
    value = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "changes",
    [
        {"subject": "x" * 65_537},
        {"facts": ["x" * 65_537]},
        {"evidence": [{"kind": "file", "reference": "x", "note": "x" * 65_537}]},
        {"facts": ["x" * 60_000] * 18},
        {"facts": deep(8)},
        {"facts": deep(3_000)},
        {"unheard_of": deep(8)},
    ],
    ids="/".join,
)
def test_what_is_too_long_too_much_or_too_deep_is_refused(tmp_path, changes):
    refused = refusal(Writer(tmp_path / "reasoning").write, assessment(**changes))
    assert refused.code == "invalid_value"
    assert len(str(refused)) < 200
    assert list(tmp_path.iterdir()) == []


def test_a_text_of_65536_characters_and_a_body_of_1_mib_are_admitted(writer):
    body = assessment(facts=["x" * 65_536] * 15)
    assert writer.record(body)


SECRET = "ghp_" + "a" * 30


@pytest.mark.parametrize(
    "changes",
    [
        {"materiality": SECRET},
        {"facts": SECRET},
        {"new_evidence": SECRET},
        {"capabilities": [SECRET]},
        {"evidence": [{"kind": SECRET, "reference": "x"}]},
        {"evidence": [{"kind": "record", "reference": SECRET}]},
        {"evidence": [{"kind": "file", "reference": "x", SECRET: 1}]},
        {SECRET: 1},
        {SECRET: "x" * 65_537},
        {"kind": SECRET},
        {"kind": "plan", "assessment": SECRET, "subject": None},
        {"subject": {SECRET: SECRET}},
    ],
    ids="/".join,
)
def test_a_refusal_never_repeats_a_secret(writer, changes):
    refused = refusal(writer.write, {**assessment(), **changes})
    assert SECRET not in f"{refused!r} {refused} {refused.field}"
    assert refused.__cause__ is None


def test_a_refusal_never_repeats_a_terminal_escape(writer):
    refused = refusal(writer.write, {**assessment(), "\x1b[31mred": 1})
    assert refused.field == "red"
    assert "\x1b" not in str(refused)
