"""Whatever an adapter reports, its outcome is one that a record can hold."""

import pytest

from majordomus_reasoning.advisors.contract import Answer, Sleep
from majordomus_reasoning.advisors.failures import LONGEST_DIAGNOSTIC, AdvisorFailure
from majordomus_reasoning.core.records import Usage
from majordomus_reasoning.testing import deterministic_checkout

SHARE = """
version: 1
capabilities: [{id: independent_reasoning, description: reasons}]
advisors:
  - id: odd
    title: Odd
    transport: local_runtime
    adapter: any
    executable: sh
    capabilities: [independent_reasoning]
"""


@pytest.fixture
def recorded(tmp_path):
    """The body that is recorded of an advisor whose adapter ends so."""
    (tmp_path / "share").mkdir()
    (tmp_path / "checkout").mkdir()
    (tmp_path / "share" / "advisors.yaml").write_text(SHARE)

    def body(end):
        def adapter(_asking):
            yield Sleep(0)
            if isinstance(end, AdvisorFailure):
                raise end
            return end

        checkout = deterministic_checkout(
            root=tmp_path / "checkout",
            share=tmp_path / "share",
            environment={"PATH": "/usr/bin:/bin"},
            adapters=lambda _name: adapter,
        )
        plan = checkout.plan(checkout.assess("s", materiality="high", evidence=["test:t"]))
        return checkout.consult_sync(plan)["odd"].body

    return body


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        (0, 0),
        (7, 7),
        (-5, 0),
        (1.5, 2),
        (10**9, 86_400),
        (10**400, 86_400),
        (float("nan"), None),
        (float("inf"), None),
        ("7", None),
        (True, None),
        (None, None),
    ],
)
def test_a_wait_is_whole_seconds_within_a_day_or_none(recorded, named, kept):
    body = recorded(AdvisorFailure("rate_limited", "rate_limit", "It waits.", named))
    assert (body.status, body.retry_after_seconds) == ("rate_limited", kept)


@pytest.mark.parametrize("status", ["weird", "completed", "", None, ["error"]])
def test_a_status_that_is_none_of_a_failure_is_a_fault_of_the_adapter(recorded, status):
    body = recorded(AdvisorFailure(status, "some_reason", "It failed."))
    assert (body.status, body.diagnostic) == (
        "error",
        "adapter_fault: The adapter itself failed.",
    )


@pytest.mark.parametrize(
    ("reason", "sentence", "kept"),
    [
        ("r", "s" * 10_000, "r: " + "s" * (LONGEST_DIAGNOSTIC - 3)),
        ("r" * 10_000, "s", "r" * LONGEST_DIAGNOSTIC),
        (None, 7, "None: 7"),
    ],
)
def test_the_texts_of_a_failure_are_bounded_texts(recorded, reason, sentence, kept):
    assert recorded(AdvisorFailure("error", reason, sentence)).diagnostic == kept


@pytest.mark.parametrize(
    ("usage", "kept"),
    [
        (Usage(input_tokens=3), {"input_tokens": 3}),
        (Usage(input_tokens=3, output_tokens=None), {"input_tokens": 3}),
        (Usage.model_construct(input_tokens=-5), None),
        (Usage.model_construct(input_tokens="many"), None),
        (Usage.model_construct(input_tokens=10**30), None),
        (Usage(input_tokens=3, colour="red"), {"input_tokens": 3}),
        (Usage(), None),
        (None, None),
    ],
)
def test_a_usage_that_cannot_be_is_left_out(recorded, usage, kept):
    body = recorded(Answer('{"conclusion": "keep it"}', usage=usage))
    assert body.status == "completed"
    assert (body.usage and body.usage.plain()) == kept


def test_the_names_of_an_answer_are_bounded(recorded):
    assert recorded(Answer('{"conclusion": "keep it"}', model="m" * 10**6)).status == "completed"
