"""Public doubles: a checkout that never changes from run to run, and advisors that are scripted."""

from __future__ import annotations

import atexit
import contextlib
import ipaddress
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import yaml

from majordomus_reasoning.advisors.contract import Adapter, Answer, Asking, Steps, sleep
from majordomus_reasoning.advisors.driver import FindAdapter
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.core.records import AdvisorState, Plan

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class TickingClock:
    """A clock that starts at a fixed moment and goes on by one second each time it is read.

    >>> clock = TickingClock()
    >>> (clock() - clock()).total_seconds()
    -1.0
    """

    def __init__(self, start: datetime = START) -> None:
        self.moment = start

    def __call__(self) -> datetime:
        """The time now; the next reading is a second later."""
        moment = self.moment
        self.advance(1)
        return moment

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.moment += timedelta(seconds=seconds)


def seeded_suffix(seed: int) -> Iterator[str]:
    """Six hexadecimal digits a time, the same for the same seed, without end."""
    source = random.Random(seed)  # noqa: S311 - ids of examples, no secrets
    while True:
        yield f"{source.getrandbits(24):06x}"


def deterministic_checkout(
    seed: int = 0,
    *,
    root: Path | None = None,
    share: Path | None = None,
    environment: Mapping[str, str] | None = None,
    clock: TickingClock | None = None,
    adapters: FindAdapter | None = None,
) -> Checkout:
    """A checkout in which the same steps give the same bytes, on every machine.

    Clock (ticks of one second), ids, mode, PATH and credentials are fixed; so are the durations of
    consultations (a second) and the order in which their outcomes are recorded. `adapters` stand in
    the place of the real ones, as `ScriptedAdvisors` do. Without `root` it lives in a new temporary
    folder, which goes away with the interpreter.

    >>> deterministic_checkout().mode
    ModeSource(mode='standard', source='default')
    """
    if root is None:
        root = Path(_SCRATCH.enter_context(tempfile.TemporaryDirectory(prefix="majordomus-")))
    suffixes = seeded_suffix(seed)
    return Checkout(
        root,
        share=share,
        environment=environment or {},
        clock=clock or TickingClock(),
        suffix=lambda: next(suffixes),
        adapters=adapters,
        fixed_duration_ms=1_000,
    )


_SCRATCH = contextlib.ExitStack()
atexit.register(_SCRATCH.close)


Said = Mapping[str, Any] | str | AdvisorFailure


class ScriptedAdvisors:
    """Advisors that answer from a script and contact nobody; given where adapters are looked up.

    The script holds for each advisor's id the object it answers with, or a text as a model may
    write it, or the AdvisorFailure it ends in; `after` holds seconds that it takes. `asked` is what
    each was told, in the order of asking.

    >>> advisors = ScriptedAdvisors({"first": {"conclusion": "keep it", "stance": "supports"}})
    >>> next(advisors("any-dialect")(Asking("first", "is it so?")))
    Sleep(seconds=0.0)
    """

    def __init__(
        self, script: Mapping[str, Said], *, after: Mapping[str, float] | None = None
    ) -> None:
        self.script = script
        self.after = after or {}
        self.asked: list[Asking] = []

    def __call__(self, _name: str) -> Adapter:
        """The adapter of any name."""
        return self._ask

    def _ask(self, asking: Asking) -> Steps:
        self.asked.append(asking)
        yield from sleep(self.after.get(asking.advisor, 0.0))
        said = self.script[asking.advisor]
        if isinstance(said, AdvisorFailure):
            raise said
        return Answer(said if isinstance(said, str) else json.dumps(said))


def advisor_state(advisor: str, adapter: str, **fields: Any) -> AdvisorState:
    """The state of an available advisor, as a plan's snapshot holds it.

    >>> advisor_state("first", "any-dialect").status
    'available'
    """
    facts = {
        "id": advisor,
        "title": advisor,
        "transport": "api",
        "adapter": adapter,
        "capabilities": ("independent_reasoning",),
        "status": "available",
        "reason": "present",
        "probe": "made up",
        "recovering": False,
    }
    return AdvisorState.model_validate({**facts, **fields})


def plan_asking(*states: AdvisorState) -> Plan:
    """A plan that selects every one of these advisors, in this order.

    >>> len(plan_asking(advisor_state("first", "any-dialect")).plan.selected)
    1
    """
    covered = ("independent_reasoning",)
    plan = {
        "mode": "standard",
        "mode_source": "default",
        "materiality": "high",
        "confidence": "medium",
        "capabilities": covered,
        "budget": len(states),
        "outcome": "consult",
        "reason": "made up",
        "selected": tuple(
            {"advisor": state.id, "covers": covered, "why": "made up"} for state in states
        ),
        "excluded": (),
        "available": len(states),
    }
    body = {"kind": "plan", "assessment": "assessment-made-up", "plan": plan}
    return Plan.model_validate({**body, "availability": states})


