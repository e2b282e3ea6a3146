"""mode.json: which mode applies, and what decided it."""

from __future__ import annotations

import pytest
import vectors

from majordomus_reasoning.core.availability import resolve_mode


def test_the_file_holds_nothing_else():
    vectors.assert_known(vectors.load("mode.json"), {"about", "cases"})


@pytest.mark.parametrize("case", vectors.cases("mode.json", "cases"))
def test_mode(case):
    vectors.assert_known(case, {"name", "env", "profile", "mode", "source"})
    profile = case["profile"] or {}
    vectors.assert_known(profile, {"name", "reasoning"})
    resolved = resolve_mode(case["env"], profile.get("name"), profile.get("reasoning"))
    assert resolved == (case["mode"], case["source"])
