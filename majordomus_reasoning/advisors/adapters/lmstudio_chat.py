"""`lmstudio-chat`: the chat completions of a local LM Studio, which wants a JSON schema."""

from __future__ import annotations

from typing import Any

from majordomus_reasoning.advisors.adapters._chat import FAILURES, read, request_body
from majordomus_reasoning.advisors.adapters._http import (
    base_address,
    get,
    name_of,
    object_of,
    objects,
    post,
)
from majordomus_reasoning.advisors.adapters._schema import ANSWER_SCHEMA
from majordomus_reasoning.advisors.contract import Asking, Steps, Yielding
from majordomus_reasoning.advisors.failures import failure

ADDRESS = "http://localhost:1234/v1"
RESPONSE_FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": "review", "strict": True, "schema": ANSWER_SCHEMA},
}


def ask(asking: Asking) -> Steps:
    """Ask the model that `LMSTUDIO_MODEL` names, else the first one that the server lists."""
    base = base_address(asking, "LMSTUDIO_BASE_URL", ADDRESS)
    base = base if base.endswith("/v1") else f"{base}/v1"
    model = asking.variable("LMSTUDIO_MODEL") or asking.model or (yield from _first_model(base))
    body = request_body(asking, model, RESPONSE_FORMAT)
    return read((yield from post(f"{base}/chat/completions", body)))


def _first_model(base: str) -> Yielding[str]:
    listed = object_of((yield from get(f"{base}/models")), FAILURES)
    names = [name_of(each.get("id")) for each in objects(listed.get("data"))]
    # A model that only embeds texts is listed too, and cannot answer.
    for name in names:
        if name and "embed" not in name.lower():
            return name
    raise failure("model_not_found")
