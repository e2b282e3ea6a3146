"""The form of an answer as a JSON schema, for the servers that hold a model to one."""

from __future__ import annotations

from typing import Any, get_args

from majordomus_reasoning.core.words import Confidence, Stance

_TEXTS = {"type": "array", "items": {"type": "string"}}
_PROPERTIES: dict[str, Any] = {
    "conclusion": {"type": "string"},
    "stance": {"type": "string", "enum": list(get_args(Stance))},
    "assumptions": _TEXTS,
    "risks": _TEXTS,
    "actions": _TEXTS,
    "falsifiers": _TEXTS,
    "confidence": {"type": "string", "enum": list(get_args(Confidence))},
}
ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": _PROPERTIES,
    "required": list(_PROPERTIES),
    "additionalProperties": False,
}
