"""`gemini-generate`: the generateContent method of the Gemini API."""

from __future__ import annotations

import re

from majordomus_reasoning.advisors.adapters._http import (
    base_address,
    credential_of,
    dictionary,
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

ADDRESS = "https://generativelanguage.googleapis.com"

FAILURES: Table = (
    Row("credential_refused", code=r"API_KEY_INVALID|API_KEY_EXPIRED|ACCESS_TOKEN_EXPIRED"),
    Row("credential_refused", http=(400,), says=r"api key (?:not valid|not found|expired)"),
    Row("permission", code=r"API_KEY_SERVICE_BLOCKED|SERVICE_DISABLED|API_KEY_HTTP_REFERRER_.*"),
    Row("quota_exhausted", code=r"BILLING_DISABLED"),
    Row("quota_exhausted", http=(429,), code=r".*PerDay.*"),
    Row("quota_exhausted", http=(429,), says=r"\blimit: 0\b(?!\.)"),
    Row("region", http=(400, 403), says=r"\b(?:location|country|region) is not supported"),
    Row("region", http=(400, 403), says=r"not available in your (?:country|region)"),
    Row("quota_exhausted", code=r"FAILED_PRECONDITION", says=r"\bbilling\b"),
    Row("context_length", http=(400,), says=r"input token count|exceeds the maximum number of tok"),
)
_CUT = frozenset({"MAX_TOKENS"})
_FILTERS = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "MODEL_ARMOR",
    }
)
_CALLS = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})


def ask(asking: Asking) -> Steps:
    """Ask a model through `POST <base>/v1beta/models/<model>:generateContent`."""
    body = {
        "contents": [{"role": "user", "parts": [{"text": asking.question}]}],
        "generationConfig": {"responseMimeType": "application/json"},
        **asking.parameters,
    }
    model = model_of(asking).removeprefix("models/")
    if not re.fullmatch(r"[\w.@-]{1,200}", model, re.ASCII):  # it becomes a part of the address
        raise failure("config")
    base = base_address(asking, "GOOGLE_GEMINI_BASE_URL", ADDRESS)
    credential = credential_of(asking, "x-goog-api-key")
    url = f"{base}/v1beta/models/{model}:generateContent"
    return read((yield from post(url, body, credential)))


def read(response: HttpResponse) -> Answer:
    """The answer of the first candidate; AdvisorFailure where there is none."""
    body = object_of(response, FAILURES)
    candidates = objects(body.get("candidates"))
    if not candidates:
        blocked = dictionary(body.get("promptFeedback")).get("blockReason")
        raise failure("filtered" if blocked else "no_choices")
    finish = text(candidates[0].get("finishReason"))
    parts = objects(dictionary(candidates[0].get("content")).get("parts"))
    if finish in _FILTERS:
        raise failure("filtered")
    if finish in _CALLS or any("functionCall" in part for part in parts):
        raise failure("tool_call")
    said = "".join(text(part.get("text")) for part in parts if not part.get("thought"))
    if is_blank(said) and any(part.get("thought") for part in parts):
        raise failure("thinking_only")
    return Answer(
        text=said,
        cut=finish in _CUT,
        usage=usage_of(body.get("usageMetadata"), "promptTokenCount", "candidatesTokenCount"),
        model=name_of(body.get("modelVersion")),
    )
