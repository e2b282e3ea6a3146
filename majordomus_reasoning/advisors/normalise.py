"""What an advisor's text says, in the fields that are kept; everything else of it is dropped.

The answer is the one object whose `conclusion` is a text. An unknown stance is `inconclusive`,
never guessed into agreement; a missing conclusion is no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any, TypeVar, get_args

from majordomus_reasoning.advisors.contract import LARGEST_ANSWER
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.masking import masked
from majordomus_reasoning.advisors.parsing import find_values, strict_json, value_spans
from majordomus_reasoning.advisors.question import EXAMPLE
from majordomus_reasoning.core.redaction import clean_text, strip_controls
from majordomus_reasoning.core.words import Confidence, Stance, is_blank

LONGEST_CONCLUSION = 1_000
LONGEST_ITEM = 400
MOST_ITEMS = 50

_THOUGHT = re.compile(r"\s*<think(?:ing)?(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</think(?:ing)?\s{0,8}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?think(?:ing)?(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_FENCED = re.compile(r"```[\w-]{0,20}[ \t]{0,8}\n(?P<inside>.*?)\n?```", re.DOTALL)
_SEVERAL_WORDS = re.compile(r"\s*(?:\||/|,|\bor\b)\s*")
_PLACEHOLDER = re.compile(r"\s*<[^<>]*>\s*")
_STANCES: dict[str, Stance] = {word: word for word in get_args(Stance)}
_CONFIDENCES: dict[str, Confidence] = {word: word for word in get_args(Confidence)}
_EXAMPLE_CONCLUSION: str = json.loads(EXAMPLE)["conclusion"]
W = TypeVar("W")


@dataclass(frozen=True)
class Opinion:
    """The fields of an answer that are kept, cleaned and bounded."""

    conclusion: str
    stance: Stance
    assumptions: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    falsifiers: tuple[str, ...] = ()
    confidence: Confidence | None = None

    def plain(self) -> dict[str, Any]:
        """The fields as JSON holds them; an unknown confidence is left out."""
        plain: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                plain[field.name] = list(value) if isinstance(value, tuple) else value
        return plain

    def without(self, secrets: Iterable[str]) -> Opinion:
        """The opinion with each of the secrets taken out, should the advisor have quoted one."""
        known = frozenset(secrets)
        changes: dict[str, Any] = {
            name: _hidden(value, known)
            for name, value in vars(self).items()
            if name not in {"stance", "confidence"}
        }
        return replace(self, **changes)


def normalise(answer: str | bytes, *, cut: bool = False) -> Opinion:
    """The opinion that an answer states; AdvisorFailure with the reason where it states none.

    `cut` says that the server ended the answer early: then nothing of it is repaired.

    >>> normalise('Sure: {"conclusion": "keep it", "stance": "Supports"}').stance
    'supports'
    """
    if _is_too_large(answer):
        raise failure("too_large")
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    text = strip_controls(text).removeprefix("\ufeff")
    if is_blank(text):
        raise failure("no_text")
    try:
        return _without_thought(text, repair=not cut)
    except AdvisorFailure as refused:
        if cut and refused.status == "malformed":
            raise failure("truncated") from None
        raise


def _is_too_large(answer: str | bytes) -> bool:
    """Whether an answer has more bytes, of UTF-8 where it is a text, than are read."""
    if len(answer) > LARGEST_ANSWER or isinstance(answer, bytes):
        return len(answer) > LARGEST_ANSWER
    return len(answer.encode("utf-8", "surrogatepass")) > LARGEST_ANSWER


def _without_thought(text: str, *, repair: bool) -> Opinion:
    """The opinion after what the model only thought."""
    place = 0
    while thought := _THOUGHT.match(text, place):
        end = _THOUGHT_END.search(text, thought.end())
        if end is None:
            return _after_open_thought(text[thought.end() :], repair=repair)
        place = end.end()
    if place and is_blank(text[place:]):
        raise failure("thinking_only")
    return _opinion(text[place + _lone_end(text[place:]) :], repair=repair)


def _after_open_thought(text: str, *, repair: bool) -> Opinion:
    try:
        return _opinion(text, repair=repair)
    except AdvisorFailure:
        raise failure("thinking_only") from None


def _lone_end(text: str) -> int:
    """Where the last end of a thought stands that has no beginning; 0 where there is none.

    One within a value is a text of the answer, unless the thought left the brackets unpaired.
    """
    if not _THOUGHT_END.search(text):
        return 0
    try:
        spans = tuple(value_spans(text))
    except AdvisorFailure:
        spans = ()
    lone = depth = 0
    for tag in _ANY_TAG.finditer(_blanked(text, spans)):
        if not tag.group().startswith("</"):
            depth += 1
        elif depth:
            depth -= 1
        else:
            lone = tag.end()
    return lone


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with its values made blank, at the same places."""
    parts = []
    place = 0
    for start, end in spans:
        parts += [text[place:start], " " * (end - start)]
        place = end
    return "".join([*parts, text[place:]])


