"""`ollama-chat`: a local Ollama."""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from majordomus_reasoning.advisors.adapters._http import (
    dictionary,
    failure_of,
    get,
    name_of,
    object_of,
    objects,
    post,
    refuse_failure,
    text,
    text_of,
    usage_of,
)
from majordomus_reasoning.advisors.classify import Row, Table
from majordomus_reasoning.advisors.contract import Answer, Asking, HttpResponse, Steps, Yielding
from majordomus_reasoning.advisors.failures import failure
from majordomus_reasoning.advisors.parsing import strict_json
from majordomus_reasoning.core.words import is_blank

PORT = "11434"
_PORTS = {"http": "80", "https": "443"}
_CLOUD = "ollama.com"

FAILURES: Table = (
    Row("model_not_found", says=r"model .*not found|no such model|try pulling it"),
    Row("context_length", http=(400,), says=r"context length|exceeds the (?:available )?context"),
    Row("overloaded", says=r"server busy|maximum pending requests"),
)


def ask(asking: Asking) -> Steps:
    """Ask the model that `OLLAMA_MODEL` names, else the first one that the server lists."""
    base = host_address(asking.variable("OLLAMA_HOST"))
    model = asking.variable("OLLAMA_MODEL") or asking.model or (yield from _first_model(base))
    body = {
        "model": model,
        "messages": [{"role": "user", "content": asking.question}],
        "stream": False,
        "format": "json",
        "think": False,
        **asking.parameters,
    }
    return read((yield from post(f"{base}/api/chat", body)))


def read(response: HttpResponse) -> Answer:
    """The answer of a chat, lines of a stream put together; AdvisorFailure where there is none."""
    lines = _lines(response)
    messages = [dictionary(line.get("message")) for line in lines]
    last = lines[-1]
    reason = text(last.get("done_reason"))
    if any(message.get("tool_calls") for message in messages):
        raise failure("tool_call")
    said = "".join(text(message.get("content")) for message in messages)
    if last.get("done") is not True:
        raise failure("truncated" if messages[-1] else "no_choices")
    if is_blank(said):
        if reason in {"load", "unload"}:
            raise failure("load")
        if any(not is_blank(text(message.get("thinking"))) for message in messages):
            raise failure("thinking_only")
    return Answer(
        text=said,
        cut=reason == "length",
        usage=usage_of(last, "prompt_eval_count", "eval_count"),
        model=name_of(last.get("model")),
    )


def _lines(response: HttpResponse) -> list[dict[str, Any]]:
    """The objects of a reply: one, or one a line where the server streamed all the same."""
    lines = text_of(response).splitlines()
    if len(lines) < 2 or not _is_line(lines[0]):
        return [object_of(response, FAILURES)]
    refuse_failure(response, FAILURES)
    found = []
    for line in filter(str.strip, lines):
        value = dictionary(strict_json(line))
        if value.get("error"):
            raise failure_of(response, value, FAILURES, otherwise="mid_stream")
        found.append(value)
    return found


def _is_line(line: str) -> bool:
    return line.startswith("{") and line.rstrip().endswith("}")


def _first_model(base: str) -> Yielding[str]:
    listed = object_of((yield from get(f"{base}/api/tags")), FAILURES)
    for each in objects(listed.get("models")):
        name = name_of(each.get("model")) or name_of(each.get("name"))
        # A model that only embeds texts is listed too, and cannot answer.
        if name and "embed" not in name.lower():
            return name
    raise failure("model_not_found")


def host_address(host: str) -> str:
    """The address that `OLLAMA_HOST` means, in the server's own grammar.

    >>> host_address(""), host_address("http://1.2.3.4"), host_address("[::]")
    ('http://127.0.0.1:11434', 'http://1.2.3.4:80', 'http://[::1]:11434')
    """
    host = host.strip().strip("\"' ").strip()
    scheme, separator, rest = host.partition("://")
    if not separator:
        scheme, rest = ("https", f"{_CLOUD}:443") if host == _CLOUD else ("http", host)
    default = _PORTS.get(scheme, PORT) if separator else PORT
    place, slash, path = rest.partition("/")
    name, port = _split_port(place)
    if port is None or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65_535:
        port = default
    return f"{scheme}://{_connectable(name)}:{int(port)}{slash}{path}".rstrip("/")


def _split_port(place: str) -> tuple[str, str | None]:
    """The host and the port of `host:port` or `[address]:port`; no port where none is told."""
    match = re.fullmatch(r"\[([^\[\]]*)\]:([^:]*)|([^:\[\]]*):([^:]*)", place)
    if match:
        return match[1] or match[3] or "", match[2] if match[2] is not None else match[4]
    return place.strip("[]"), None


def _connectable(name: str) -> str:
    """A host that a client can connect to: no host and every host are this machine."""
    if not name:
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name
    if address.is_unspecified:
        address = ipaddress.ip_address("127.0.0.1" if address.version == 4 else "::1")
    return str(address) if address.version == 4 else f"[{address}]"
