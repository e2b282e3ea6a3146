"""How each advisor is asked: address, credential, body, arguments."""

import json
from dataclasses import replace

import pytest

from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.contract import Credential, PrivateFile


def asked(play, asking, name, *outcomes, **environment):
    told = replace(asking, environment=environment)
    return play(find_adapter(name), told, *outcomes).effects


@pytest.mark.parametrize(
    ("name", "environment", "url"),
    [
        ("openai-chat", {}, "https://api.openai.com/v1/chat/completions"),
        ("openai-chat", {"OPENAI_BASE_URL": " "}, "https://api.openai.com/v1/chat/completions"),
        ("openai-chat", {"OPENAI_BASE_URL": "http://h/v1/"}, "http://h/v1/chat/completions"),
        ("anthropic-messages", {}, "https://api.anthropic.com/v1/messages"),
        ("anthropic-messages", {"ANTHROPIC_BASE_URL": "http://h"}, "http://h/v1/messages"),
        ("anthropic-messages", {"ANTHROPIC_BASE_URL": "http://h/v1"}, "http://h/v1/messages"),
        (
            "gemini-generate",
            {},
            "https://generativelanguage.googleapis.com/v1beta/models/some-model:generateContent",
        ),
        (
            "gemini-generate",
            {"GOOGLE_GEMINI_BASE_URL": "http://h/"},
            "http://h/v1beta/models/some-model:generateContent",
        ),
        ("ollama-chat", {}, "http://127.0.0.1:11434/api/chat"),
        ("ollama-chat", {"OLLAMA_HOST": "http://h/path/"}, "http://h:80/path/api/chat"),
        ("lmstudio-chat", {}, "http://localhost:1234/v1/chat/completions"),
        ("lmstudio-chat", {"LMSTUDIO_BASE_URL": "http://h"}, "http://h/v1/chat/completions"),
        ("lmstudio-chat", {"LMSTUDIO_BASE_URL": "http://h/v1/"}, "http://h/v1/chat/completions"),
    ],
)
def test_the_address_is_the_vendors_or_what_its_variable_names(
    play, asking, name, environment, url
):
    assert asked(play, asking, name, **environment)[0].url == url


@pytest.mark.parametrize(
    ("name", "credential"),
    [
        ("openai-chat", Credential("SOME_CREDENTIAL", "Authorization", "Bearer ")),
        ("anthropic-messages", Credential("SOME_CREDENTIAL", "x-api-key")),
        ("gemini-generate", Credential("SOME_CREDENTIAL", "x-goog-api-key")),
        ("ollama-chat", None),
        ("lmstudio-chat", None),
    ],
)
def test_a_credential_goes_under_the_vendors_header(play, asking, name, credential):
    assert asked(play, asking, name)[0].credential == credential


@pytest.mark.parametrize("name", ["openai-chat", "anthropic-messages", "gemini-generate"])
def test_an_advisor_without_a_credential_or_a_model_is_not_asked(play, asking, name):
    ending = play(find_adapter(name), replace(asking, credential=None))
    assert (ending.effects, ending.reason) == ([], "no_credential")
    ending = play(find_adapter(name), replace(asking, model=None))
    assert (ending.effects, ending.reason) == ([], "config")


def body_of(play, asking, name, **changes):
    (effect,) = play(find_adapter(name), replace(asking, **changes)).effects
    return json.loads(effect.body)


