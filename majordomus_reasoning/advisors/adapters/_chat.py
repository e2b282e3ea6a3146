"""The chat completions dialect, which many servers speak: what its replies mean."""

from __future__ import annotations

from typing import Any

from majordomus_reasoning.advisors.adapters._http import (
    failure_of,
    name_of,
    object_of,
    objects,
    text,
    usage_of,
)
from majordomus_reasoning.advisors.classify import Row, Table
from majordomus_reasoning.advisors.contract import Answer, Asking, HttpResponse
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.normalise import normalise
from majordomus_reasoning.advisors.parsing import strict_json
from majordomus_reasoning.core.words import is_blank

FAILURES: Table = (
    Row("region", code=r"unsupported_country_region_territory"),
    Row("quota_exhausted", code=r"insufficient_quota|credit_balance_exhausted"),
    Row("quota_exhausted", code=r"(?:organization|project)_(?:spend|usage)_limit_exceeded"),
    Row("quota_exhausted", code=r"billing_(?:hard_limit_reached|not_active|error)"),
    Row("bad_endpoint", says=r"unexpected endpoint or method"),
    Row("context_length", http=(400, 413, 422), code=r"context_length_exceeded|string_above_max.*"),
    Row("context_length", http=(400, 413, 422), says=r"maximum context length|context window"),
    Row("credential_refused", http=(400, 401, 403), code=r"invalid_api_key|account_deactivated"),
    Row("model_not_found", http=(400, 403, 404), code=r"model_not_found"),
    Row("model_not_found", http=(400, 404), says=r"no models? (?:is )?loaded|failed to load model"),
    Row("filtered", http=(400,), code=r"content_filter|content_policy_violation"),
)
_CALLS = frozenset({"tool_calls", "function_call"})
_TEXT_PARTS = frozenset({"text", "output_text"})
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")


def request_body(asking: Asking, model: str, response_format: dict[str, Any]) -> dict[str, Any]:
    """A request for one JSON object; what newer models refuse is not in it unless asked for."""
    return {
        "model": model,
        "messages": [{"role": "user", "content": asking.question}],
        "response_format": response_format,
        **asking.parameters,
    }


def read(response: HttpResponse, table: Table = FAILURES) -> Answer:
    """The answer of a chat completion; AdvisorFailure where there is none."""
    body = object_of(response, table)
    choices = objects(body.get("choices"))
    choice = choices[0] if choices else {}
    if choice.get("error"):
        raise failure_of(response, choice, table, otherwise="unclassified")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise failure("no_choices")
    finish = text(choice.get("finish_reason"))
    _refuse_no_answer(message, finish)
    return Answer(
        text=_said(message),
        cut=finish == "length",
        usage=usage_of(body.get("usage"), "prompt_tokens", "completion_tokens"),
        model=name_of(body.get("model")),
    )


def _refuse_no_answer(message: dict[str, Any], finish: str) -> None:
    parts = {text(part.get("type")) for part in objects(message.get("content"))}
    if text(message.get("refusal")).strip() or "refusal" in parts:
        raise failure("refused")
    if finish == "content_filter":
        raise failure("filtered")
    if message.get("tool_calls") or message.get("function_call") or finish in _CALLS:
        raise failure("tool_call")


def _said(message: dict[str, Any]) -> str:
    """The text of a message; what a model only thought is none, unless it is the whole answer."""
    content = message.get("content")
    parts = objects(content)
    said = text(content) or "".join(
        text(part.get("text")) for part in parts if text(part.get("type")) in _TEXT_PARTS
    )
    if not is_blank(said):
        return said
    thought = text(message.get("reasoning_content"))
    if _is_whole_answer(thought):
        return thought
    if any(not is_blank(text(message.get(key))) for key in _THOUGHTS) or parts:
        raise failure("thinking_only")
    raise failure("no_text")


def _is_whole_answer(thought: str) -> bool:
    try:
        normalise(thought)
        return isinstance(strict_json(thought.strip()), dict)
    except AdvisorFailure:
        return False
