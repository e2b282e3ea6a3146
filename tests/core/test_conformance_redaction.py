"""redaction.json: which texts are secrets, and what cleaning leaves of them."""

from __future__ import annotations

import pytest
import vectors

from majordomus_reasoning.core.redaction import clean_text

KNOWN = {"shape", "prefix", "fill", "count", "suffix", "expect", "clean", "note"}


def test_the_file_holds_nothing_else():
    vectors.assert_known(vectors.load("redaction.json"), {"about", "cases", "controls"})


@pytest.mark.parametrize("case", vectors.cases("redaction.json", "cases"))
def test_secret(case):
    vectors.assert_known(case, KNOWN)
    opaque = case["fill"] * case["count"]
    text = case["prefix"] + opaque + case["suffix"]
    cleaned, shapes = clean_text(text)
    if case["expect"] == "kept":
        assert (cleaned, shapes) == (text, frozenset())
    else:
        assert case["expect"] == "redacted"
        assert shapes == {case["shape"]}
        assert f"[redacted:{case['shape']}]" in cleaned
        assert opaque not in cleaned
    assert cleaned == case.get("clean", cleaned)


@pytest.mark.parametrize("case", vectors.cases("redaction.json", "controls"))
def test_control_characters(case):
    vectors.assert_known(case, {"text", "clean"})
    assert clean_text(case["text"]) == (case["clean"], frozenset())
