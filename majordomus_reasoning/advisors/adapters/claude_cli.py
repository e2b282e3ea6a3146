"""`claude-cli`: Claude Code, without a person; it may read the checkout and nothing else."""

from __future__ import annotations

import json
from typing import Any

from majordomus_reasoning.advisors.adapters._client import (
    failure_of,
    inert,
    objects_printed,
    start,
)
from majordomus_reasoning.advisors.adapters._http import text, usage_of
from majordomus_reasoning.advisors.classify import Row, Table, codes_in, http_code
from majordomus_reasoning.advisors.contract import Answer, Asking, ProcessResult, Steps
from majordomus_reasoning.advisors.failures import failure

FAILURES: Table = (
    Row("quota_exhausted", code=r"enforced_spend_limit_reached|billing_error"),
    Row("quota_exhausted", says=r"credit balance is too low|spend(?:ing)? limit"),
    Row("no_credential", says=r"not logged in|please run /login|no api key"),
    Row("credential_refused", says=r"invalid (?:api|x-api) ?-?key|oauth token|token (?:has )?exp"),
    Row("rate_limit", says=r"\b(?:session|usage|weekly|opus|5-hour) limit\b|limit reached"),
    Row("truncated", says=r"exceeded the .{0,20}output token maximum"),
    Row("truncated", code=r"error_max_(?:turns|budget_usd|structured_output_retries)"),
    Row("context_length", says=r"prompt is too long|exceed(?:s|ed)? the context"),
    Row("region", says=r"not available in your (?:country|region)|unsupported (?:country|region)"),
    Row("html_page", says=r"empty or malformed response|proxy or gateway intercepting"),
    Row("model_not_found", says=r"issue with the selected model|model .{0,80}not (?:found|exist)"),
    Row("refused", says=r"unable to respond to this request|violat\w+ our usage policy"),
    Row("overloaded", says=r"\boverloaded\b"),
)
ENVIRONMENT = {
    "CLAUDE_CODE_MAX_RETRIES": "0",  # or its retries would outlast the deadline and hide the cause
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}
_TOOLS = "Read,Grep,Glob"


def ask(asking: Asking) -> Steps:
    """Ask through `claude -p`; the model is the client's own unless one is declared."""
    arguments = (
        *("-p", "--output-format", "json", "--tools", _TOOLS, "--strict-mcp-config"),
        *("--setting-sources", "user", "--no-session-persistence", "--disable-slash-commands"),
        *(("--model", asking.model) if asking.model else ()),
        *("--", inert(asking.question)),
    )
    return read((yield from start(asking, arguments, ENVIRONMENT)), asking.executable)


def read(result: ProcessResult, client: str | None = None) -> Answer:
    """The answer that the client prints; AdvisorFailure where it tells a failure, or nothing."""
    printed = objects_printed(result.stdout)
    told = [each for each in printed if each.get("type") == "result"]
    went_well = result.exit_code == 0 or result.timed_out
    if not told:
        if went_well and not result.timed_out and result.stdout.strip():
            return Answer(result.stdout, client=client, client_version=result.version)
        raise failure_of(result, f"{result.stderr}\n{result.stdout}", FAILURES)
    envelope = told[-1]
    subtype = text(envelope.get("subtype"))
    if envelope.get("is_error") or subtype.startswith("error") or not went_well:
        raise failure_of(
            result,
            text(envelope.get("result")),
            FAILURES,
            codes=_codes(envelope),
            http=http_code(envelope.get("api_error_status")),
        )
    stop = text(envelope.get("stop_reason"))
    if stop == "refusal":
        raise failure("refused")
    structured = envelope.get("structured_output")
    return Answer(
        text=json.dumps(structured) if structured else text(envelope.get("result")),
        cut=stop in {"max_tokens", "model_context_window_exceeded"},
        usage=usage_of(envelope.get("usage"), "input_tokens", "output_tokens"),
        client=client,
        client_version=result.version,
    )


def _codes(envelope: dict[str, Any]) -> frozenset[str]:
    names = ("api_error_type", "api_error_code", "subtype", "terminal_reason")
    told = frozenset(text(envelope.get(name))[:200] for name in names)
    return told - {""} | codes_in(envelope.get("api_error"))
