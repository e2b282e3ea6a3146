"""`consult`: plan, ask, record; exit 0 whatever the advisors did."""

from __future__ import annotations

import pytest
from builders import assessment

from majordomus_reasoning.testing import ScriptedServer

SAID = {"conclusion": "keep it", "stance": "supports", "risks": ["slow"]}


@pytest.fixture
def question(command) -> str:
    return command.record(assessment(questions=["does any caller retry?"]))


def test_nobody_to_ask_prints_the_local_review(command, question) -> None:
    ran = command("consult", "--assessment", question)
    answer = command("consult", "--assessment", question, "--format", "json").json

    assert ran.exit_code == 0
    assert "1. State the hypothesis" in ran.out
    assert answer["outcome"] == "decide_locally"
    assert answer["consultations"] == []
    assert len(answer["local_review"]) == 5


def test_an_answer_is_recorded_and_shown_with_its_id(command, question) -> None:
    with ScriptedServer({"openai": [{"answer": SAID}]}) as server:
        ran = command("consult", "--assessment", question, "--format", "json", **server.environment)

    assert ran.exit_code == 0
    assert set(ran.json) == {"plan", "outcome", "consultations", "local_review"}
    by_advisor = {each["advisor"]: each for each in ran.json["consultations"]}
    assert by_advisor["chatgpt"]["status"] == "completed"
    assert by_advisor["chatgpt"]["conclusion"] == "keep it"
    assert by_advisor["claude"]["status"] == "unavailable"
    found = command("explain", by_advisor["chatgpt"]["id"], "--format", "json").json["record"]
    assert found["origin"] == "asked"
    assert found["exchange"]["model"] == "scripted"
    assert found["body"] == {n: v for n, v in by_advisor["chatgpt"].items() if n != "id"}


def test_it_goes_on_with_the_latest_plan_that_has_somebody_to_ask(command, question) -> None:
    planned = {"kind": "plan", "assessment": question}
    env = {"OPENAI_API_KEY": "x"}
    plan = command("record", "--format", "json", given=planned, **env).json["record"]["id"]

    with ScriptedServer({"openai": [{"answer": SAID}]}) as server:
        env = {**server.environment, "ANTHROPIC_API_KEY": "", "GEMINI_API_KEY": ""}
        asked = ("consult", "--assessment", question, "--format", "json")
        first = command(*asked, **env).json
        second = command(*asked, **env).json
        third = command(*asked, "--again", **env).json

    assert first["plan"] == plan
    assert len({plan, second["plan"], third["plan"]}) == 3
    assert [each["advisor"] for each in first["consultations"]] == ["chatgpt"]


def test_show_prints_exactly_what_would_leave_and_asks_nobody(command, question, files_of) -> None:
    before = files_of(command.root)
    with ScriptedServer({"openai": [{"answer": SAID}]}) as server:
        asked = ("consult", "--assessment", question, "--question", "is it so?")
        asked += ("--prior-opinion", "ChatGPT said no")
        shown = command(*asked, "--show", **server.environment).out
        assert files_of(command.root) == before
        assert server.requests == []
        command(*asked, **server.environment)
        sent = [
            body["messages"][-1]["content"] for name, body in server.requests if name == "openai"
        ]

    assert "is it so?" in shown
    assert "does any caller retry?" not in shown
    assert "ChatGPT" not in shown
    assert sent == [shown.removesuffix("\n")]


def test_the_timeout_is_the_deadline_of_all(command, question) -> None:
    with ScriptedServer({"openai": [{"answer": SAID, "after": 1}]}) as server:
        ran = command(
            "consult", "--assessment", question, "--timeout", "0.2", "--format", "json",
            **server.environment,
        )  # fmt: skip

    assert ran.exit_code == 0
    statuses = {each["advisor"]: each["status"] for each in ran.json["consultations"]}
    assert statuses["chatgpt"] == "timeout"


def test_text_shows_what_each_advisor_said(command, question) -> None:
    with ScriptedServer({"openai": [{"answer": SAID}]}) as server:
        ran = command("consult", "--assessment", question, **server.environment)

    assert "chatgpt completed supports: keep it" in ran.out
    assert "  risks: slow" in ran.out
    assert "claude unavailable: " in ran.out
    assert ran.err == ""


WRONG = [
    (["consult"], 2, "--assessment"),
    (["consult", "--assessment", "nothing"], 4, "nothing"),
    (["consult", "--assessment", "nothing", "--show"], 4, "nothing"),
    (["consult", "--assessment", "nothing", "--timeout", "0"], 2, "--timeout"),
    (["consult", "--assessment", "nothing", "--timeout", "nan"], 2, "--timeout"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG)
def test_wrong_words_ask_nobody(command, arguments, code, message) -> None:
    ran = command(*arguments)

    assert ran.exit_code == code
    assert message in ran.err
