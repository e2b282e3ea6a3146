"""The vectors that only a real connection or process can show, each by its own number."""

import json
import re
import socket
import threading
import time
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.adapters._client import LONGEST_ARGUMENT
from majordomus_reasoning.advisors.cancellation import Cancellation
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.testing import (
    ScriptedClients,
    ScriptedServer,
    client_tool,
    deterministic_checkout,
)

HERE = Path(__file__).parent
VECTORS = {
    case["id"]: case
    for case in json.loads((HERE.parent / "conformance/failures.json").read_text())["cases"]
}
YES = {"conclusion": "keep it", "stance": "supports"}


@pytest.fixture
def planned(tmp_path):
    """A checkout in which one advisor is present, and a plan that selects it."""

    def made(advisor, environment):
        root = tmp_path / "checkout"
        root.mkdir()
        checkout = deterministic_checkout(root=root, environment=environment)
        plan = checkout.plan(checkout.assess("x", materiality="high", evidence=["test:t.py"]))
        assert [each.advisor for each in plan.body.plan.selected] == [advisor]
        return checkout, plan

    return made


@pytest.fixture
def runtime(tmp_path):
    """The environment in which a local runtime counts as installed, and is asked at an address."""

    def at(address):
        client_tool(tmp_path, "ollama", "")
        return {"PATH": str(tmp_path), "OLLAMA_HOST": address}

    return at


def assert_ends_as(vector, answers):
    (handle,) = answers.values()
    expected = VECTORS[vector]["expect"]
    assert handle.body.status == expected["status"]
    if "reason" in expected:
        assert handle.body.diagnostic.startswith(f"{expected['reason']}: ")
    return handle.body


def at(server):
    return {"OPENAI_BASE_URL": f"{server.address}/v1", "OPENAI_API_KEY": "k"}


def wait_until(told):
    until = time.monotonic() + 10
    while not told():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_b52_a_refused_connection(planned, runtime):
    checkout, plan = planned("ollama", runtime("http://127.0.0.1:1"))
    body = assert_ends_as("B52", checkout.consult_sync(plan))
    assert body.diagnostic.startswith("no_connection: ")


def test_b53_a_name_that_cannot_be_looked_up_now(planned, monkeypatch):
    def fails(*_arguments, **_options):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    environment = {"OPENAI_BASE_URL": "http://service.invalid/v1", "OPENAI_API_KEY": "k"}
    checkout, plan = planned("chatgpt", environment)
    monkeypatch.setattr(socket, "getaddrinfo", fails)
    body = assert_ends_as("B53", checkout.consult_sync(plan))
    assert body.diagnostic.startswith("no_connection: ")


def test_b55_a_body_that_is_shorter_than_it_says(planned):
    with ScriptedServer({"openai": [{"answer": YES, "cut": True}]}) as server:
        checkout, plan = planned("chatgpt", at(server))
        body = assert_ends_as("B55", checkout.consult_sync(plan))
    assert body.diagnostic.startswith("broken_connection: ")


def test_b56_a_request_that_the_caller_withdraws(planned):
    with ScriptedServer({"openai": [{"answer": YES, "after": 60}]}) as server:
        checkout, plan = planned("chatgpt", at(server))
        assert_ends_as("B56", withdrawn(checkout, plan, lambda: server.requests))


def withdrawn(checkout, plan, begun):
    """The answers of a consultation that is withdrawn once it has begun."""
    cancel = Cancellation()

    def withdraw():
        wait_until(begun)
        cancel.cancel()

    thread = threading.Thread(target=withdraw)
    thread.start()
    answers = checkout.consult_sync(plan, cancel=cancel)
    thread.join()
    return answers


def test_b58_a_server_that_listens_on_one_of_the_addresses_of_localhost(
    planned, runtime, monkeypatch
):
    looked_up = []

    def both(host, port, *_arguments, **_options):
        looked_up.append(host)
        six = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", int(port), 0, 0))
        four = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", int(port)))
        return [six, four]

    with ScriptedServer({"ollama": [{"answer": YES}]}) as server:
        port = server.address.rpartition(":")[2]
        checkout, plan = planned("ollama", runtime(f"http://localhost:{port}"))
        monkeypatch.setattr(socket, "getaddrinfo", both)
        assert_ends_as("B58", checkout.consult_sync(plan))
    assert {str(host) for host in looked_up} <= {"localhost", "b'localhost'"}
    assert looked_up


PIDS = "import os, sys\nopen('pids', 'a').write(f'{os.getpid()} ')\n"


def test_a40_a_client_that_ends_well_and_says_nothing_when_it_is_withdrawn(planned, tmp_path):
    client_tool(
        tmp_path,
        "claude",
        "import signal, sys, time\n"
        "for number in (2, 15): signal.signal(number, lambda *_: sys.exit(0))\n"
        f"{PIDS}time.sleep(60)\n",
    )
    checkout, plan = planned("claude-code", {"PATH": str(tmp_path)})
    begun = (checkout.root / "pids").exists
    assert_ends_as("A40", withdrawn(checkout, plan, begun))


def test_a64_a_client_that_ignores_the_request_to_end_and_leaves_a_child(planned, tmp_path):
    deaf = "import signal\nfor number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
    child = f"{deaf}{PIDS}import time\ntime.sleep(60)\n"
    client_tool(
        tmp_path,
        "gemini",
        f"{deaf}{PIDS}import subprocess, time\n"
        "if '--version' in sys.argv: sys.exit()\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(60)\n",
    )
    checkout, plan = planned("gemini", {"PATH": str(tmp_path)})
    assert_ends_as("A64", checkout.consult_sync(plan, deadline=1))
    pids = (checkout.root / "pids").read_text().split()
    assert pids
    left = [pid for pid in pids if not has_ended(int(pid))]
    assert len(left) == VECTORS["A64"]["expect"]["also"]["children_left"]


