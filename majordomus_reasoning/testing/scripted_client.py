"""The program behind a scripted client tool: it behaves as the real one does, and contacts nobody.

It is run by its path, by an interpreter that finds no package, so it knows nothing of this one:

    python -IS scripted_client.py SCRIPT TURNS CLIENT ARGUMENT …
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

Reply = Mapping[str, Any]


class Printed(NamedTuple):
    """What a client leaves."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


class Client(NamedTuple):
    """How a client behaves: what it knows of its command line, and how it tells what came.

    `options` are flags and, ending in `=`, options with a value.
    """

    version: str
    options: Sequence[str]
    answers: Callable[[str, argparse.Namespace], Printed]
    fails: Callable[[int, str, argparse.Namespace], Printed]
    reads_input: bool = False


def main(arguments: Sequence[str]) -> int:
    """Behave as the client, and return its exit code."""
    script, turns, name, *told = arguments
    client = CLIENTS[name]
    if told == ["--version"]:
        print(client.version)  # noqa: T201 - a program prints
        return 0
    asked = parser(name).parse_args(told)
    if client.reads_input:
        sys.stdin.read()  # to its end, beside a question on the command line too
    replies = json.loads(Path(script).read_text(encoding="utf-8"))[name]
    reply = take_turn(Path(turns), name, replies, {"question": asked.question, "arguments": told})
    if reply.get("stubborn"):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(reply.get("after", 0))
    printed = reaction(client, reply, asked)
    sys.stdout.buffer.write(printed.stdout.encode("utf-8"))
    sys.stderr.buffer.write(printed.stderr.encode("utf-8"))
    return printed.exit_code


def parser(name: str) -> argparse.ArgumentParser:
    """The command line of a client; what it does not know is refused."""
    known = argparse.ArgumentParser(name, allow_abbrev=False)
    for option in CLIENTS[name].options:
        flags = option.rstrip("=").split("/")
        if option.endswith("="):
            known.add_argument(*flags, default="")
        else:
            known.add_argument(*flags, action="store_true")
    if name == "codex":
        known.add_argument("command", choices=["exec"])
    if name == "gemini":
        known.add_argument("-p", "--prompt", dest="question", required=True)
    else:
        known.add_argument("question")
    return known


def take_turn(folder: Path, name: str, replies: Sequence[Reply], told: Mapping[str, Any]) -> Reply:
    """The next reply; a turn is taken by making a file that nobody else can make."""
    for number in count():
        try:
            with (folder / f"{name}-{number:06d}").open("x", encoding="utf-8") as turn:
                json.dump({"client": name, **told}, turn)
        except FileExistsError:
            continue
        return replies[min(number, len(replies) - 1)]
    raise AssertionError("counting has no end")


def reaction(client: Client, reply: Reply, asked: argparse.Namespace) -> Printed:
    """What the client prints of a reply, and how it ends."""
    if {"stdout", "stderr", "exit"} & {*reply}:
        out, err = (str(reply.get(name, "")) for name in ("stdout", "stderr"))
        return Printed(out, err, int(reply.get("exit", 0)))
    if "status" in reply:
        message = str(reply.get("message", "a scripted failure"))
        return client.fails(int(reply["status"]), message, asked)
    text = reply["text"] if "text" in reply else json.dumps(reply.get("answer"))
    return client.answers(str(text), asked)


# codex: events on standard output, never a silent standard error, 1 for every failure

CODEX_NOISE = "Reading additional input from stdin...\n"


def codex_answers(text: str, asked: argparse.Namespace) -> Printed:
    """A turn that completed; the last message is written to the file that was named."""
    item = {"id": "item_0", "type": "agent_message", "text": text}
    usage = {"input_tokens": 3, "cached_input_tokens": 0, "output_tokens": 5}
    said = [{"type": "item.completed", "item": item}] if text else []
    _last_message(asked, text)
    return Printed(_events(*said, {"type": "turn.completed", "usage": usage}), CODEX_NOISE)


def codex_fails(status: int, message: str, asked: argparse.Namespace) -> Printed:
    """A turn that failed; of a limit the client drops what the service said."""
    phrase = f"{status} {_phrase(status)}"
    told = f"unexpected status {phrase}: {message}"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        told = f"exceeded retry limit, last status: {phrase}"
    failed = {"type": "turn.failed", "error": {"message": told}}
    _last_message(asked, "")
    return Printed(_events({"type": "error", "message": told}, failed), CODEX_NOISE, 1)


