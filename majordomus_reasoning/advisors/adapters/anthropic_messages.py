"""`anthropic-messages`: the Messages API of Anthropic."""

from __future__ import annotations

from typing import Any

from majordomus_reasoning.advisors.adapters._http import (
    base_address,
    credential_of,
    model_of,
    name_of,
    object_of,
    objects,
    post,
    text,
    usage_of,
)
from majordomus_reasoning.advisors.classify import Row, Table
from majordomus_reasoning.advisors.contract import Answer, Asking, HttpResponse, Steps
from majordomus_reasoning.advisors.failures import failure
from majordomus_reasoning.core.words import is_blank

ADDRESS = "https://api.anthropic.com"
VERSION = "2023-06-01"
MOST_TOKENS = 4_096  # the API requires a bound; an answer of ours is far shorter

FAILURES: Table = (
    Row("quota_exhausted", code=r"enforced_spend_limit_reached|billing_error"),
    Row("quota_exhausted", http=(400, 403), says=r"credit balance is too low"),
    Row("context_length", http=(400, 413), says=r"prompt is too long|exceed context limit"),
    Row("context_length", code=r"request_too_large"),
    Row("region", http=(400, 403), says=r"not available in your (?:country|region)|unsupported re"),
    Row("overloaded", code=r"overloaded_error"),
)
_CUT = frozenset({"max_tokens", "model_context_window_exceeded", "pause_turn"})


def ask(asking: Asking) -> Steps:
    """Ask a model through `POST <base>/v1/messages`."""
    body = {
        "model": model_of(asking),
        "max_tokens": MOST_TOKENS,
        "messages": [{"role": "user", "content": asking.question}],
        **asking.parameters,
    }
    base = base_address(asking, "ANTHROPIC_BASE_URL", ADDRESS).removesuffix("/v1")
    credential = credential_of(asking, "x-api-key")
    return read(
        (yield from post(f"{base}/v1/messages", body, credential, anthropic_version=VERSION))
    )


def read(response: HttpResponse) -> Answer:
    """The answer of a message; AdvisorFailure where there is none."""
    body = object_of(response, FAILURES)
    if not isinstance(body.get("content"), list):
        raise failure("no_choices")
    blocks = objects(body["content"])
    stop = text(body.get("stop_reason"))
    if stop == "refusal":
        raise failure("refused")
    if stop == "tool_use" or _any_of(blocks, "tool_use"):
        raise failure("tool_call")
    said = "".join(text(block.get("text")) for block in blocks if block.get("type") == "text")
    if is_blank(said) and (_any_of(blocks, "thinking") or _any_of(blocks, "redacted_thinking")):
        raise failure("thinking_only")
    return Answer(
        text=said,
        cut=stop in _CUT,
        usage=usage_of(body.get("usage"), "input_tokens", "output_tokens"),
        model=name_of(body.get("model")),
    )


def _any_of(blocks: list[dict[str, Any]], kind: str) -> bool:
    return any(block.get("type") == kind for block in blocks)