def test_each_dialect_asks_for_one_json_object_and_for_no_stream(play, asking):
    chat = body_of(play, asking, "openai-chat")
    assert chat["response_format"] == {"type": "json_object"}
    generate = body_of(play, asking, "gemini-generate")
    assert generate["generationConfig"] == {"responseMimeType": "application/json"}
    ollama = body_of(play, asking, "ollama-chat")
    assert (ollama["format"], ollama["stream"], ollama["think"]) == ("json", False, False)
    schema = body_of(play, asking, "lmstudio-chat")["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["stance"]["enum"][0] == "supports"
    assert set(schema["required"]) == set(schema["properties"])


@pytest.mark.parametrize("name", ["openai-chat", "anthropic-messages", "ollama-chat"])
def test_what_newer_models_refuse_is_sent_only_where_the_catalogue_asks_for_it(play, asking, name):
    assert "temperature" not in body_of(play, asking, name)
    assert body_of(play, asking, name, parameters={"temperature": 0})["temperature"] == 0


def test_a_model_name_that_would_change_the_address_is_refused(play, asking):
    ending = play(find_adapter("gemini-generate"), replace(asking, model="../files?x="))
    assert (ending.effects, ending.reason) == ([], "config")


@pytest.mark.parametrize(
    ("name", "listed", "path"),
    [
        ("ollama-chat", {"models": [{"name": "nomic-embed"}, {"name": "m:1"}]}, "/api/tags"),
        ("lmstudio-chat", {"data": [{"id": "text-embedding-x"}, {"id": "m:1"}]}, "/v1/models"),
    ],
)
def test_a_local_runtime_is_asked_for_its_first_model_that_can_answer(
    play, asking, response, name, listed, path
):
    nameless = replace(asking, model=None)
    first, second = play(find_adapter(name), nameless, response(listed)).effects
    assert (first.method, first.url.endswith(path)) == ("GET", True)
    assert json.loads(second.body)["model"] == "m:1"
    ending = play(find_adapter(name), nameless, response({}))
    assert ending.reason == "model_not_found"


@pytest.mark.parametrize(
    ("name", "variable"), [("ollama-chat", "OLLAMA_MODEL"), ("lmstudio-chat", "LMSTUDIO_MODEL")]
)
def test_the_variable_of_a_local_runtime_names_its_model(play, asking, name, variable):
    (effect,) = asked(play, asking, name, **{variable: "mine"})
    assert json.loads(effect.body)["model"] == "mine"


def test_codex_is_run_read_only_and_without_a_session(play, asking):
    (effect,) = asked(play, asking, "codex-exec")
    assert effect.arguments[:2] == ("some-client", "exec")
    assert effect.arguments[effect.arguments.index("--sandbox") + 1] == "read-only"
    assert {"--json", "--skip-git-repo-check", "--ephemeral"} <= set(effect.arguments)
    assert PrivateFile("last-message.txt") in effect.arguments
    assert effect.arguments[-2:] == ("--", asking.question)


def test_codex_tells_its_last_message_by_file_where_its_events_do_not(play, asking, left):
    done = json.dumps({"type": "turn.completed"})
    said = {"last-message.txt": '{"conclusion": "keep it"}'}
    ending = play(find_adapter("codex-exec"), asking, left(done, files=said))
    assert ending.opinion["conclusion"] == "keep it"
    stale = play(find_adapter("codex-exec"), asking, left("", files=said, timed_out=True))
    assert stale.status == "timeout"


def test_claude_may_only_read_and_does_not_try_again(play, asking):
    (effect,) = asked(play, asking, "claude-cli")
    assert effect.arguments[effect.arguments.index("--tools") + 1] == "Read,Grep,Glob"
    assert {"-p", "--no-session-persistence", "--strict-mcp-config"} <= set(effect.arguments)
    assert effect.environment["CLAUDE_CODE_MAX_RETRIES"] == "0"


def test_gemini_is_run_without_approvals_in_a_trusted_workspace(play, asking):
    (effect,) = asked(play, asking, "gemini-cli")
    assert effect.arguments[effect.arguments.index("--approval-mode") + 1] == "default"
    assert effect.environment["GEMINI_CLI_NO_RELAUNCH"] == "1"
    assert effect.environment["GEMINI_CLI_TRUST_WORKSPACE"] == "true"


@pytest.mark.parametrize("name", ["codex-exec", "claude-cli", "gemini-cli"])
def test_a_client_uses_its_own_model_unless_the_catalogue_names_one(play, asking, name):
    (effect,) = play(find_adapter(name), replace(asking, model=None)).effects
    assert "--model" not in effect.arguments
    (effect,) = play(find_adapter(name), asking).effects
    assert effect.arguments[effect.arguments.index("--model") + 1] == "some-model"


@pytest.mark.parametrize("name", ["claude-cli", "gemini-cli"])
def test_a_file_that_a_question_mentions_is_not_sent_along_by_the_client(play, asking, name):
    (effect,) = play(find_adapter(name), replace(asking, question="see @.env and a@b")).effects
    assert effect.arguments[-1] == "see \\@.env and a\\@b"