def _opinion(text: str, *, repair: bool) -> Opinion:
    """The one opinion that a text states, its values read."""
    text = _unwrapped(text)
    values, broken = find_values(text, repair=repair)
    objects = [value for value in values if isinstance(value, dict)]
    opinions = {_kept(each): None for each in objects if _is_answer(each)}
    if len(opinions) > 1:
        raise failure("ambiguous")
    for opinion in opinions:
        return opinion
    if objects:
        raise failure("missing_keys")
    if broken:
        raise failure("bad_json")
    raise failure("not_an_object" if values else "no_object")


def _unwrapped(text: str) -> str:
    """The text of a JSON string, where the whole is one, with or without a fence around it."""
    inner = text.strip()
    fenced = _FENCED.fullmatch(inner)
    inner = fenced["inside"].strip() if fenced else inner
    if not (len(inner) > 1 and inner[0] == inner[-1] == '"'):
        return text
    try:
        value = strict_json(inner, raw_line_breaks=True)
    except AdvisorFailure:
        return text
    return value if isinstance(value, str) else text


def _hidden(value: str | tuple[str, ...], secrets: frozenset[str]) -> str | tuple[str, ...]:
    if isinstance(value, tuple):
        return tuple(masked(each, secrets) for each in value)
    return masked(value, secrets)


def _is_answer(found: Mapping[str, Any]) -> bool:
    """Whether an object states a conclusion, and is not the echo of the question's example."""
    conclusion = found.get("conclusion")
    if not isinstance(conclusion, str) or is_blank(strip_controls(conclusion)):
        return False
    return not _is_echo(conclusion, found.get("stance"))


def _is_echo(conclusion: str, stance: object) -> bool:
    """Whether it is the example, filled in or not; `<main>` may well be what somebody concludes."""
    if _lists_alternatives(stance) or conclusion.strip() == _EXAMPLE_CONCLUSION:
        return True
    return bool(_PLACEHOLDER.fullmatch(conclusion)) and _word(stance, _STANCES) is None


def _lists_alternatives(stance: object) -> bool:
    if isinstance(stance, list):
        return len(stance) > 1
    if not isinstance(stance, str):
        return False
    words = _SEVERAL_WORDS.split(stance.strip(" <>[]()").lower()[:200])
    return len(words) > 1 and set(words) <= {*_STANCES, "..."}


def _kept(found: Mapping[str, Any]) -> Opinion:
    return Opinion(
        conclusion=_text(found["conclusion"], LONGEST_CONCLUSION),
        stance=_word(found.get("stance"), _STANCES) or "inconclusive",
        assumptions=_items(found.get("assumptions")),
        risks=_items(found.get("risks")),
        actions=_items(found.get("actions")),
        falsifiers=_items(found.get("falsifiers")),
        confidence=_word(found.get("confidence"), _CONFIDENCES),
    )


def _word(value: object, known: Mapping[str, W]) -> W | None:
    return known.get(value.strip().lower()) if isinstance(value, str) else None


def _items(value: object) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    texts = (_text(each, LONGEST_ITEM) for each in listed if isinstance(each, str))
    return tuple(islice((text for text in texts if not is_blank(text)), MOST_ITEMS))


def _text(value: str, longest: int) -> str:
    # Secrets go before the text is cut, since the half of one would pass for prose.
    return clean_text(value[: 16 * longest].strip())[0][:longest].strip()
