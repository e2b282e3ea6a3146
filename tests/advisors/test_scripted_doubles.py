"""The public doubles: a scripted server, scripted client tools, and their scripts."""

import json
import subprocess

import pytest
import yaml

from majordomus_reasoning.testing import ScriptedClients, ScriptedServer, deterministic_checkout

YES = {"conclusion": "keep it", "stance": "supports"}
SERVICES = {"openai": "chatgpt", "anthropic": "claude", "gemini": "gemini-api", "ollama": "ollama"}
CLIENTS = {"codex": "codex", "gemini": "gemini", "claude": "claude-code"}


@pytest.fixture
def asked(tmp_path):
    """Ask one shipped advisor through a checkout; its recorded outcome and what was kept of it."""

    def consulted(advisor, environment, **options):
        shipped = ["chatgpt", "claude", "gemini-api", "ollama", "codex", "gemini", "claude-code"]
        others = ",".join({*shipped} - {advisor})
        checkout = deterministic_checkout(
            root=tmp_path / "checkout",
            environment={**environment, "MAJORDOMUS_ADVISORS_DISABLE": others},
        )
        (tmp_path / "checkout").mkdir(exist_ok=True)
        subject = f"timeouts {len(checkout.ledger)}"
        plan = checkout.plan(checkout.assess(subject, materiality="high", evidence=["test:t.py"]))
        return checkout.consult_sync(plan, **options)[advisor].record

    return consulted


@pytest.fixture
def present(tmp_path):
    """The environment in which a local runtime counts as installed."""
    folder = tmp_path / "present"
    folder.mkdir()
    runtime = folder / "ollama"
    runtime.write_text("#!/bin/sh\n")
    runtime.chmod(0o755)
    return {"PATH": str(folder)}


REPLIES = {
    "an answer": ({"answer": YES}, ("completed", None)),
    "prose around an answer": ({"text": f"Well: {json.dumps(YES)}"}, ("completed", None)),
    "no object": ({"text": "I would keep it."}, ("malformed", "no_object")),
    "nothing": ({"text": ""}, ("empty", "no_text")),
    "a refused credential": ({"status": 401}, ("auth_failed", "credential_refused")),
    "a limit": ({"status": 429, "message": "slow down"}, ("rate_limited", "rate_limit")),
    "a fault": ({"status": 500}, ("unavailable", "server_error")),
}
OF_SERVICES = {
    "a named wait": (
        {"status": 429, "headers": {"retry-after": 7}},
        ("rate_limited", "rate_limit"),
    ),
    "a used-up account": ({"status": 402}, ("rate_limited", "quota_exhausted")),
    "an unknown model": (
        {"status": 404, "message": "the model is not found"},
        ("unavailable", "model_not_found"),
    ),
    "garbage": ({"body": "{{"}, ("malformed", "bad_json")),
    "a page": ({"body": "<html>busy</html>"}, ("unavailable", "html_page")),
    "half of an answer": ({"answer": YES, "cut": True}, ("unavailable", "broken_connection")),
    "another address": (
        {"status": 302, "headers": {"location": "http://127.0.0.1:1"}},
        ("unavailable", "bad_endpoint"),
    ),
}
OF_CLIENTS = {
    "garbage": ({"stdout": "\x1b[31mwhat?\n", "exit": 1}, ("error", "client_failed")),
    "a crash": ({"stderr": "Segmentation fault\n", "exit": 139}, ("error", "client_failed")),
}


def told(record):
    """How a consultation ended: its status, and the reason that its diagnostic begins with."""
    diagnostic = record.body.diagnostic
    return record.body.status, diagnostic.partition(":")[0] if diagnostic else None


@pytest.mark.parametrize("dialect", SERVICES)
@pytest.mark.parametrize("case", [*REPLIES, *OF_SERVICES])
def test_a_scripted_server_replies_in_each_dialect(asked, present, dialect, case):
    reply, expected = (REPLIES | OF_SERVICES)[case]
    with ScriptedServer({dialect: [reply]}) as server:
        record = asked(SERVICES[dialect], server.environment | present)
    assert told(record) == expected
    assert [name for name, _ in server.requests] == [dialect]
    assert record.body.retry_after_seconds == (7 if case == "a named wait" else None)
    if expected[0] == "completed":
        assert record.body.usage.plain() == {"input_tokens": 3, "output_tokens": 5}
        assert record.exchange.model == "scripted"


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", [*REPLIES, *OF_CLIENTS])
def test_a_scripted_client_replies_as_each_real_one_does(asked, tmp_path, client, case):
    reply, expected = (REPLIES | OF_CLIENTS)[case]
    clients = ScriptedClients(tmp_path / "clients", {client: [reply]})
    record = asked(CLIENTS[client], clients.environment)
    assert told(record) == expected
    assert [each.client for each in clients.asked] == [client]
    assert "You are an independent reviewer" in clients.asked[0].question
    if expected[0] == "completed":
        assert record.body.usage.plain() == {"input_tokens": 3, "output_tokens": 5}
        assert record.exchange.client_version in {"0.171.0", "0.61.0", "2.1.332"}


