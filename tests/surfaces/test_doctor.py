"""`check`, `doctor` and `env`: what is wrong, and what a session learns at its entry."""

from __future__ import annotations

from planting import make_repository


def test_check_is_clean_or_exit_code_10(command) -> None:
    assert command("check").exit_code == 0
    profile = command.root / ".ai/repo/profiles/deep.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text("reasoning: deep\n")

    ran = command("check", "--format", "json")

    assert ran.exit_code == 10
    assert ran.json["ok"] is False
    assert [each["check"] for each in ran.json["findings"]] == ["profiles"]
    assert set(ran.json["findings"][0]) == {"check", "subject", "message"}
    assert "profiles: deep.yaml" in command("check").out


def test_doctor_runs_every_check_and_shows_the_advisors(command) -> None:
    answer = command("doctor", "--format", "json").json

    assert answer["ok"] is True
    assert answer["checks"][0] == "environment"
    assert set(answer["checks"][1:]) == set(command("check", "--format", "json").json["checks"])
    assert len(answer["advisors"]["advisors"]) == 8


def test_absent_advisors_are_information_and_no_failure(command) -> None:
    ran = command("doctor")

    assert ran.exit_code == 0
    assert "credential_absent" in ran.out
    assert "nothing found" in ran.out


def test_a_value_that_nobody_can_read_is_reported_and_never_guessed_at(command) -> None:
    env = {"MAJORDOMUS_REASONING_MODE": "quick", "MAJORDOMUS_REASONING_COOLDOWN_SECONDS": "-1"}

    ran = command("doctor", "--format", "json", **env)

    assert ran.exit_code == 10
    assert [each["subject"] for each in ran.json["findings"]] == list(env)
    assert ran.json["advisors"]["mode"] == {"mode": "standard", "source": "default"}


def test_env_is_a_snapshot_and_a_line(command) -> None:
    answer = command("env", "--format", "json", MAJORDOMUS_REASONING_MODE="strict").json
    line = command("env", CI="true").out

    assert answer["mode"] == "strict"
    assert answer["mode_source"] == "MAJORDOMUS_REASONING_MODE"
    assert answer["checkout"] == str(command.root)
    assert (answer["advisors_available"], answer["advisors_unavailable"]) == (0, 8)
    assert line == (
        "reasoning: operational · mode ci (CI) · advisors 0 of 8 available · task untasked\n"
    )


def test_env_never_fails_for_a_broken_file(command) -> None:
    make_repository(command.root)
    (command.root / "share/advisors.yaml").write_text("version: 1\ncolour: blue\n")

    ran = command("env", "--format", "json")

    assert ran.exit_code == 0
    assert ran.json["advisors_available"] is None
    assert "field colour" in ran.json["diagnostics"][0]
