"""Each exchange of the conformance vectors ends as they say, at the level of effects.

What only a real connection or process can show is in `test_driver_http` and `test_driver_process`.
"""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.adapters.ollama_chat import host_address

CASES = json.loads(
    (Path(__file__).parent.parent / "conformance" / "failures.json").read_text(encoding="utf-8")
)["cases"]
ADAPTERS = {
    "openai": "openai-chat",
    "anthropic": "anthropic-messages",
    "gemini_api": "gemini-generate",
    "ollama": "ollama-chat",
    "lmstudio": "lmstudio-chat",
    "codex": "codex-exec",
    "gemini": "gemini-cli",
    "claude": "claude-cli",
}


def of_kind(kind):
    return [
        pytest.param(case, id=f"{case['id']} {case['title']}")
        for case in CASES
        if case["input"]["kind"] == kind
    ]


def assert_ends_as_expected(ending, expected):
    assert ending.status == expected["status"], ending.reason
    assert ending.reason == expected.get("reason", ending.reason)
    assert ending.wait == expected.get("retry_after_seconds", ending.wait)
    if "answer" in expected:
        assert ending.opinion == expected["answer"]
    if "usage" in expected:
        assert ending.answer.usage.plain() == expected["usage"]


@pytest.mark.parametrize("case", of_kind("http"))
def test_a_response_ends_as_its_vector_says(case, asking, response, play):
    given = case["input"]
    adapter = find_adapter(ADAPTERS[given["adapter"]])
    came = response(given["body"], given["http_status"], given["headers"])
    if "now" in given:
        came = replace(came, at=datetime.fromisoformat(given["now"]))
    assert_ends_as_expected(play(adapter, asking, came), case["expect"])


@pytest.mark.parametrize(
    "case", [case for case in of_kind("process") if not case.values[0]["input"].get("cancelled")]
)
def test_the_output_of_a_client_ends_as_its_vector_says(case, asking, left, play):
    given = case["input"]
    adapter = find_adapter(ADAPTERS[given["adapter"]])
    result = left(
        given["stdout"],
        given["stderr"],
        given["exit_code"],
        timed_out=given.get("timed_out", False),
    )
    assert_ends_as_expected(play(adapter, asking, result), case["expect"])


@pytest.mark.parametrize(
    "case", [case for case in of_kind("env") if "base_url" in case.values[0]["expect"]]
)
def test_an_address_is_read_as_its_vector_says(case):
    assert host_address(case["input"]["OLLAMA_HOST"]) == case["expect"]["base_url"]


def test_no_kind_of_vector_is_passed_over():
    elsewhere = {"network", "spawn_error", "process_control"}
    assert {case["input"]["kind"] for case in CASES} == {"http", "process", "env", *elsewhere}
