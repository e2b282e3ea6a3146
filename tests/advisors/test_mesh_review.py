"""`mesh-review`: a request is left, its answer looked for, its verdict read as a stance."""

import json
from dataclasses import replace

import pytest

from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.contract import Sleep

ADAPTER = find_adapter("mesh-review")


def state(*answers, key="k-1"):
    return {
        "state": {"reviews": [{"key": "other", "answers": [{}]}, {"key": key, "answers": answers}]}
    }


def test_a_request_is_left_and_its_answer_looked_for_until_it_is_there(play, asking, response):
    answered = {"verdict": "changes_requested", "note": "it leaks"}
    ending = play(
        ADAPTER,
        asking,
        response({"key": "k-1"}),
        response(state()),
        None,
        response(state(answered)),
    )
    left, look, wait, again = ending.effects
    sent = json.loads(left.body)
    assert (left.method, left.url) == ("POST", "http://127.0.0.1:1/api/v1/mesh/reviews")
    assert (sent["reviewer"], sent["subject"], sent["question"]) == (
        "someone",
        "timeouts",
        "Is it so?",
    )
    assert look.url == again.url == "http://127.0.0.1:1/api/v1/mesh/state"
    assert isinstance(wait, Sleep)
    assert ending.opinion["conclusion"] == "it leaks"
    assert ending.opinion["stance"] == "opposes"


@pytest.mark.parametrize(
    ("verdict", "stance"),
    [
        ("approved", "supports"),
        ("changes_requested", "opposes"),
        ("commented", "inconclusive"),
        ("sung", "inconclusive"),
    ],
)
def test_a_verdict_is_a_stance(play, asking, response, verdict, stance):
    seen = response(state({"verdict": verdict, "note": " "}))
    ending = play(ADAPTER, asking, response({"key": "k-1"}), seen)
    assert (ending.opinion["stance"], ending.opinion["conclusion"]) == (stance, verdict)


def test_without_a_server_nobody_is_asked(play, asking):
    ending = play(ADAPTER, replace(asking, environment={}))
    assert (ending.effects, ending.reason) == ([], "config")


def test_a_server_that_gives_no_key_took_no_request(play, asking, response):
    assert play(ADAPTER, asking, response({"ok": True})).reason == "no_choices"
