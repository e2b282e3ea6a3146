"""`openai-chat`: chat completions at OpenAI, or at any server that speaks the same dialect."""

from __future__ import annotations

from majordomus_reasoning.advisors.adapters._chat import read, request_body
from majordomus_reasoning.advisors.adapters._http import (
    base_address,
    credential_of,
    model_of,
    post,
)
from majordomus_reasoning.advisors.contract import Asking, Steps

ADDRESS = "https://api.openai.com/v1"


def ask(asking: Asking) -> Steps:
    """Ask a model through `POST <base>/chat/completions`."""
    body = request_body(asking, model_of(asking), {"type": "json_object"})
    base = base_address(asking, "OPENAI_BASE_URL", ADDRESS)
    credential = credential_of(asking, "Authorization", "Bearer ")
    return read((yield from post(f"{base}/chat/completions", body, credential)))
