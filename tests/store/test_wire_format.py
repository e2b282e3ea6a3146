"""The bytes of a record's file: what another reader of the format relies on."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from builders import (
    EVIDENCE,
    Writer,
    answer,
    assessment,
    conclusion,
    decided,
    failure,
    plan,
    situation,
)

from majordomus_reasoning.core.records import Exchange, canonical, record_bytes, record_type
from majordomus_reasoning.store.files import Surroundings
from majordomus_reasoning.testing import TickingClock
from majordomus_reasoning.version import PACKAGE, __version__

ASSESSMENT = f"""\
{{
  "schema": "majordomus/reasoning-record",
  "version": 1,
  "id": "assessment-20261130T120000000Z-d82c07",
  "task": "untasked",
  "recorded_at": "2026-11-30T12:00:00.000Z",
  "redacted": [
    "github-token"
  ],
  "body": {{
    "kind": "assessment",
    "subject": "café — 日本",
    "materiality": "high",
    "confidence": "medium",
    "facts": [
      "the token is [redacted:github-token]"
    ],
    "evidence": [
      {{
        "kind": "file",
        "reference": "src/worker.py:10"
      }}
    ],
    "new_evidence": false
  }},
  "origin": "written",
  "writer": {{
    "package": "{PACKAGE}",
    "version": "{__version__}"
  }}
}}
"""
ENVELOPE = [
    "schema",
    "version",
    "id",
    "task",
    "recorded_at",
    "head",
    "redacted",
    "body",
    "origin",
    "exchange",
    "cites",
    "pins",
    "writer",
]


def lines(path) -> dict:
    return json.loads(path.read_bytes())


def test_a_record_is_these_bytes(writer):
    facts = ["the token is " + "ghp_" + "a" * 20]
    given = assessment("café — 日本", facts=facts, questions=[], hypothesis="", affects=None)
    assert writer.write(given).path.read_text(encoding="utf-8") == ASSESSMENT


def test_the_file_is_named_after_the_id_in_the_folder_of_the_task(writer):
    written = writer.write(assessment(), task="retry-task")
    assert written.path == writer.root / "retry-task" / f"{written.record.id}.json"


def test_the_id_is_kind_stamp_and_six_hexadecimal_digits(writer):
    for name in decided(writer).values():
        found = writer.store.load().get(name)
        compact = re.sub(r"\W", "", found.recorded_at)
        assert re.fullmatch(rf"{found.kind}-{compact}-[0-9a-f]{{6}}", name)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", found.recorded_at)


def test_the_same_steps_give_the_same_bytes(tmp_path, files_of):
    for name in ("first", "second"):
        decided(Writer(tmp_path / name))
    first = files_of(tmp_path / "first")
    assert len(first) == 8
    assert first == files_of(tmp_path / "second")


def test_the_order_in_which_a_caller_names_the_fields_changes_nothing(tmp_path):
    given = assessment(hypothesis="x", facts=["y"])
    backwards = dict(reversed(given.items()))
    one, other = Writer(tmp_path / "a").write(given), Writer(tmp_path / "b").write(backwards)
    assert one.path.read_bytes() == other.path.read_bytes()


def test_a_record_read_and_written_again_has_the_same_bytes(writer):
    decided(writer)
    for path in writer.root.rglob("*.json"):
        assert record_bytes(record_type().validate_json(path.read_bytes())) == path.read_bytes()


def test_the_fields_stand_in_the_order_of_the_format(writer):
    decided(writer)
    for path in writer.root.rglob("*.json"):
        names = list(lines(path))
        assert names == [name for name in ENVELOPE if name in names]


@pytest.mark.parametrize(
    "empty",
    [
        {"hypothesis": ""},
        {"hypothesis": " \n"},
        {"hypothesis": None},
        {"facts": []},
        {"facts": None},
        {"evidence": []},
        {"capabilities": []},
    ],
    ids=repr,
)
def test_optional_fields_that_are_empty_are_omitted(writer, empty):
    given = {"kind": "assessment", "subject": "x", **empty}
    assert lines(writer.write(given).path)["body"] == {
        "kind": "assessment",
        "subject": "x",
        "materiality": "low",
        "confidence": "medium",
        "new_evidence": False,
    }


@pytest.mark.parametrize("usage", [{}, None, {"input_tokens": None}], ids=repr)
def test_a_usage_that_says_nothing_is_omitted(writer, usage):
    under = writer.record(plan(writer.record(assessment())))
    written = writer.write({**failure(under), "usage": usage})
    assert "usage" not in lines(written.path)["body"]


def test_computed_fields_are_written_also_when_they_are_empty(writer):
    on = writer.record({"kind": "assessment", "subject": "a name"})
    body = lines(writer.write(plan(on)).path)["body"]
    assert body["plan"]["selected"] == []
    assert "local_review" not in body["plan"]
    said = {"evidence": None, "validation_plan": None}
    body = lines(writer.write(conclusion(on, **said)).path)["body"]
    assert (body["reviewed_by"], body["independent_review_count"]) == ([], 0)
    assert "evidence" not in body


def test_a_plan_over_no_advisor_still_writes_its_availability(tmp_path):
    writer = Writer(tmp_path, situation())
    body = lines(writer.write(plan(writer.record(assessment()))).path)["body"]
    assert (body["availability"], body["plan"]["excluded"]) == ([], [])
    assert len(body["plan"]["local_review"]) == 5


def test_an_unknown_head_is_omitted_and_a_known_one_is_written(writer):
    assert "head" not in lines(writer.write(assessment()).path)
    known = Surroundings("untasked", head=lambda: "0" * 40)
    path = writer.store.write(assessment("b"), lambda: writer.situation, known).path
    assert lines(path)["head"] == "0" * 40


def test_redacted_names_each_shape_once_sorted(writer):
    facts = ["ghp_" + "a" * 20, "sk-" + "b" * 20, "gho_" + "c" * 20]
    assert lines(writer.write(assessment(facts=facts)).path)["redacted"] == [
        "github-token",
        "openai-key",
    ]


@pytest.mark.parametrize(
    ("exchange", "origin"), [(None, "reported"), (Exchange(client="x"), "asked")]
)
def test_a_consultation_says_whether_it_was_asked_or_reported(writer, exchange, origin):
    under = writer.record(plan(writer.record(assessment())))
    envelope = lines(writer.write(answer(under), exchange=exchange).path)
    assert envelope["origin"] == origin
    assert envelope.get("exchange") == ({"client": "x"} if exchange else None)


def test_cites_holds_the_digest_of_every_record_that_the_body_names(writer):
    ids = decided(writer)
    files = {path.stem: lines(path) for path in writer.root.rglob("*.json")}

    def digest(name):
        return hashlib.sha256(canonical(files[ids[name]]["body"]).encode()).hexdigest()

    cited = {
        "a": [],
        "p": ["a"],
        "c1": ["p"],
        "d": ["a", "c2"],
        "r": ["d"],
        "k": ["a", "c1", "c2", "d"],
        "v": ["k"],
    }
    for name, expected in cited.items():
        digests = {ids[each]: digest(each) for each in expected}
        assert files[ids[name]].get("cites", {}) == digests


def test_a_plan_that_reuses_a_decision_cites_it(writer):
    verdict = writer.record(conclusion(writer.record(assessment())))
    asked = writer.record(assessment())
    plan_of = writer.write(plan(asked)).record
    assert plan_of.body.plan.outcome == "reuse_prior"
    assert set(plan_of.cites) == {asked, verdict}


def test_evidence_that_names_a_record_is_cited_too(writer):
    first = writer.record(assessment())
    evidence = [*EVIDENCE, {"kind": "record", "reference": first}]
    written = writer.write(assessment("another", evidence=evidence))
    assert set(written.record.cites) == {first}


def test_the_clock_is_kept_in_milliseconds(tmp_path):
    clock = TickingClock()
    clock.advance(0.1239)
    written = Writer(tmp_path, clock=clock).write(assessment())
    assert written.record.recorded_at == "2026-11-30T12:00:00.123Z"