def _last_message(asked: argparse.Namespace, text: str) -> None:
    if asked.output_last_message:
        Path(asked.output_last_message).write_text(text, encoding="utf-8")


def _events(*events: Mapping[str, Any]) -> str:
    began = [{"type": "thread.started", "thread_id": "scripted"}, {"type": "turn.started"}]
    return "".join(f"{json.dumps(event)}\n" for event in (*began, *events))


# gemini: one object, of a failure as the last thing on standard error, with the HTTP status as
# exit code, of which a shell sees the last eight bits

GEMINI_NOISE = "Warning: Basic terminal detected (TERM=dumb). Visual rendering will be limited.\n"


def gemini_answers(text: str, _asked: argparse.Namespace) -> Printed:
    """An answer on standard output; an empty one is an error there, and no failure."""
    tokens = {"input": 3, "candidates": 5, "total": 8}
    told: dict[str, Any] = {
        "session_id": "scripted",
        "response": text,
        "stats": {"models": {"scripted": {"tokens": tokens}}},
    }
    if not text:
        told["error"] = {"type": "INVALID_STREAM", "message": "The model returned no text."}
    return Printed(json.dumps(told, indent=2), GEMINI_NOISE)


def gemini_fails(status: int, message: str, _asked: argparse.Namespace) -> Printed:
    """Nothing on standard output, and the service's own reply within the client's object."""
    is_missing = status == HTTPStatus.NOT_FOUND
    service = json.dumps({"error": {"code": status, "message": message}})
    code = 1 if is_missing else status
    error = {"type": "Error", "message": message if is_missing else service, "code": code}
    told = json.dumps({"session_id": "scripted", "error": error}, indent=2)
    trace = "Error when talking to Gemini API\n    at f (file:///x.js:1:1)\n"
    return Printed("", f"{GEMINI_NOISE}{trace}{told}\n", code % 256)


# claude: one object on standard output, of a failure too: `is_error` alone tells them apart


def claude_answers(text: str, _asked: argparse.Namespace) -> Printed:
    """A result that is no error."""
    return Printed(_result(text, is_error=False))


def claude_fails(status: int, message: str, _asked: argparse.Namespace) -> Printed:
    """A result that is an error, of the same subtype as any other."""
    told = f"API Error: Request rejected ({status}) \u00b7 {message}"
    return Printed(_result(told, is_error=True, api_error_status=status), exit_code=1)


def _result(text: str, **told: object) -> str:
    usage = {"input_tokens": 3, "output_tokens": 5}
    result = {"type": "result", "subtype": "success", "stop_reason": "end_turn", "usage": usage}
    return json.dumps({**result, **told, "result": text}) + "\n"


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in {*HTTPStatus} else "Unknown"


CLIENTS = {
    "codex": Client(
        "codex-cli 0.171.0",
        (
            *("--json", "-o/--output-last-message=", "--output-schema=", "-s/--sandbox="),
            *("--skip-git-repo-check", "--ephemeral", "--ignore-user-config", "--ignore-rules"),
            *("--color=", "--strict-config", "-C=", "-m/--model=", "-c="),
        ),
        codex_answers,
        codex_fails,
        reads_input=True,
    ),
    "gemini": Client(
        "0.61.0",
        (
            *("-o/--output-format=", "--approval-mode=", "--skip-trust", "-m/--model="),
            *("--raw-output", "--accept-raw-output-risk"),
        ),
        gemini_answers,
        gemini_fails,
    ),
    "claude": Client(
        "2.1.332 (Claude Code)",
        (
            *("-p", "--output-format=", "--json-schema=", "--tools=", "--permission-mode="),
            *("--permission-prompts=", "--bare", "--safe-mode", "--restricted"),
            *("--strict-mcp-config", "--setting-sources=", "--no-session-persistence"),
            *("--disable-slash-commands", "--max-budget-usd=", "--fallback-model="),
            *("--system-prompt=", "--model="),
        ),
        claude_answers,
        claude_fails,
    ),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