def has_ended(pid):
    """Whether a process is gone, or only its exit code is left, after a moment for the system."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in {"Z", "X"}:
            return True
        time.sleep(0.01)
    return False


def test_a67_a_client_that_is_gone_since_it_was_planned(planned, tmp_path):
    clients = ScriptedClients(tmp_path, {"codex": [{"answer": YES}]})
    checkout, plan = planned("codex", clients.environment)
    (tmp_path / "bin" / "codex").unlink()
    assert_ends_as("A67", checkout.consult_sync(plan))


def test_h16_the_address_of_a_service_is_nothing_to_the_codex_client(planned, tmp_path):
    clients = ScriptedClients(tmp_path, {"codex": [{"answer": YES}]})
    with ScriptedServer({"openai": [{"answer": YES}]}) as server:
        environment = {**clients.environment, "OPENAI_BASE_URL": f"{server.address}/v1"}
        checkout, plan = planned("codex", environment)
        answers = checkout.consult_sync(plan)
        assert answers["codex"].body.status == "completed"
        assert len(server.requests) == VECTORS["H16"]["expect"]["requests_to_env_url"]
    (asked,) = clients.asked
    assert not [word for word in asked.arguments if server.address in word]


TELLS_ITS_KEYS = """
import json, os
names = ("OPENAI_API_KEY", "CODEX_API_KEY")
keys = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
text = json.dumps({"conclusion": " ".join(keys) or "none", "risks": sys.argv[1:-1]})
print(json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": text}}))
print(json.dumps({"type": "turn.completed"}))
"""


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "CODEX_API_KEY"])
def test_h17_the_codex_client_has_its_own_credential_and_gets_no_other_under_its_name(
    planned, tmp_path, variable
):
    """One key is not passed for the other: so no Authorization is sent with the wrong one."""
    client_tool(tmp_path, "codex", f"import sys\n{TELLS_ITS_KEYS}")
    off = {"MAJORDOMUS_ADVISORS_DISABLE": "chatgpt"}
    checkout, plan = planned("codex", {"PATH": str(tmp_path), variable: "k-1", **off})
    said = checkout.consult_sync(plan)["codex"].body
    assert said.conclusion == f"{variable}=k-1"
    assert not [word for word in said.risks if "k-1" in word]
    state = next(each for each in plan.body.availability if each.id == "codex")
    assert state.credential is None
    assert VECTORS["H17"]["expect"]["authorization_sent"] is False


def test_every_vector_of_a_connection_or_a_process_has_a_test_of_its_number():
    elsewhere = {"network", "spawn_error", "process_control"}
    wanted = {
        number.lower()
        for number, case in VECTORS.items()
        if case["input"]["kind"] in elsewhere
        or case["input"].get("cancelled")
        or (case["input"]["kind"] == "env" and "base_url" not in case["expect"])
    }
    tests = "\n".join(globals())
    assert wanted == set(re.findall(r"^test_([a-h]\d+)_", tests, re.MULTILINE))


LONG = "x" * 50_000  # a fact of this length can be recorded; three are more than an argument holds


@pytest.fixture
def planned_at_length(planned):
    def made(advisor, environment):
        checkout, _ = planned(advisor, environment)
        facts = [f"{number}: {LONG}" for number in range(3)]
        asked = checkout.assess("y", materiality="high", facts=facts, evidence=["test:t.py"])
        return checkout, checkout.plan(asked)

    return made


@pytest.mark.parametrize(
    ("client", "advisor"), [("codex", "codex"), ("gemini", "gemini"), ("claude", "claude-code")]
)
def test_a_question_that_no_argument_can_hold_is_told_and_no_client_is_started(
    planned_at_length, tmp_path, client, advisor
):
    clients = ScriptedClients(tmp_path, {client: [{"answer": YES}]})
    checkout, plan = planned_at_length(advisor, clients.environment)
    said = checkout.consult_sync(plan)[advisor].body
    assert (said.status, said.diagnostic.partition(":")[0]) == ("malformed", "context_length")
    assert clients.asked == ()


@pytest.mark.parametrize("beyond", [0, 1])
def test_the_longest_argument_is_the_systems_own(planned, tmp_path, beyond):
    """What is told in advance is exactly what the system would refuse."""
    clients = ScriptedClients(tmp_path, {"codex": [{"answer": YES}]})
    checkout, plan = planned("codex", clients.environment)
    shortest = checkout.question(plan, prior_opinions=["x"]).size
    opinion = "x" * (1 + LONGEST_ARGUMENT - shortest + beyond)
    said = checkout.consult_sync(plan, prior_opinions=[opinion])["codex"].body
    assert said.status == ("malformed" if beyond else "completed")


def test_a_question_that_no_argument_can_hold_reaches_a_service_whole(planned_at_length):
    with ScriptedServer({"openai": [{"answer": YES}]}) as server:
        checkout, plan = planned_at_length("chatgpt", at(server))
        assert checkout.consult_sync(plan)["chatgpt"].body.status == "completed"
    ((_, request),) = server.requests
    assert request["messages"][0]["content"].count(LONG) == 3


def test_a_question_that_no_record_could_hold_is_refused_before_anybody_is_asked(planned):
    with ScriptedServer({"openai": [{"answer": YES}]}) as server:
        checkout, plan = planned("chatgpt", at(server))
        with pytest.raises(Refusal, match=r"the question has 70000 characters: 65536 is the most"):
            checkout.consult_sync(plan, asked="x" * 70_000)
    assert server.requests == []
    assert checkout.unasked(plan) == ("chatgpt",)
