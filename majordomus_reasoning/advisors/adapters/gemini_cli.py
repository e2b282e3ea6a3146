"""`gemini-cli`: the Gemini CLI, without a person and without approval for any tool that acts."""

from __future__ import annotations

from typing import Any

from majordomus_reasoning.advisors.adapters._client import (
    failure_of,
    inert,
    objects_printed,
    start,
)
from majordomus_reasoning.advisors.adapters._http import (
    dictionary,
    name_of,
    text,
    usage_of,
)
from majordomus_reasoning.advisors.adapters.gemini_generate import FAILURES as SERVICE_FAILURES
from majordomus_reasoning.advisors.classify import Row, Table, http_code
from majordomus_reasoning.advisors.contract import Answer, Asking, ProcessResult, Steps
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.core.records import Usage
from majordomus_reasoning.core.words import is_blank

FAILURES: Table = (
    Row("quota_exhausted", says=r"exhausted your daily quota|daily quota (?:limit|exceeded)"),
    Row("rate_limit", says=r"exhausted your capacity|quota will reset"),
    *SERVICE_FAILURES,
    Row("no_text", code=r"INVALID_STREAM"),
    Row("config", says=r"not running in a trusted directory|untrusted (?:folder|workspace)"),
    Row("no_credential", says=r"set an auth method|invalid auth method|authentication is required"),
    Row("model_not_found", says=r"models?/\S{1,100} is not found|ModelNotFoundError"),
    Row("bad_request", says=r"no input provided"),
)
# The exit codes that are the client's own; any other above 143 is an HTTP status modulo 256.
EXITS = {
    41: "no_credential",
    42: "bad_request",
    44: "config",
    52: "config",
    53: "truncated",
    54: "tool_call",
    55: "config",
    130: "withdrawn",
}
ENVIRONMENT = {"GEMINI_CLI_NO_RELAUNCH": "1", "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def ask(asking: Asking) -> Steps:
    """Ask through `gemini -p`; the model is the client's own unless one is declared."""
    arguments = (
        *("--output-format", "json", "--approval-mode", "default"),
        *(("--model", asking.model) if asking.model else ()),
        *("--prompt", inert(asking.question)),
    )
    return read((yield from start(asking, arguments, ENVIRONMENT)), asking.executable)


def read(result: ProcessResult, client: str | None = None) -> Answer:
    """The answer that the client prints; AdvisorFailure where it tells a failure, or nothing."""
    printed = objects_printed(result.stdout)
    told = [each for each in printed if "response" in each or "error" in each]
    went_well = result.exit_code == 0 or result.timed_out
    if told and went_well and not told[-1].get("error"):
        return _answer(told[-1], result, client)
    if not told and went_well and not result.timed_out and result.stdout.strip():
        return Answer(result.stdout, client=client, client_version=result.version)
    complaints = [each for each in objects_printed(result.stderr) if each.get("error")]
    raise _failure(result, [*told, *complaints])


def _answer(envelope: dict[str, Any], result: ProcessResult, client: str | None) -> Answer:
    said = text(envelope.get("response"))
    if is_blank(said) and "loop" in str(envelope.get("warnings")).lower():
        raise failure("loop_detected")
    models = dictionary(dictionary(envelope.get("stats")).get("models"))
    return Answer(
        text=said,
        usage=_usage(models),
        model=name_of(next(iter(models))) if len(models) == 1 else None,
        client=client,
        client_version=result.version,
    )


def _usage(models: dict[str, Any]) -> Usage | None:
    """The tokens of all models that the client asked on the way, summed."""
    reported = [dictionary(dictionary(each).get("tokens")) for each in models.values()]
    used = [usage for each in reported if (usage := usage_of(each, "input", "candidates"))]
    if not used:
        return None
    return Usage(
        input_tokens=sum(each.input_tokens or 0 for each in used),
        output_tokens=sum(each.output_tokens or 0 for each in used),
    )


def _failure(result: ProcessResult, complaints: list[dict[str, Any]]) -> AdvisorFailure:
    """The failure that the client's last error object tells, else its exit code, else its words."""
    complaint = complaints[-1] if complaints else {}
    outer = dictionary(complaint.get("error"))
    message = text(outer.get("message")) or f"{result.stderr}\n{result.stdout}"
    # The message may be the service's own reply, as JSON.
    service = [dictionary(each.get("error")) for each in objects_printed(message)]
    inner = service[-1] if service else {}
    code = result.exit_code or 0
    http = http_code(inner.get("code")) or http_code(outer.get("code"))
    found = failure_of(
        result,
        text(inner.get("message")) or message,
        FAILURES,
        error={**outer, **inner},
        http=http or (http_code(code + 256) if code > 143 else None),
    )
    if found.reason == "client_failed" and code in EXITS:
        return failure(EXITS[code])
    return found
