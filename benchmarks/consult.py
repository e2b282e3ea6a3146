"""Asking several advisors at once, and reading what one of them wrote."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from measure import Ratio, fastest

from majordomus_reasoning.advisors.consult import consult as ask
from majordomus_reasoning.advisors.normalise import normalise
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue, Model, Models
from majordomus_reasoning.core.records import AdvisorState, Assessment
from majordomus_reasoning.testing import (
    ScriptedClients,
    ScriptedServer,
    advisor_state,
    plan_asking,
)

SECONDS = 0.3
OPINION = {"conclusion": "keep it", "stance": "supports"}
REPLIES = [{"answer": OPINION, "after": SECONDS}]
SERVICES = ("openai-chat", "anthropic-messages", "gemini-generate", "ollama-chat", "lmstudio-chat")
CLIENTS = {"codex": "codex-exec", "gemini": "gemini-cli", "claude": "claude-cli"}
QUESTION = question(Assessment(kind="assessment", subject="timeouts"))
CATALOGUE = Catalogue(
    models=Models(version=1, models=(Model(id="m", vendor="v", native_id="m-1"),))
)


def consult() -> Iterator[Ratio]:
    """Six advisors at once against one alone, and normalising against reading."""
    yield from _asking()
    yield from _normalising()


def _asking() -> Iterator[Ratio]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        dialects = ("openai", "anthropic", "gemini", "ollama")
        server = stack.enter_context(ScriptedServer(dict.fromkeys(dialects, REPLIES)))
        clients = ScriptedClients(folder, dict.fromkeys(CLIENTS, REPLIES))
        environment = {**server.environment, **clients.environment}

        def asked(*states: AdvisorState) -> float:
            return fastest(lambda: _ask(states, environment, folder), rounds=3)

        services = [
            _service(name, adapter) for name, adapter in enumerate((*SERVICES, SERVICES[0]))
        ]
        tools = [advisor_state(name, adapter, executable=name) for name, adapter in CLIENTS.items()]
        yield Ratio("ask six services / one alone", asked(*services), asked(services[0]), 1.25)
        mixed = asked(*services[:3], *tools)
        yield Ratio("ask three services, three clients / one client", mixed, asked(tools[0]), 1.25)


def _service(name: int, adapter: str) -> AdvisorState:
    return advisor_state(f"advisor-{name}", adapter, model="m", credential="OPENAI_API_KEY")


def _ask(states: tuple[AdvisorState, ...], environment: dict[str, str], folder: Path) -> None:
    work = ask(
        plan_asking(*states),
        QUESTION,
        catalogue=CATALOGUE,
        environment=environment,
        folder=folder,
    )
    outcomes = asyncio.run(work)
    assert {each.status for each in outcomes} == {"completed"}, outcomes


MEBIBYTE = 1024 * 1024
PROSE = "The caller waits until it is told of a timeout, and asks again. "
SCAN = re.compile(r"[^\x00-\x7f]")  # reads every character of these texts, and finds none


def _prose(size: int) -> str:
    return PROSE * (size // len(PROSE)) + json.dumps(OPINION)


def _one_text(size: int) -> str:
    return json.dumps({**OPINION, "conclusion": PROSE * (size // len(PROSE))})


def _lists(size: int) -> str:
    return json.dumps({**OPINION, "risks": [PROSE] * (size // len(PROSE))})


TEXTS = {"prose around an answer": _prose, "one long text": _one_text, "long lists": _lists}


def _normalising() -> Iterator[Ratio]:
    for name, text in TEXTS.items():
        one, two = text(MEBIBYTE), text(2 * MEBIBYTE)
        normalised = fastest(lambda one=one: normalise(one))
        scanned = fastest(lambda one=one: SCAN.search(one))
        yield Ratio(f"normalise 1 MiB, {name} / scan it", normalised, scanned, 20)
        twice = fastest(lambda two=two: normalise(two))
        yield Ratio(f"normalise 2 MiB, {name} / 1 MiB", twice, normalised, 2.4)
