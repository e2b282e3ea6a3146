"""Messages that show a caller's word: no secret, no control character, one short line."""

from __future__ import annotations

import json

import pytest
from builders import (
    EVIDENCE,
    Desk,
    answer,
    assessment,
    conclusion,
    disagreement,
    plan,
    refusal,
    resolution,
)

from majordomus_reasoning.core.draft import draft, read_json
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.verbs import authored_body

SECRET = "sk-ant-" + "a1B2c" * 5  # made when the test runs
WORD = f"\x1b[2J{SECRET}\n{'x' * 500}"
QUESTION = "assessment-1"  # the ids of a desk count from one
INPUTS = {
    "a reference": plan(WORD),
    "an evidence": assessment(evidence=[{"kind": "record", "reference": WORD}]),
    "a capability": assessment(capabilities=[WORD]),
    "a field": assessment(**{WORD: 1}),
    "a field within": assessment(evidence=[{**EVIDENCE[0], WORD: 1}]),
    "a field too long": assessment(**{WORD: "x" * 70_000}),
    "an advisor": answer("plan-2", WORD),
    "a source": disagreement(QUESTION, "primary", WORD),
    "a source twice": disagreement(QUESTION, WORD, WORD),
    "a favour": resolution("disagreement-4", favours=WORD),
    "a consultation": conclusion(QUESTION, consultations=[WORD]),
    "a disagreement": conclusion(QUESTION, disagreements=[WORD]),
    "a decision": conclusion(QUESTION, supersedes=WORD),
    "a kind": {"kind": WORD},
}


def is_fit_to_show(message: str) -> bool:
    return SECRET[:20] not in message and message.isprintable() and len(message) < 300


@pytest.mark.parametrize("body", INPUTS.values(), ids=INPUTS)
def test_a_refusal_shows_no_secret_and_is_one_short_line(body):
    desk = Desk()
    desk.record(plan(desk.record(assessment())))
    desk.record(disagreement(QUESTION, "primary", desk.record(answer("plan-2"))))
    refused = refusal(desk.record, body)
    assert is_fit_to_show(str(refused))
    assert is_fit_to_show(refused.field or "")


READING = {
    "a key twice": lambda: read_json(f"{{{json.dumps(WORD)}: 1, {json.dumps(WORD)}: 2}}".encode()),
    "evidence without a kind": lambda: authored_body(assessment(evidence=[WORD])),
    "a field of a draft": lambda: draft({"kind": "plan", WORD: 1}),
}


@pytest.mark.parametrize("read", READING.values(), ids=READING)
def test_so_is_one_of_an_input_that_cannot_be_read(read):
    with pytest.raises(Refusal) as refused:
        read()
    assert is_fit_to_show(str(refused.value))
