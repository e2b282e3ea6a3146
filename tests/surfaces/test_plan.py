"""`plan`: what would be planned now; nothing is recorded."""

from __future__ import annotations

import pytest


def test_a_plan_is_the_review_plan_as_json(command) -> None:
    plan = command("plan", "--materiality", "high", "--format", "json").json

    assert plan["outcome"] == "decide_locally"
    assert plan["budget"] == 2
    assert plan["mode"] == "standard"
    assert plan["mode_source"] == "default"
    assert plan["capabilities"] == ["independent_reasoning"]
    assert len(plan["local_review"]) == 5
    assert len(plan["excluded"]) == 8
    assert "record" not in plan


BUDGETS = [
    ([], 0),
    (["--materiality", "material"], 1),
    (["--materiality", "material", "--confidence", "high"], 0),
    (["--materiality", "critical"], 2),
]


@pytest.mark.parametrize(("arguments", "budget"), BUDGETS)
def test_materiality_and_confidence_give_the_budget(command, arguments, budget) -> None:
    assert command("plan", *arguments, "--format", "json").json["budget"] == budget


def test_requested_capabilities_are_a_comma_list(command) -> None:
    plan = command(
        "plan", "--capabilities", "code_review, test_review", "--materiality", "high",
        "--format", "json", OPENAI_API_KEY="x",
    )  # fmt: skip

    assert plan.json["capabilities"] == ["code_review", "test_review"]
    assert [each["advisor"] for each in plan.json["selected"]] == ["chatgpt"]


def test_an_unknown_capability_is_a_refusal_in_json(command) -> None:
    ran = command("plan", "--capabilities", "mind_reading", "--format", "json")

    assert ran.exit_code == 2
    assert ran.json["error"]["code"] == "unknown_capability"
    assert "mind_reading" in ran.json["error"]["message"]


def test_text_says_whom_and_whom_not_or_the_local_review(command) -> None:
    text = command("plan", "--materiality", "high", OPENAI_API_KEY="x").out

    assert text.startswith("consult: ")
    assert "ask chatgpt for independent_reasoning" in text
    assert "not gemini: unavailable: executable_not_found" in text
    assert "1. State the hypothesis" in command("plan", "--materiality", "high").out