@pytest.mark.parametrize("dialect", SERVICES)
def test_a_scripted_server_that_takes_longer_than_the_deadline_is_left(asked, present, dialect):
    with ScriptedServer({dialect: [{"answer": YES, "after": 60}]}) as server:
        record = asked(SERVICES[dialect], server.environment | present, deadline=0.3)
    assert told(record) == ("timeout", "deadline")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_scripted_client_that_takes_longer_than_the_deadline_is_ended(asked, tmp_path, client):
    script = {client: [{"answer": YES, "after": 60, "stubborn": True}]}
    clients = ScriptedClients(tmp_path / "clients", script)
    record = asked(CLIENTS[client], clients.environment, deadline=1)
    assert told(record) == ("timeout", "deadline")


SCRIPT = """
- answer: {conclusion: first, stance: supports}
- status: 503
- answer: {conclusion: last, stance: opposes}
  after: 0.01
"""


def replied(record):
    return record.body.conclusion or record.body.status


@pytest.mark.parametrize("dialect", SERVICES)
def test_a_server_replies_from_a_file_in_turn_and_the_last_reply_stays(
    asked, present, tmp_path, dialect
):
    path = tmp_path / "script.yaml"
    path.write_text(yaml.safe_dump({dialect: yaml.safe_load(SCRIPT)}))
    with ScriptedServer.from_yaml(path) as server:
        found = [asked(SERVICES[dialect], server.environment | present) for _ in range(4)]
    assert [replied(each) for each in found] == ["first", "unavailable", "last", "last"]
    assert len(server.requests) == 4


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_replies_from_a_file_in_turn_and_the_last_reply_stays(asked, tmp_path, client):
    path = tmp_path / "script.yaml"
    path.write_text(yaml.safe_dump({client: yaml.safe_load(SCRIPT)}))
    clients = ScriptedClients.from_yaml(tmp_path / "clients", path)
    found = [asked(CLIENTS[client], clients.environment) for _ in range(4)]
    assert [replied(each) for each in found] == ["first", "unavailable", "last", "last"]
    assert len(clients.asked) == 4


def run(clients, *words, **options):
    """Run a scripted client as a person does."""
    program = f"{clients.environment['PATH']}/{words[0]}"
    return subprocess.run(
        [program, *words[1:]], capture_output=True, text=True, timeout=20, check=False, **options
    )


@pytest.mark.parametrize(
    "words",
    [
        ("codex", "exec", "--full-auto", "--", "is it so?"),
        ("gemini", "--no-such-option", "--prompt", "is it so?"),
        ("claude", "-p", "--no-such-option", "--", "is it so?"),
        ("claude", "-p"),
    ],
    ids=" ".join,
)
def test_a_client_refuses_what_the_real_one_does_not_know(tmp_path, words):
    clients = ScriptedClients(tmp_path, {words[0]: [{"answer": YES}]})
    ran = run(clients, *words, stdin=subprocess.DEVNULL)
    assert ran.returncode == 2
    assert "error: " in ran.stderr
    assert clients.asked == ()


def test_codex_reads_its_standard_input_to_the_end(tmp_path):
    ScriptedClients(tmp_path, {"codex": [{"answer": YES}]})
    waiting = subprocess.Popen(
        [tmp_path / "bin" / "codex", "exec", "--json", "is it so?"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(0.3)
    out, _ = waiting.communicate(b"", timeout=20)
    assert b"turn.completed" in out


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("- what", "is no script"),
        ("palm: [{text: x}]", "'palm' cannot be scripted"),
        ("gemini: []", "gemini has no reply"),
        ("gemini: [{text: x, aftr: 1}]", "'aftr' is nothing that a reply of gemini can hold"),
        ("gemini: [{after: 1}]", "a reply of gemini says nothing"),
    ],
)
@pytest.mark.parametrize(
    "double",
    [ScriptedServer.from_yaml, lambda path: ScriptedClients.from_yaml(path.parent, path)],
    ids=["server", "clients"],
)
def test_a_script_that_would_not_be_read_as_written_is_refused(tmp_path, double, text, reply):
    path = tmp_path / "script.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=reply):
        double(path)


def test_clients_made_anew_in_the_same_folder_begin_anew(tmp_path):
    for told in ("one", "two"):
        script = {"claude": [{"stdout": told}, {"stdout": "last"}]}
        clients = ScriptedClients(tmp_path / "a person's folder", script)
        ran = run(clients, "claude", "-p", "x", stdin=subprocess.DEVNULL)
        assert (ran.stdout, len(clients.asked)) == (told, 1)
