"""How a consultation ends without an answer: a reason, its status, one sentence of ours.

A diagnostic is `<reason>: <sentence>`. What a server or a client said is never part of it, since
some quote the key or the model's text.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple, get_args

from majordomus_reasoning.advisors.masking import masked
from majordomus_reasoning.advisors.waits import recordable_wait
from majordomus_reasoning.core.redaction import clean_text
from majordomus_reasoning.errors import ReasoningError

FailureStatus = Literal[
    "timeout",
    "rate_limited",
    "auth_failed",
    "malformed",
    "empty",
    "unavailable",
    "cancelled",
    "error",
]
LONGEST_DIAGNOSTIC = 300


class AdvisorFailure(ReasoningError):
    """An advisor did not answer: `status` says what that means for it, `reason` why.

    `retry_after_seconds` is the wait that the service itself named, None where it named none.
    """

    code = "advisor_failure"

    def __init__(
        self,
        status: FailureStatus,
        reason: str,
        sentence: str,
        retry_after_seconds: int | None = None,
    ) -> None:
        self.status = status
        self.reason = reason
        self.sentence = sentence
        self.retry_after_seconds = retry_after_seconds
        self.diagnostic = clean_text(f"{reason}: {sentence}")[0][:LONGEST_DIAGNOSTIC]
        super().__init__(self.diagnostic)

    def recordable(self, secrets: Collection[str] = ()) -> AdvisorFailure:
        """The failure as a record can hold it, whatever an adapter put into it.

        The secrets are masked. The frames and errors that it came by are left: they hold requests,
        and a request holds its credential. A status that nobody knows is a fault of the adapter.
        """
        if self.status not in get_args(FailureStatus):
            return failure("adapter_fault")
        reason, sentence = (masked(str(text), secrets) for text in (self.reason, self.sentence))
        wait = recordable_wait(self.retry_after_seconds)
        return AdvisorFailure(self.status, reason, sentence, wait)


class Reason(NamedTuple):
    """What a reason means for the advisor's standing, and its sentence."""

    status: FailureStatus
    sentence: str


REASONS: dict[str, Reason] = {
    # the time was over
    "deadline": Reason("timeout", "No answer came before the deadline."),
    "stdin_open": Reason("timeout", "The client waited for standard input until the deadline."),
    # a limit
    "rate_limit": Reason("rate_limited", "The service limits the rate of requests."),
    "quota_exhausted": Reason("rate_limited", "The quota or credit of the account is used up."),
    # a credential, a permission
    "no_credential": Reason("auth_failed", "No credential is set up."),
    "credential_refused": Reason("auth_failed", "The service refused the credential."),
    "permission": Reason("auth_failed", "The credential lacks the permission."),
    "region": Reason("auth_failed", "The service does not serve this region."),
    # what came is no answer, or the question was refused for what it holds
    "no_object": Reason("malformed", "The answer holds no JSON object."),
    "not_an_object": Reason("malformed", "The answer is JSON, but no object."),
    "missing_keys": Reason("malformed", "No object in the answer states a conclusion."),
    "ambiguous": Reason("malformed", "The answer holds several different answers."),
    "bad_json": Reason("malformed", "What was to be JSON is none."),
    "bad_constant": Reason("malformed", "The JSON holds NaN or an infinity."),
    "bad_number": Reason("malformed", "The JSON holds a number of more digits than can be read."),
    "duplicate_key": Reason("malformed", "An object of the JSON holds the same key twice."),
    "too_deep": Reason("malformed", "The JSON is nested too deeply."),
    "too_large": Reason("malformed", "More was sent than is read."),
    "truncated": Reason("malformed", "The answer was cut off before its end."),
    "tool_call": Reason("malformed", "The model called a tool instead of answering."),
    "no_choices": Reason("malformed", "The reply holds no message of a model."),
    "refused": Reason("malformed", "The model declined to answer."),
    "filtered": Reason("malformed", "A content filter withheld the answer."),
    "context_length": Reason("malformed", "The question is longer than is accepted."),
    "bad_request": Reason("malformed", "The service refused the request for what it holds."),
    "unexpected_stream": Reason("malformed", "A stream came where none was asked for."),
    # nothing was said
    "no_text": Reason("empty", "The answer holds no text."),
    "thinking_only": Reason("empty", "The model thought, but did not answer."),
    "load": Reason("empty", "The model was only loaded or unloaded."),
    "loop_detected": Reason("empty", "The client stopped a model that repeated itself."),
    # nobody was there to answer, for now
    "overloaded": Reason("unavailable", "The service is overloaded."),
    "server_error": Reason("unavailable", "The service failed."),
    "html_page": Reason("unavailable", "A web page came instead of an answer."),
    "no_connection": Reason("unavailable", "No connection could be made."),
    "broken_connection": Reason("unavailable", "The connection broke before the end."),
    "model_not_found": Reason("unavailable", "The model is not there."),
    "bad_endpoint": Reason("unavailable", "The address is not one that answers questions."),
    "not_installed": Reason("unavailable", "The client is not installed."),
    "config": Reason("unavailable", "The client or its catalogue entry cannot run as configured."),
    "no_adapter": Reason("unavailable", "No adapter of the declared name is installed."),
    # withdrawn
    "withdrawn": Reason("cancelled", "The request was withdrawn."),
    # nobody knows
    "mid_stream": Reason("error", "The stream ended in an error that names no cause."),
    "client_failed": Reason("error", "The client says only that it failed."),
    "unclassified": Reason("error", "The service failed in a way that is not known."),
    "adapter_fault": Reason("error", "The adapter itself failed."),
}


def failure(reason: str, retry_after_seconds: int | None = None) -> AdvisorFailure:
    """The failure of a known reason, to be raised.

    >>> failure("rate_limit", 7).diagnostic
    'rate_limit: The service limits the rate of requests.'
    """
    status, sentence = REASONS[reason]
    return AdvisorFailure(status, reason, sentence, retry_after_seconds)
