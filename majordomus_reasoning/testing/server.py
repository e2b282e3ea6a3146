"""A server on loopback that answers in the dialects of real services, from a script."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self

from majordomus_reasoning.testing.script import Reply, Script, checked, read_script, said

KEYS = ("answer", "text", "status", "message", "headers", "body", "after", "cut")


class Response(NamedTuple):
    """What the server sends; of a body that is cut, less than the headers promise."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool = False


class ScriptedServer:
    """A server on loopback that answers in four dialects from a script; a context.

    The script maps a dialect (`openai`, `anthropic`, `gemini`, `ollama`) to its replies, in turn,
    the last one again and again. A reply holds:

    - `answer`, the object that the model answers with, or `text`, what it writes; or
    - `status` of a failure and its `message`, told as the service tells it; or
    - `body` of any content, with any `status`;

    and with them `headers`, `after` (seconds it takes) and `cut: true` (the connection breaks in
    the middle of the body). `environment` are the variables that lead the adapters here, `requests`
    the bodies that came, each under its dialect. Raises ValueError for a word that is unknown.

    >>> with ScriptedServer({"ollama": [{"text": "no"}]}) as server:
    ...     server.environment["OLLAMA_HOST"].startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[tuple[str, Any]] = []
        self._replies = checked(script, _ENVELOPES, KEYS)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @classmethod
    def from_yaml(cls, path: Path) -> Self:
        """A server whose script is a YAML file."""
        return cls(read_script(path))

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
            **dict.fromkeys(
                ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "made-up-key"
            ),
        }

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, path: str, sent: bytes) -> Response:
        """The reply to a request."""
        if path.endswith(("/models", "/api/tags")):
            listed = [{"id": "scripted", "name": "scripted", "model": "scripted"}]
            return Response(200, {}, json.dumps({"data": listed, "models": listed}).encode())
        dialect = next((name for end, name in _DIALECTS.items() if path.endswith(end)), "")
        reply = self._next(dialect, sent)
        if reply is None:
            return Response(404, {}, b'{"error": {"message": "nothing is scripted here"}}')
        self._closing.wait(reply.get("after", 0))
        status = reply.get("status", 200)
        body = _body(dialect, status, reply)
        text = body if isinstance(body, str) else json.dumps(body)
        headers = {name: str(value) for name, value in reply.get("headers", {}).items()}
        return Response(status, headers, text.encode(), bool(reply.get("cut")))

    def _next(self, dialect: str, sent: bytes) -> Reply | None:
        with self._lock:  # two that ask at once must not take one turn
            replies = self._replies.get(dialect)
            if not replies:
                return None
            self.requests.append((dialect, json.loads(sent or b"null")))
            return replies.pop(0) if len(replies) > 1 else replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                response = scripted.reply(self.path, self.rfile.read(length))
                body = response.body
                headers = {"content-length": str(len(body)), **response.headers}
                with contextlib.suppress(ConnectionError):  # whoever asked may have left
                    self.send_response(response.status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body[: len(body) // 2] if response.cut else body)

            do_GET = do_POST  # noqa: N815 - the name that the server looks for

            def log_message(self, *_: object) -> None:
                """Say nothing on standard error."""

        return Handler


def _body(dialect: str, status: int, reply: Reply) -> Any:
    if "body" in reply:
        return reply["body"]
    if status >= 400:
        message = str(reply.get("message", "a scripted failure"))
        return _FAILURES[dialect](status, message)
    return _ENVELOPES[dialect](said(reply))


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
_OPENAI = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
_ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_GEMINI = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}
# How each service tells a failure.
_FAILURES: dict[str, Callable[[int, str], dict[str, Any]]] = {
    "openai": lambda status, message: {
        "error": {"message": message, "type": None, "code": _OPENAI.get(status)}
    },
    "anthropic": lambda status, message: {
        "type": "error",
        "error": {"type": _ANTHROPIC.get(status, "api_error"), "message": message},
    },
    "gemini": lambda status, message: {
        "error": {"code": status, "message": message, "status": _GEMINI.get(status, "INTERNAL")}
    },
    "ollama": lambda _status, message: {"error": message},
}
