"""What lies just within the rules is admitted."""

from __future__ import annotations

import pytest
from builders import (
    EVIDENCE,
    answer,
    assessment,
    conclusion,
    disagreement,
    failure,
    plan,
    resolution,
)


@pytest.mark.parametrize("wait", [0, 1, 86_400])
def test_a_wait_within_a_day_is_admitted(writer, wait):
    under = writer.record(plan(writer.record(assessment())))
    given = failure(under, status="rate_limited", retry_after_seconds=wait)
    assert writer.write(given).record.body.retry_after_seconds == wait


@pytest.mark.parametrize("materiality", ["trivial", "low"])
def test_below_material_neither_evidence_nor_a_validation_plan_is_needed(writer, materiality):
    on = writer.record(assessment(materiality=materiality, evidence=None))
    assert writer.record(conclusion(on, evidence=None, validation_plan=None))


def test_an_answer_that_arrives_after_the_circuit_opened_is_admitted(writer):
    under = writer.record(plan(writer.record(assessment())))
    for _ in range(2):
        writer.record(failure(under, "one"))
    assert writer.record(answer(under, "one"))


def test_a_resolution_may_favour_any_source_or_neither(writer):
    on = writer.record(assessment())
    said = writer.record(answer(writer.record(plan(on))))
    for favours in ("primary", said, "neither"):
        writer.record(resolution(writer.record(disagreement(on, "primary", said)), favours))


def test_a_conclusion_may_supersede_that_of_another_assessment_of_the_subject(writer):
    first = writer.record(conclusion(writer.record(assessment("Lock  scope"))))
    later = writer.record(assessment("lock\nSCOPE", evidence=EVIDENCE))
    assert writer.record(conclusion(later, supersedes=first))
