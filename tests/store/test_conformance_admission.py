"""admission.json: whole stories, step by step, through the one writer."""

from __future__ import annotations

import json

import pytest
import vectors
from builders import Writer, refusal, situation

STEP = {"record", "expect", "as", "check", "first"}


def test_the_file_holds_nothing_else():
    vectors.assert_known(vectors.load("admission.json"), {"about", "scenarios"})


@pytest.mark.parametrize("case", vectors.cases("admission.json", "scenarios"))
def test_admission(case, tmp_path, files_of):
    vectors.assert_known(case, {"name", "mode", "advisors", "steps"})
    writer = Writer(tmp_path, situation(*case["advisors"], mode=case["mode"]))
    saved: dict[str, str] = {}
    for step in case["steps"]:
        vectors.assert_known(step, STEP)
        vectors.assert_known(step.get("first", {}), {"unavailable"})
        if "first" in step:
            absent = step["first"]["unavailable"]
            writer.situation = situation(*case["advisors"], absent=absent, mode=case["mode"])
        before = files_of(tmp_path)
        body = named(step["record"], saved)
        if step["expect"] != "ok":
            assert refusal(writer.write, body).code == step["expect"], body
            assert files_of(tmp_path) == before
            continue
        written = writer.write(body).record
        if "as" in step:
            saved[step["as"]] = written.id
        for path, expected in step.get("check", {}).items():
            assert at(written.body.plain(), path) == expected


def named(value, saved):
    """The value with each `$name` replaced by the id saved under that name."""
    text = json.dumps(value)
    for name in sorted(saved, key=len, reverse=True):
        text = text.replace(json.dumps(f"${name}"), json.dumps(saved[name]))
    assert '"$' not in text
    return json.loads(text)


def at(value, path):
    for name in path.split("."):
        value = value[name]
    return value
