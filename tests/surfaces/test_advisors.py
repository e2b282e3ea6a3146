"""`advisors`: who could be asked now."""

from __future__ import annotations

from builders import assessment


def test_without_anybody_reasoning_is_operational(command) -> None:
    answer = command("advisors", "--format", "json").json

    assert answer["operational"] is True
    assert answer["mode"] == {"mode": "standard", "source": "default"}
    assert (answer["available"], answer["unavailable"]) == (0, 8)
    assert [each["id"] for each in answer["advisors"]] == [
        *("chatgpt", "gemini", "codex", "ollama", "lmstudio"),
        *("claude", "gemini-api", "claude-code"),
    ]
    assert {each["capability"]: each["available"] for each in answer["capacity"]} == {
        "independent_reasoning": [],
        "architecture_review": [],
        "code_review": [],
        "security_review": [],
        "test_review": [],
        "repository_analysis": [],
    }
    assert answer["diagnostics"] == []


def test_presence_is_an_executable_or_a_variable_whose_value_is_never_shown(command) -> None:
    tool = command.root / "bin" / "codex"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 1\n")
    tool.chmod(0o755)

    for form in ("text", "json"):
        ran = command("advisors", "--format", form, OPENAI_API_KEY="a-value-nobody-sees")
        assert "a-value-nobody-sees" not in ran.out + ran.err

    states = {each["id"]: each for each in ran.json["advisors"]}
    assert ran.json["available"] == 2
    assert states["codex"]["status"] == states["chatgpt"]["status"] == "available"
    assert states["chatgpt"]["credential"] == "OPENAI_API_KEY"
    assert states["codex"]["source"] == states["chatgpt"]["source"] == "openai"


def test_an_advisor_that_failed_is_out_until_its_circuit_ends(command) -> None:
    env = {"OPENAI_API_KEY": "x"}
    question = command.record(assessment())
    plan = command(
        "record", "--format", "json", given={"kind": "plan", "assessment": question}, **env
    )
    plan_id = plan.json["record"]["id"]
    command.record(
        {"kind": "consultation", "plan": plan_id, "advisor": "chatgpt", "status": "auth_failed"}
    )

    state = command("advisors", "--format", "json", **env).json["advisors"][0]

    assert (state["status"], state["reason"]) == ("temporarily_failed", "authentication_failed")
    assert set(state["circuit"]) == {"opened_by", "failures", "until"}
    assert "until" in command("advisors", **env).out


def test_what_is_wrong_in_the_catalogue_is_a_diagnostic(command) -> None:
    share = command.root / "share"
    share.mkdir()
    (share / "advisors.yaml").write_text(
        "version: 1\nadvisors:\n"
        "  - {id: a, title: A, transport: cli, adapter: x, capabilities: [nothing]}\n"
    )

    subjects = [
        each["subject"] for each in command("advisors", "--format", "json").json["diagnostics"]
    ]

    assert subjects == ["a", "a"]
