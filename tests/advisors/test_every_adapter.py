"""One suite for every adapter that is installed, those of other packages among them.

An adapter is in it by being found. `GOOD` holds a reply that answers in its dialect; an adapter
that has none is declared in `GAPS`, with the reason.
"""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from majordomus_reasoning.advisors.adapters import adapter_names, find_adapter
from majordomus_reasoning.advisors.contract import HttpRequest, RunProcess
from majordomus_reasoning.advisors.failures import REASONS, AdvisorFailure, failure

OPINION = {"conclusion": "keep it", "stance": "supports"}
SAID = json.dumps(OPINION)
COMPLETION = {"model": "m-1", "choices": [{"message": {"content": SAID}, "finish_reason": "stop"}]}
CODEX = [
    {"type": "item.completed", "item": {"type": "agent_message", "text": SAID}},
    {"type": "turn.completed", "usage": {"input_tokens": 3, "output_tokens": 5}},
]
GOOD = {
    "openai-chat": COMPLETION,
    "lmstudio-chat": COMPLETION,
    "anthropic-messages": {"content": [{"type": "text", "text": SAID}], "stop_reason": "end_turn"},
    "gemini-generate": {"candidates": [{"content": {"parts": [{"text": SAID}]}}]},
    "ollama-chat": {"message": {"content": SAID}, "done": True, "done_reason": "stop"},
    "codex-exec": "\n".join(map(json.dumps, CODEX)),
    "claude-cli": json.dumps({"type": "result", "is_error": False, "result": SAID}),
    "gemini-cli": json.dumps({"response": SAID}, indent=2),
}
GAPS = {"mesh-review": "its answer comes in several steps, told in test_mesh_review"}
NAMES = adapter_names()
# fmt: off
KEYS = [
    "error", "choices", "message", "content", "candidates", "parts", "done", "type", "item",
    "result", "response", "code", "usage", "details", "text", "models", "stats", "warnings",
    "finish_reason", "stop_reason", "is_error",
]
# fmt: on
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)
UNHURRIED = settings(
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def first_effect(name, asking):
    return next(find_adapter(name)(asking))


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def speaks_http(name, asking):
    return isinstance(first_effect(name, asking), HttpRequest)


def test_every_adapter_has_a_good_reply_or_a_declared_gap():
    assert set(NAMES) == {*GOOD, *GAPS}


def test_a_good_reply_is_read_as_an_answer(name, asking, response, left, play, speaks_http):
    if name in GAPS:
        pytest.skip(GAPS[name])
    outcome = response(GOOD[name]) if speaks_http else left(GOOD[name])
    ending = play(find_adapter(name), asking, outcome)
    assert ending.status == "completed"
    assert ending.opinion["conclusion"] == "keep it"


def test_the_question_is_in_what_is_asked_and_no_credential_is(name, asking):
    effect = first_effect(name, replace(asking, question='Is "it" so?\nReally?'))
    if isinstance(effect, HttpRequest):
        assert 'Is "it" so?\nReally?' in texts_of(json.loads(effect.body))
        assert not {"authorization", "x-api-key", "x-goog-api-key"} & set(effect.headers)
        assert effect.credential is None or effect.credential.variable == "SOME_CREDENTIAL"
    else:
        assert 'Is "it" so?\nReally?' in effect.arguments
        assert effect.arguments[0] == "some-client"
        assert effect.version_arguments


def texts_of(value):
    if isinstance(value, str):
        return {value}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(texts_of, inner))


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, "", "no_text"),
        (200, "<html>login</html>", "html_page"),
        (200, "{", "bad_json"),
        (200, '{"a": 1, "a": 2}', "duplicate_key"),
        (200, '{"a": NaN}', "bad_constant"),
        (200, "[" * 100_000, "too_deep"),
        (200, '"text"', "not_an_object"),
        (200, b"\xff\xfe\x00", "bad_json"),
        (301, "", "bad_endpoint"),
        (400, "", "bad_request"),
        (401, "", "credential_refused"),
        (402, "", "quota_exhausted"),
        (403, "", "permission"),
        (404, "", "bad_endpoint"),
        (413, "", "context_length"),
        (429, "", "rate_limit"),
        (499, "", "withdrawn"),
        (500, "[" * 100_000, "server_error"),
        (503, "", "overloaded"),
        (529, "", "overloaded"),
        (999, "", "unclassified"),
    ],
)
def test_a_response_that_is_no_answer_is_told_by_its_cause(
    name, asking, response, play, speaks_http, status, body, reason
):
    if speaks_http:
        assert play(find_adapter(name), asking, response(body, status)).reason == reason


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"exit_code": 0}, "no_text"),
        ({"exit_code": 1}, "client_failed"),
        ({"exit_code": 1, "stderr": "[" * 100_000}, "client_failed"),
        ({"exit_code": 1, "stdout": '{"a": ' * 100_000}, "client_failed"),
        ({"exit_code": None, "timed_out": True}, "deadline"),
        ({"exit_code": -9, "timed_out": True, "stdout": '{"type": "'}, "deadline"),
    ],
)
def test_a_client_that_gives_no_answer_is_told_by_its_cause(
    name, asking, left, play, speaks_http, told, reason
):
    if not speaks_http:
        assert play(find_adapter(name), asking, left(**told)).reason == reason


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_what_could_not_be_performed_ends_in_its_own_reason(name, asking, play, reason):
    assert play(find_adapter(name), asking, failure(reason)).reason == reason


def test_an_asking_that_names_nothing_ends_in_a_failure_and_no_crash(name, asking, play):
    bare = replace(asking, model=None, executable=None, credential=None, environment={})
    ending = play(find_adapter(name), bare)
    assert ending.effects or ending.reason in {"config", "no_credential"}


def test_a_question_longer_than_an_argument_is_told_and_not_cut(name, asking, play, speaks_http):
    ending = play(find_adapter(name), replace(asking, question="x" * 200_000))
    if speaks_http:
        assert b"x" * 200_000 in ending.effects[0].body
    else:
        assert (ending.effects, ending.reason) == ([], "context_length")


@UNHURRIED
@given(
    body=JSON,
    status=st.sampled_from([200, 200, 200, 400, 403, 429, 503]),
    code=st.integers(0, 255),
    stream=st.booleans(),
)
def test_whatever_comes_the_end_is_an_answer_or_one_typed_failure(
    name, asking, response, left, play, body, status, code, stream
):
    text = json.dumps(body)
    text = f"{text}\n{text}" if stream else text
    if isinstance(first_effect(name, asking), RunProcess):
        outcome = left(text, text, code)
    else:
        outcome = response(text, status)
    ending = play(find_adapter(name), asking, outcome)
    assert ending.failure or ending.answer or len(ending.effects) > 1
    if ending.failure:
        assert isinstance(ending.failure, AdvisorFailure)
        assert ending.failure.diagnostic == f"{ending.reason}: {REASONS[ending.reason].sentence}"


def test_no_message_of_a_service_or_a_client_gets_into_a_diagnostic(
    name, asking, response, left, play, speaks_http
):
    told = {"error": {"message": "you sent sesame", "type": "sesame", "code": "sesame"}}
    for status in (200, 400, 401, 403, 404, 429, 500):
        outcome = (
            response(told, status) if speaks_http else left("", json.dumps(told), status % 256)
        )
        ending = play(find_adapter(name), asking, outcome)
        assert "sesame" not in f"{ending.failure!r}{ending.failure.diagnostic}"