def client_tool(folder: Path, name: str, program: str) -> Path:
    """An executable client tool that runs a Python program; put its folder on the PATH."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
    path.chmod(0o755)
    return path


class ScriptedServer:
    """A server on loopback that answers in four dialects from a script; a context.

    The script maps a dialect (`openai`, `anthropic`, `gemini`, `ollama`) to its replies, in turn,
    the last one again and again. A reply holds `answer` (the object the model answers with) or
    `text` (what it writes), or `status`, `headers` and `body` of a response of its own; `after` are
    seconds it takes. `environment` are the variables that lead the adapters to it, `requests` the
    bodies that came, each under its dialect.

    >>> with ScriptedServer({"ollama": [{"text": "no"}]}) as server:
    ...     server.environment["OLLAMA_HOST"].startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, script: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self.requests: list[tuple[str, Any]] = []
        self._replies = {dialect: list(replies) for dialect, replies in script.items()}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @classmethod
    def from_yaml(cls, path: Path) -> Self:
        """A server whose script is a YAML file."""
        return cls(yaml.safe_load(path.read_text(encoding="utf-8")))

    @property
    def address(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that lead each dialect's adapter here, and made-up credentials."""
        return {
            "OPENAI_BASE_URL": f"{self.address}/v1",
            "LMSTUDIO_BASE_URL": self.address,
            "ANTHROPIC_BASE_URL": self.address,
            "GOOGLE_GEMINI_BASE_URL": self.address,
            "OLLAMA_HOST": self.address,
            **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "scripted"),
        }

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, path: str, sent: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of the reply to a request."""
        if path.endswith(("/models", "/api/tags")):
            listed = [{"id": "scripted", "name": "scripted", "model": "scripted"}]
            return 200, {}, json.dumps({"data": listed, "models": listed}).encode()
        dialect = next((name for end, name in _DIALECTS.items() if path.endswith(end)), "")
        replies = self._replies.get(dialect)
        if not replies:
            return 404, {}, b'{"error": {"message": "nothing is scripted here"}}'
        self.requests.append((dialect, json.loads(sent or b"null")))
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        time.sleep(reply.get("after", 0))
        said = reply["text"] if "text" in reply else json.dumps(reply.get("answer"))
        body = reply["body"] if "body" in reply else _ENVELOPES[dialect](said)
        text = body if isinstance(body, str) else json.dumps(body)
        return reply.get("status", 200), reply.get("headers", {}), text.encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                status, headers, body = scripted.reply(self.path, self.rfile.read(length))
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(ConnectionError):  # whoever asked may have left
                    self.wfile.write(body)

            do_GET = do_POST  # noqa: N815 - the name that the server looks for

            def log_message(self, *_: object) -> None:
                """Say nothing on standard error."""

        return Handler


_DIALECTS = {
    "/chat/completions": "openai",
    "/v1/messages": "anthropic",
    ":generateContent": "gemini",
    "/api/chat": "ollama",
}
_ENVELOPES: dict[str, Callable[[str], dict[str, Any]]] = {
    "openai": lambda said: {
        "model": "scripted",
        "choices": [{"message": {"content": said}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 5},
    },
    "anthropic": lambda said: {
        "model": "scripted",
        "content": [{"type": "text", "text": said}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 5},
    },
    "gemini": lambda said: {
        "modelVersion": "scripted",
        "candidates": [{"content": {"parts": [{"text": said}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 5},
    },
    "ollama": lambda said: {
        "model": "scripted",
        "message": {"content": said},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 3,
        "eval_count": 5,
    },
}


class NetworkForbidden(Exception):
    """Somebody reached beyond loopback where no network was allowed."""


@contextlib.contextmanager
def forbid_network() -> Iterator[None]:
    """While within, this process reaches loopback only.

    Whoever reaches further gets NetworkForbidden; since it may be caught on the way, the context
    raises it too at its end. Child processes are not held.

    >>> with forbid_network():
    ...     pass
    """
    attempts: list[str] = []
    _watch_network()
    _WATCHES.append(attempts)
    try:
        yield
    finally:
        _WATCHES.remove(attempts)
    if attempts:
        raise NetworkForbidden(f"reached beyond loopback: {', '.join(dict.fromkeys(attempts))}")


_WATCHES: list[list[str]] = []
_WATCHED = threading.Event()


def _watch_network() -> None:
    """Install the audit hook once: an interpreter cannot take one back."""
    if not _WATCHED.is_set():
        _WATCHED.set()
        sys.addaudithook(_refuse_network)


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    if not _WATCHES or event not in _NETWORK_EVENTS:
        return
    host = _host(arguments[_NETWORK_EVENTS[event]])
    if host is not None and not _is_local(host):
        for attempts in _WATCHES:
            attempts.append(host)
        raise NetworkForbidden(f"reached beyond loopback: {host}")


# Which argument of an event holds the host, or the address that begins with it.
_NETWORK_EVENTS = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}


def _host(address: object) -> str | None:
    """The host of an address, None for a socket of this machine that has none."""
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    is_path = isinstance(address, str) and address.startswith(("/", "\0"))
    return host if isinstance(host, str) and host and not is_path else None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"
