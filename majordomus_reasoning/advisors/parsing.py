"""JSON in text: every object that stands in it is found, and read strictly.

Text around an object is prose and is not read. What is repaired, since it has one meaning only:
trailing commas, Python's spelling of a dictionary, raw line breaks in strings. What is never
repaired: an object that does not close, a key that is there twice, NaN and infinities.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from majordomus_reasoning.advisors.failures import AdvisorFailure, failure

DEEPEST = 100
MOST_VALUES = 1_000
LONGEST_NUMBER = 400

# A bracket opens a value where what follows it can stand in one; any other bracket is prose.
_OPENING = re.compile(r"""\{(?=\s*["'\u201c\u201d\u2018\u2019}])|\[(?=\s*[\[{"'\]0-9-])""")
_STRINGS = r""""[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'"""
_TOKEN = re.compile(rf"""{_STRINGS}|[\[\]{{}}"']""", re.DOTALL)
_REPAIRABLE = re.compile(rf"""{_STRINGS}|,(?=\s*[\]}}])|\b(?:True|False|None)\b""", re.DOTALL)
_ESCAPED = re.compile(
    r"""\\x(?P<short>[0-9A-Fa-f]{2})|\\U(?P<long>[0-9A-Fa-f]{8})|\\.|\"""", re.DOTALL
)
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
_CLOSES = {"{": "}", "[": "]"}
# A text that holds one of these says something about the answer, whatever stands beside it.
_DECISIVE = frozenset({"duplicate_key", "bad_constant", "bad_number"})


class Found(NamedTuple):
    """The objects and lists of a text in order, and whether some brackets held no JSON."""

    values: tuple[Any, ...]
    broken: bool


def find_values(text: str, *, repair: bool = True) -> Found:
    """The JSON objects and lists that stand in a text, outermost ones, in order.

    Raises AdvisorFailure: `truncated` where one never closes, `bad_json` where brackets do not pair
    up, `too_deep`, `ambiguous` where there
    are more than a thousand, and `duplicate_key`, `bad_constant` or `bad_number` for what is valid
    JSON and yet not accepted. The time grows with the length of the text.

    >>> find_values('Well: {"a": 1,} and {x}').values
    ({'a': 1},)
    """
    values = []
    broken = False
    for start, end in value_spans(text):
        try:
            values.append(_read(text[start:end], repair=repair))
        except AdvisorFailure as refused:
            if refused.reason in _DECISIVE:
                raise
            broken = True
    return Found(tuple(values), broken or (not values and "{" in text))


def value_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each outermost object or list of a text begins and ends, broken ones among them.

    Raises AdvisorFailure as `find_values` does.
    """
    place = 0
    for _ in range(MOST_VALUES):
        opening = _OPENING.search(text, place)
        if opening is None:
            return
        place = _end_of(text, opening.start())
        yield opening.start(), place
    if _OPENING.search(text, place):
        raise failure("ambiguous")


def _end_of(text: str, start: int) -> int:
    """Where the value that opens at `start` ends."""
    awaited: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark in _CLOSES:
            awaited.append(_CLOSES[mark])
            if len(awaited) > DEEPEST:
                raise failure("too_deep")
        elif mark in {"]", "}"}:
            if mark != awaited.pop():
                raise failure("bad_json")
            if not awaited:
                return token.end()
        elif len(mark) == 1:  # a quotation mark whose partner is missing
            break
    raise failure("truncated")


def _read(extent: str, *, repair: bool) -> Any:
    try:
        return strict_json(extent)
    except AdvisorFailure as refused:
        if not repair or refused.reason != "bad_json":
            raise
    return strict_json(_REPAIRABLE.sub(_repaired, extent), raw_line_breaks=True)


def _repaired(token: re.Match[str]) -> str:
    mark = token.group()
    if mark == ",":
        return ""
    if mark in _PYTHON_WORDS:
        return _PYTHON_WORDS[mark]
    return f'"{_ESCAPED.sub(_escape, mark[1:-1])}"'


def _escape(escaped: re.Match[str]) -> str:
    """An escape of Python as JSON spells it; one that neither knows stays, and is refused."""
    mark = escaped.group()
    if mark == "\\'":
        return "'"
    digits = escaped["short"] or escaped["long"]
    if digits:
        return json.dumps(chr(min(int(digits, 16), sys.maxunicode)))[1:-1]
    return '\\"' if mark == '"' else mark


def strict_json(text: str, *, raw_line_breaks: bool = False) -> Any:
    """The value of a JSON text; AdvisorFailure with the reason where it is refused.

    >>> strict_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    try:
        return json.loads(
            text,
            strict=not raw_line_breaks,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except RecursionError:
        raise failure("too_deep") from None
    except ValueError:
        raise failure("bad_json") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise failure("duplicate_key")
    return found


def _refuse_constant(_word: str) -> NoReturn:
    raise failure("bad_constant")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise failure("bad_constant")
    return number


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise failure("bad_number")
    return int(digits)
