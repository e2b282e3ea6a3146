"""The eight kinds: read, kept and written again without a change."""

from __future__ import annotations

import hashlib
import json

import pytest
from builders import (
    Desk,
    answer,
    assessment,
    attempt,
    conclusion,
    decided,
    disagreement,
    envelope,
    failure,
    plan,
    record,
    resolution,
    validation,
)
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from majordomus_reasoning.core.draft import draft
from majordomus_reasoning.core.records import (
    BODIES,
    INPUTS,
    KINDS,
    body_digest,
    canonical,
    record_bytes,
    record_type,
)

lines = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).map(lambda t: f"x{t}")
bodies = st.one_of(
    st.builds(assessment, lines, hypothesis=lines, facts=st.lists(lines, max_size=3)),
    st.builds(plan, lines),
    st.builds(answer, lines, conclusion=lines, duration_ms=st.integers(0, 2**53 - 1)),
    st.builds(failure, lines, diagnostic=lines, retry_after_seconds=st.integers(0, 86_400)),
    st.builds(disagreement, lines, st.just("primary"), lines),
    st.builds(resolution, lines, lines),
    st.builds(conclusion, lines, risks=st.lists(lines, max_size=3)),
    st.builds(validation, lines),
    st.builds(attempt, updated_hypothesis=lines),
)


@given(bodies)
def test_an_input_is_cleaned_once_and_then_stays_as_it_is(body):
    once = draft(body).body
    again = draft(once.plain())
    assert again.body == once
    assert again.redacted == frozenset()


@given(bodies.filter(lambda body: body["kind"] not in {"plan", "conclusion"}))
def test_a_record_read_and_written_again_has_the_same_bytes(body):
    stored = record("x", 0, draft(body).body.plain(), head="0" * 40, origin="written")
    content = record_bytes(stored)
    assert record_bytes(record_type().validate_json(content)) == content
    assert content.endswith(b"}\n")
    assert (
        content.decode("utf-8") == json.dumps(stored.plain(), indent=2, ensure_ascii=False) + "\n"
    )


def test_every_kind_of_a_whole_decision_is_written_again_with_the_same_bytes():
    desk = Desk()
    decided(desk)
    desk.record(attempt())
    for each in desk.ledger:
        assert record_bytes(record_type().validate_json(record_bytes(each))) == record_bytes(each)
    assert {each.kind for each in desk.ledger} == set(KINDS)


def test_there_are_eight_kinds_each_with_an_input_and_a_stored_form():
    assert KINDS == (
        "assessment",
        "plan",
        "consultation",
        "disagreement",
        "resolution",
        "conclusion",
        "validation",
        "attempt",
    )
    assert set(INPUTS) == set(BODIES) == set(KINDS)


def test_no_input_has_a_field_that_could_claim_a_review():
    names = {name for model in INPUTS.values() for name in model.model_fields}
    claims = {"reviewed_by", "independent_review_count", "availability", "id", "recorded_at"}
    assert not names & claims
    assert "plan" not in INPUTS["plan"].model_fields


def test_a_record_cannot_be_changed():
    stored = record("x", 0, assessment())
    with pytest.raises(ValidationError, match="frozen"):
        stored.id = "y"
    with pytest.raises(ValidationError, match="frozen"):
        stored.body.subject = "y"


def test_fields_of_a_later_version_are_kept_and_named():
    body = assessment(mood="calm", evidence=[{"kind": "file", "reference": "x", "weight": 1}])
    stored = record("x", 0, body, colour="blue")
    assert sorted(stored.unknown_fields()) == ["body.evidence[0].weight", "body.mood", "colour"]
    assert stored.plain() == envelope("x", 0, body, colour="blue")


def test_the_digest_is_of_the_canonical_json():
    body = record("x", 0, {"kind": "assessment", "subject": "é"}).body
    text = '{"kind":"assessment","subject":"é"}'
    assert canonical(body.plain()) == text
    assert body_digest(body) == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_the_digest_does_not_depend_on_the_order_of_the_fields():
    one = record("x", 0, assessment())
    other = record("x", 0, dict(reversed(assessment().items())))
    assert body_digest(one.body) == body_digest(other.body)
