"""What a reason means for the status of a consultation, and what a diagnostic says."""

import pytest

from majordomus_reasoning.advisors.failures import REASONS, AdvisorFailure, failure
from majordomus_reasoning.errors import ReasoningError

BY_STATUS = {
    "timeout": "deadline stdin_open",
    "rate_limited": "rate_limit quota_exhausted",
    "auth_failed": "no_credential credential_refused permission region",
    "malformed": "no_object not_an_object missing_keys ambiguous bad_json bad_constant bad_number "
    "duplicate_key too_deep too_large truncated tool_call no_choices refused filtered "
    "context_length bad_request unexpected_stream",
    "empty": "no_text thinking_only load loop_detected",
    "unavailable": "overloaded server_error html_page no_connection broken_connection "
    "model_not_found bad_endpoint not_installed config no_adapter",
    "cancelled": "withdrawn",
    "error": "mid_stream client_failed unclassified adapter_fault",
}


@pytest.mark.parametrize(
    ("status", "reason"),
    [(status, reason) for status, reasons in BY_STATUS.items() for reason in reasons.split()],
)
def test_a_reason_has_one_status_and_one_sentence(status, reason):
    found = failure(reason)
    assert found.status == status
    assert found.diagnostic == f"{reason}: {REASONS[reason].sentence}"
    assert found.diagnostic.endswith(".")


def test_every_reason_is_told_here():
    assert set(REASONS) == set(" ".join(BY_STATUS.values()).split())


def test_a_failure_is_one_of_the_errors_of_this_package():
    found = failure("rate_limit", 7)
    assert isinstance(found, ReasoningError)
    assert (found.code, found.retry_after_seconds) == ("advisor_failure", 7)
    assert str(found) == found.diagnostic


def test_a_sentence_of_another_package_is_cleaned_and_bounded():
    secret = "sk-ant-" + "a1B2c3D4" * 4
    found = AdvisorFailure("error", "odd", f"\x1b[31m{secret} " + "x" * 1_000)
    assert "sk-ant" not in found.diagnostic
    assert "\x1b" not in found.diagnostic
    assert len(found.diagnostic) <= 300
