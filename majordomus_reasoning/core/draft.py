"""The shape of an input: cleaned, bounded, every field known, nothing required left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, get_args, get_origin

from pydantic import ValidationError

from majordomus_reasoning.core.records import (
    BODIES,
    INPUTS,
    KINDS,
    Input,
    Part,
    Record,
    texts_of,
)
from majordomus_reasoning.core.redaction import clean, shapes_marked, shown
from majordomus_reasoning.core.words import is_blank
from majordomus_reasoning.errors import Refusal

LONGEST_TEXT = 65_536
LARGEST_BODY = 1_048_576
DEEPEST_BODY = 8

# What only the writer says: the envelope, and what it computes for a body.
COMPUTED_FIELDS = frozenset(
    [field.alias or name for name, field in Record.model_fields.items()]
    + [
        name
        for kind in KINDS
        for name in BODIES[kind].model_fields.keys() - INPUTS[kind].model_fields
    ]
)


class Draft(NamedTuple):
    """A cleaned input of the right shape, and the secret shapes that cleaning removed."""

    body: Input
    redacted: frozenset[str]


def draft(given: Mapping[str, Any]) -> Draft:
    """The input, cleaned and of its kind's shape; Refusal where it has not that shape.

    >>> draft({"kind": "assessment", "subject": "lock scope"}).body.subject
    'lock scope'
    """
    _within_bounds(given)
    value, redacted = clean(given)
    # An advisor's answer is cleaned before it is bounded: what was taken out then counts too.
    redacted = redacted.union(*map(shapes_marked, texts_of(value)))
    model = INPUTS[_kind(value)]
    for name in value:
        if name not in model.model_fields:
            _unknown(str(name))
    body = _shaped(model, _without_empty(model, value))
    for field in body.unknown_fields():
        _unknown(field)
    for field in _blanks(body):
        raise Refusal("blank_field", f"{field} is blank: say it in words.", field)
    return Draft(body, redacted)


def read_json(data: bytes) -> Any:
    """The JSON value that an input's bytes hold; Refusal where they hold none, or an unclear one.

    A key that stands twice in one object, NaN and infinities are refused: readers differ on them.

    >>> read_json(b'{"kind": "plan"}')
    {'kind': 'plan'}
    """
    if len(data) > LARGEST_BODY:
        raise Refusal("invalid_value", f"the input is over {LARGEST_BODY} bytes: shorten it.")
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        message = f"the input is not UTF-8 at byte {error.start}: encode it as UTF-8."
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        message = f"the input is no JSON at {place}: {error.msg[:1].lower()}{error.msg[1:]}."
    except RecursionError:
        message = "the input nests too deeply: a record is an object of texts and lists."
    except ValueError:
        message = "the input holds a number that is too long: write it shorter."
    raise Refusal("invalid_value", message)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, item in pairs:
        if name in value:
            field = shown(name)
            raise Refusal("invalid_value", f"{field} stands twice in one object: keep one.", field)
        value[name] = item
    return value


def _no_constant(word: str) -> NoReturn:
    raise Refusal("invalid_value", f"{word} is no JSON number: leave it out.")


def _within_bounds(given: Mapping[str, Any]) -> None:
    if not isinstance(given, Mapping):
        raise Refusal("invalid_value", "a record is a JSON object with a field kind.")
    if _is_deeper(given, DEEPEST_BODY):
        raise Refusal("invalid_value", f"the record nests deeper than {DEEPEST_BODY} levels.")
    size = 0
    for field, text in _texts(given):
        size += len(text)
        if len(text) > LONGEST_TEXT:
            name = shown(field)
            message = f"{name} has {len(text)} characters: {LONGEST_TEXT} is the most."
            raise Refusal("invalid_value", message, name)
    if size > LARGEST_BODY:
        raise Refusal("invalid_value", f"the record holds more than {LARGEST_BODY} characters.")


def _is_deeper(value: object, levels: int) -> bool:
    """Whether a value nests deeper; the first place is enough, since a list may hold itself."""
    if not levels:
        return True
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list | tuple) and any(_is_deeper(item, levels - 1) for item in value)


def _texts(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _texts(item, f"{field}.{name}" if field else str(name))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _texts(item, f"{field}[{place}]")


def _kind(value: Mapping[str, Any]) -> str:
    if "kind" not in value:
        raise Refusal("missing_field", f"kind is missing: one of {', '.join(KINDS)}.", "kind")
    kind = value["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refusal("invalid_value", f"kind is none of {', '.join(KINDS)}.", "kind")
    return kind


def _unknown(field: str) -> NoReturn:
    name = shown(field)
    if field in COMPUTED_FIELDS:
        message = f"{name} is only the writer's to say: leave it out."
        raise Refusal("computed_field", message, name)
    raise Refusal("unknown_field", f"{name} is no field of this record: leave it out.", name)


def _without_empty(model: type[Part], value: Mapping[str, Any]) -> dict[str, Any]:
    """The value without its optional fields that are empty; they are omitted when written."""
    kept: dict[str, Any] = {}
    for name, item in value.items():
        field = model.model_fields.get(name)
        inner = _part_in(field.annotation) if field else None
        if inner and isinstance(item, Mapping):
            item = _without_empty(inner, item)
        elif inner and isinstance(item, list):
            item = [_without_empty(inner, i) if isinstance(i, Mapping) else i for i in item]
        if field is None or field.is_required() or not _is_empty(item, field.annotation):
            kept[name] = item
    return kept


def _is_empty(value: object, annotation: object) -> bool:
    """Whether a value is nothing, or the empty one of its field's own type."""
    if isinstance(value, str):
        return str in get_args(annotation) and not _is_list(annotation) and is_blank(value)
    if isinstance(value, list):
        return not value and _is_list(annotation)
    return value is None or (
        value == {} and not _is_list(annotation) and bool(_part_in(annotation))
    )


def _is_list(annotation: object) -> bool:
    return get_origin(annotation) is tuple


def _part_in(annotation: object) -> type[Part] | None:
    """The kind of part that a field holds, alone, optionally or in a tuple; None for words."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return annotation
    return next(filter(None, map(_part_in, get_args(annotation))), None)


def _shaped(model: type[Input], value: Mapping[str, Any]) -> Input:
    stated = {
        name: field.default
        for name, field in model.model_fields.items()
        if not field.is_required() and field.default not in (None, ())
    }
    try:
        # Through JSON: strict types there take a list for a tuple, and nothing else for anything.
        text = json.dumps({**stated, **value}, ensure_ascii=False)
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = _path(first["loc"]) or "the record"
        if first["type"] == "missing":
            raise Refusal("missing_field", f"{field} is missing: say it.", field) from None
        expected = first["msg"][:1].lower() + first["msg"][1:].replace("valid array", "list")
        raise Refusal("invalid_value", f"{field} is not valid: {expected}.", field) from None
    except (TypeError, ValueError):
        raise Refusal("invalid_value", "the record holds a value that is no JSON.") from None


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _blanks(part: Part) -> Iterator[str]:
    for name in type(part).model_fields:
        value = getattr(part, name)
        items = value if isinstance(value, tuple) else (value,)
        for place, item in enumerate(items):
            field = f"{name}[{place}]" if isinstance(value, tuple) else name
            if isinstance(item, str) and is_blank(item):
                yield field
            elif isinstance(item, Part):
                yield from (f"{field}.{inner}" for inner in _blanks(item))
