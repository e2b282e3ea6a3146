"""A credential that was sent is kept nowhere, whoever quotes it back."""

import asyncio
import json
from pathlib import Path

import pytest
from hostile_server import RawServer, replying

from majordomus_reasoning.advisors.consult import consult
from majordomus_reasoning.advisors.contract import Answer, Credential, HttpRequest, send
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.advisors.masking import masked
from majordomus_reasoning.advisors.outcome import LONGEST_NAME
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import Assessment
from majordomus_reasoning.testing import advisor_state, plan_asking

SECRET = "made-up-secret-value-0123456789"
OPINION = json.dumps({"conclusion": "keep it"})


@pytest.fixture
def ask():
    """What becomes of an answer or a failure that an adapter makes once it sent the credential."""

    def asked(end, secret=SECRET):
        def adapter(_asking):
            key = Credential("SOME_KEY", "x-key")
            yield from send(HttpRequest("POST", f"{server.address}/", b"{}", {}, key))
            if isinstance(end, AdvisorFailure):
                raise end
            return end

        with RawServer({"/": replying()}) as server:
            work = consult(
                plan_asking(advisor_state("a", "any")),
                question(Assessment(kind="assessment", subject="timeouts")),
                catalogue=Catalogue(),
                environment={"SOME_KEY": secret},
                folder=Path(),
                adapters=lambda _name: adapter,
                deadline=5,
            )
            (outcome,) = asyncio.run(work)
            return outcome

    return asked


@pytest.mark.parametrize("name", ["model", "client", "client_version"])
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (SECRET, "[redacted:credential]"),
        (f"model {SECRET}!", "model [redacted:credential]!"),
        (SECRET[:5] + "\x00" + SECRET[5:], "[redacted:credential]"),
        ("x" * (LONGEST_NAME - 5) + SECRET, "x" * (LONGEST_NAME - 5) + "[reda"),
    ],
    ids=["alone", "in a name", "around a control character", "where the name is cut"],
)
def test_a_name_of_the_exchange_never_holds_what_was_sent(ask, name, given, kept):
    outcome = ask(Answer(OPINION, **{name: given}))
    assert getattr(outcome.exchange, name) == kept


def test_a_short_credential_is_masked_where_it_is_the_whole_name(ask):
    assert ask(Answer(OPINION, model="k3y"), secret="k3y").exchange.model == "[redacted:credential]"


@pytest.mark.parametrize(
    "failed",
    [
        AdvisorFailure("error", "unclassified", f"It said {SECRET}."),
        AdvisorFailure("error", SECRET, "It failed."),
        AdvisorFailure("error", "unclassified", "x" * 275 + SECRET),
    ],
    ids=["sentence", "reason", "sentence that is cut"],
)
def test_a_failure_never_holds_what_was_sent(ask, failed):
    outcome = ask(failed)
    assert SECRET[:8] not in f"{outcome!r}{outcome.failure.reason}{outcome.body('plan-1')}"


@pytest.mark.parametrize(
    ("text", "secrets", "expected"),
    [
        ("plain", ["a1B2c3D4"], "plain"),
        ("a1B2c3D4e5", ["a1B2c3D4", "a1B2c3D4e5"], "[redacted:credential]"),
        ("a cat", ["a"], "a cat"),
    ],
    ids=["none in it", "one within another", "short"],
)
def test_only_secrets_are_masked_and_the_longest_first(text, secrets, expected):
    assert masked(text, secrets) == expected
