"""The public doubles: a scripted server in four dialects, and the switch that forbids a network."""

import asyncio
import socket
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.consult import consult
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue, Model, Models
from majordomus_reasoning.core.records import Assessment
from majordomus_reasoning.testing import (
    NetworkForbidden,
    ScriptedServer,
    advisor_state,
    forbid_network,
    plan_asking,
)

SCRIPT = """
openai:
  - status: 429
    headers: {retry-after: "7"}
    body: {error: {code: rate_limit_exceeded}}
  - answer: {conclusion: first, stance: supports}
anthropic:
  - answer: {conclusion: second, stance: opposes}
gemini:
  - body: "<html>busy</html>"
ollama:
  - text: no idea
    after: 0.05
"""
CATALOGUE = Catalogue(
    models=Models(version=1, models=(Model(id="m", vendor="v", native_id="m-1"),))
)
ADAPTERS = ["openai-chat", "lmstudio-chat", "anthropic-messages", "gemini-generate", "ollama-chat"]


def ask(server, *adapters):
    states = [
        advisor_state(name, name, model="m", credential="OPENAI_API_KEY") for name in adapters
    ]
    work = consult(
        plan_asking(*states),
        question(Assessment(kind="assessment", subject="timeouts")),
        catalogue=CATALOGUE,
        environment=server.environment,
        folder=Path(),
    )
    return asyncio.run(work)


def test_a_scripted_server_speaks_four_dialects_from_a_file(tmp_path):
    path = tmp_path / "script.yaml"
    path.write_text(SCRIPT)
    with forbid_network(), ScriptedServer.from_yaml(path) as server:
        limited = ask(server, "openai-chat")[0]
        found = ask(server, *ADAPTERS)
    assert (limited.status, limited.failure.retry_after_seconds) == ("rate_limited", 7)
    told = [each.opinion.conclusion if each.opinion else each.failure.reason for each in found]
    assert told == ["first", "first", "second", "html_page", "no_object"]
    assert found[2].usage.plain() == {"input_tokens": 3, "output_tokens": 5}
    assert found[2].exchange.model == "scripted"
    assert {dialect for dialect, _ in server.requests} == {
        "openai",
        "anthropic",
        "gemini",
        "ollama",
    }


def connect_to_an_address():
    socket.create_connection(("192.0.2.1", 9), timeout=1)


def connect_to_a_name():
    socket.create_connection(("example.invalid", 9), timeout=1)


def look_up_a_name():
    socket.getaddrinfo("example.invalid", 9)


def send_a_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.sendto(b"x", ("192.0.2.1", 9))


@pytest.mark.parametrize(
    "reach", [connect_to_an_address, connect_to_a_name, look_up_a_name, send_a_datagram]
)
def test_where_no_network_is_allowed_reaching_out_fails_even_if_it_is_caught(reach):
    def catches():
        with forbid_network(), pytest.raises(NetworkForbidden):
            reach()

    with pytest.raises(NetworkForbidden, match=r"192\.0\.2\.1|example\.invalid"):
        catches()


def test_where_no_network_is_allowed_loopback_is_let_through():
    with forbid_network(), socket.create_server(("127.0.0.1", 0)) as listening:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, listening.getsockname()[1]), timeout=5).close()


def test_a_network_is_allowed_again_afterwards():
    with forbid_network():
        pass
    with pytest.raises(OSError, match=r".") as caught:
        socket.create_connection(("localhost", 1), timeout=1)
    assert not isinstance(caught.value, NetworkForbidden)
