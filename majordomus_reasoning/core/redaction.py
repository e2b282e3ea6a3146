"""Cleaning of text before it is judged or stored: terminal escapes go, secrets are replaced.

A secret becomes `[redacted:<shape>]`. The narrower shape wins, since it is tried first. Every
pattern has a bounded or anchored start, so that the time of cleaning grows with the length of the
text and not with its square.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

LONGEST_SHOWN = 80

# A string ends where another begins: else each of many would be looked through to the very end.
_STRING_START = r"(?:(?<=\x1b)[\]PX^_]|(?<=[\x90\x98\x9d-\x9f]))"
_STRING_ESCAPE = rf"{_STRING_START}[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"
_CONTROL_SEQUENCE = r"(?:(?<=\x1b)\[|(?<=\x9b))[0-?]*[ -/]*[@-~]"
_OTHER_ESCAPE = r"(?<=\x1b)[ -/]*[0-~]"
_CONTROL_CHARACTER = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
# All begin with a control character, said once and first: text without one is passed over fast.
_CONTROLS = re.compile(
    rf"{_CONTROL_CHARACTER}(?:{_STRING_ESCAPE}|{_CONTROL_SEQUENCE}|{_OTHER_ESCAPE}|)"
)
_SURROGATE = re.compile("[\ud800-\udfff]")

_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"  # or after an escaped character
_SPACE = r"\s{0,8}"
_QUOTE = r"""(?:\\{0,2}["'])"""  # escaped where the text was quoted itself
_REDACTED = r"\[redacted:[a-z-]{3,20}\]"

# What is assigned: the name says that it is a secret, whatever is added to it, as in `apiKey_2`,
# `tokenValue`, `PASSWORD_FOR_ALL`; it may be quoted, an index, or have a type, as in
# `config["password"] = "…"`, `token: str = "…"`. The error of Python with such a name is none.
_ADDED = r"[-_.][A-Za-z0-9]{1,24}+|(?-i:(?<=[a-z])(?!Error|Exception)[A-Z][A-Za-z0-9]{0,24}+)"
_NAME_OF_SECRET = rf"(?:key|token|secret|password|passwd)s?(?:{_ADDED}){{0,8}}+\d{{0,4}}+"
_TYPE = r"&?(?:'\w{1,20}\s)?[A-Za-z_][\w.]{0,40}+(?:[<\[][\w., |]{0,40}[>\]])?(?:\s?\|\s?\w{1,20})?"
_TYPED = rf":{_SPACE}{_TYPE}{_SPACE}(?=={_SPACE}[bfru]{{0,2}}[\"'])"
_ASSIGNS = rf"(?:{_QUOTE}\]?)?{_SPACE}(?:{_TYPED})?(?::=|=>|[=:]){_SPACE}"
_ASSIGNED = rf"{_ASSIGNS}{_QUOTE}?"
# Before the value: the prefix of a string, a list that begins, a block of YAML, three quotes.
_OPENS = rf"(?:(?:[bfru]{{1,2}}|\$|[\[(]{_SPACE})(?=\\{{0,2}}[\"'])|[|>][-+]?\s{{1,8}})?"
_OPENED = rf"{_ASSIGNS}{_OPENS}(?:\"{{3}}|'{{3}}|{_QUOTE})?"

# A path, a digest that names its algorithm and an earlier redaction are no secrets. The words of a
# path hold digits in one place at most, or hexadecimal digits alone.
_WORD = r"(?:[a-z]++(?:\d++[a-z]*+)?|\d++[a-z]*+)"
_SEGMENT = rf"(?>[0-9a-f]++(?![\w.-])|[A-Z]?[_.-]*+{_WORD}(?:[_.-]++{_WORD})*+[_.-]*+)"
_PATH = rf"(?-i:(?:~|\.{{1,2}})?/?{_SEGMENT}(?:/{_SEGMENT})++/?(?::\d+)?(?![^\s\"',;)]))"
_NO_SECRET = rf"(?!sha\d{{1,3}}[:-]|{_PATH})"
# What follows a redaction at once is a secret too, but not what is set off from it.
_AFTER_REDACTED = rf"(?:(?:{_REDACTED}){{1,4}}+(?![&,;|)\]}}>]))?+(?!{_REDACTED})"


class Shape(NamedTuple):
    """A secret's shape; the pattern's group `secret` is what is replaced."""

    name: str
    pattern: re.Pattern[str]


def _shape(name: str, secret: str, before: str = _START, after: str = "") -> Shape:
    return Shape(name, re.compile(f"{before}(?P<secret>{secret}){after}"))


SHAPES: Final = (
    _shape(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)"
        r"(?:-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|\Z)",
        before="",
    ),
    _shape("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{16,}"),
    _shape("stripe-key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _shape("openai-key", r"sk-(?:proj-|svcacct-)?+[A-Za-z0-9_-]{20,}"),
    _shape("github-token", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    _shape("github-pat", r"github_pat_[A-Za-z0-9_]{20,}"),
    _shape("aws-access-key-id", r"A(?:KIA|SIA)[A-Z0-9]{16,}"),
    _shape("google-api-key", r"AIza[A-Za-z0-9_-]{35,}"),
    _shape("slack-token", r"xox[abprs]-[A-Za-z0-9-]{10,}"),
    _shape(
        "jwt",
        r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
        before=r"(?<![A-Za-z0-9_-])",
    ),
    _shape("bearer-token", r"[A-Za-z0-9._~+/=-]{20,}", before=r"(?i:\bbearer(?:\s{1,8}|%20))"),
    _shape(
        "basic-auth",
        r"(?!\[redacted:)[^\s/]{1,512}",  # up to the last @: it may hold one itself
        before=r"://[^\s/:@]{0,256}:",
        after="@",
    ),
    _shape(
        "basic-auth",
        r"[A-Za-z0-9+/=]{8,}",
        before=rf"(?i:\bauthorization{_ASSIGNED}basic\s{{1,8}})",
    ),
    _shape(
        "aws-secret-key",
        r"[A-Za-z0-9/+=]{40,}",
        before=rf"(?i:aws_?-?secret_?-?(?:access_?-?)?key{_ASSIGNED})",
    ),
    _shape(
        "assignment",
        r"""[^\s"']{15,}[^\s"'\\]""",
        before=rf"(?i:{_NAME_OF_SECRET}{_OPENED}){_AFTER_REDACTED}{_NO_SECRET}",
    ),
)


SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)
_MARK = re.compile(r"\[redacted:([a-z-]{3,20})\]")


def clean_text(text: str) -> tuple[str, frozenset[str]]:
    r"""The text without terminal escapes and secrets, and the names of the shapes removed.

    Newline and tab stay; a lone surrogate becomes U+FFFD. Cleaning twice changes nothing.

    >>> clean_text("\x1b[31mred\x1b[0m: password=" + "a1B2" * 5)
    ('red: password=[redacted:assignment]', frozenset({'assignment'}))
    """
    text = strip_controls(text)
    found: set[str] = set()
    while True:
        before = text
        for name, pattern in SHAPES:
            text, count = pattern.subn(partial(_mask, name=name), text)
            if count:
                found.add(name)
        if text == before:
            return text, frozenset(found)


def shown(word: object, longest: int = LONGEST_SHOWN) -> str:
    """Somebody's word as a message may show it: cleaned, on one line, cut with an ellipsis.

    It is cleaned before it is cut, since half a secret has no shape to be known by.

    >>> shown("a\\n b"), shown("password=" + "a1B2" * 5), len(shown("x" * 200))
    ('a b', 'password=[redacted:assignment]', 80)
    """
    line = " ".join(clean_text(str(word))[0].split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def mask_private_keys(text: str) -> str:
    """The text with each line of a private key masked, for whoever reads a file line by line.

    >>> mask_private_keys("a")
    'a'
    """
    key = SHAPES[0]

    def masked(match: re.Match[str]) -> str:
        return "\n".join(f"[redacted:{key.name}]" for _ in match.group().split("\n"))

    return key.pattern.sub(masked, text)


def shapes_marked(text: str) -> frozenset[str]:
    """The shapes that were taken out of a text before it came here, by the marks in their place.

    >>> shapes_marked("the key is [redacted:jwt], not [redacted:nothing]")
    frozenset({'jwt'})
    """
    if "[redacted:" not in text:
        return frozenset()
    return SHAPE_NAMES.intersection(_MARK.findall(text))


def strip_controls(text: str) -> str:
    r"""The text without terminal escapes and control characters other than newline and tab.

    >>> strip_controls("a\x00b\x1b]0;title\x07c\r\nd")
    'abc\nd'
    """
    return _CONTROLS.sub("", _SURROGATE.sub("\ufffd", text))


def _mask(match: re.Match[str], name: str) -> str:
    start, end = (place - match.start() for place in match.span("secret"))
    whole = match.group()
    return f"{whole[:start]}[redacted:{name}]{whole[end:]}"


def clean(value: Any) -> tuple[Any, frozenset[str]]:
    """A JSON value with every text in it cleaned, keys left alone, and the shapes removed.

    >>> clean({"subject": "ok", "facts": ["\x07bell"]})
    ({'subject': 'ok', 'facts': ['bell']}, frozenset())
    """
    if isinstance(value, str):
        return clean_text(value)
    found: set[str] = set()

    def cleaned(item: Any) -> Any:
        result, shapes = clean(item)
        found.update(shapes)
        return result

    if isinstance(value, Mapping):
        value = {key: cleaned(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        value = [cleaned(item) for item in value]
    return value, frozenset(found)
