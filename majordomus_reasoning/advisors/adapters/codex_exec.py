"""`codex-exec`: the Codex CLI, without a person and without the right to write."""

from __future__ import annotations

from typing import Any

from majordomus_reasoning.advisors.adapters._client import failure_of, objects_printed, start
from majordomus_reasoning.advisors.adapters._http import dictionary, text, usage_of
from majordomus_reasoning.advisors.classify import Row, Table
from majordomus_reasoning.advisors.contract import (
    Answer,
    Asking,
    PrivateFile,
    ProcessResult,
    Steps,
)
from majordomus_reasoning.advisors.failures import failure

LAST_MESSAGE = "last-message.txt"

FAILURES: Table = (
    Row("truncated", says=r"incomplete response.*max_output_tokens"),
    Row("filtered", says=r"incomplete response.*content_filter"),
    Row("region", says=r"country, region, or territory not supported"),
    Row("no_credential", says=r"missing environment variable|not logged in|codex login"),
    Row("credential_refused", says=r"token (?:has )?expired|refresh token|invalid api key"),
    Row("quota_exhausted", says=r"quota exceeded|insufficient_quota"),
    Row("rate_limit", says=r"usage limit|rate limit"),
    Row("overloaded", says=r"experiencing high demand|at capacity|overloaded"),
    Row("context_length", says=r"context window|context_length_exceeded|maximum context length"),
    Row("model_not_found", says=r"\bmodel\b.{0,80}(?:not found|does not exist|not supported)"),
    Row("config", says=r"trusted directory|wire_api|model provider .* not found"),
)
_ENDS = frozenset({"turn.completed", "turn.failed"})
# The line stands there with an empty input too: it tells something only where nothing followed it.
_WAITS_FOR_INPUT = "reading additional input from stdin"


def ask(asking: Asking) -> Steps:
    """Ask through `codex exec`, read-only; the model is the client's own unless one is declared."""
    arguments = (
        *("exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral"),
        *("--color", "never", "--output-last-message", PrivateFile(LAST_MESSAGE)),
        *(("--model", asking.model) if asking.model else ()),
        *("--", asking.question),
    )
    return read((yield from start(asking, arguments, {}, (LAST_MESSAGE,))), asking.executable)


def read(result: ProcessResult, client: str | None = None) -> Answer:
    """The answer of a turn that completed; AdvisorFailure where none did.

    A message is not known to be whole before the turn completed, and errors are only retries
    unless the turn failed.
    """
    events = objects_printed(result.stdout)
    ends = [event for event in events if text(event.get("type")) in _ENDS]
    if ends and ends[-1]["type"] == "turn.completed":
        said = [text(item.get("text")) for item in _items(events, "agent_message")]
        return Answer(
            text=said[-1] if said else result.files.get(LAST_MESSAGE, ""),
            usage=usage_of(ends[-1].get("usage"), "input_tokens", "output_tokens"),
            client=client,
            client_version=result.version,
        )
    if ends:
        error = dictionary(ends[-1].get("error"))
        raise failure_of(result, text(error.get("message")), FAILURES, error=error)
    if result.timed_out and not events and _WAITS_FOR_INPUT in result.stderr.lower():
        raise failure("stdin_open")
    reported = [text(event.get("message")) for event in events if event.get("type") == "error"]
    raise failure_of(result, "\n".join([result.stderr, *reported[-1:]]), FAILURES)


def _items(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    completed = (event for event in events if event.get("type") == "item.completed")
    items = (dictionary(event.get("item")) for event in completed)
    return [item for item in items if item.get("type") == kind]
