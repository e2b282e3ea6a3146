"""What documents claim: that a vote decided, or that an advisor is required.

A claim counts unless a negation before it in the same clause denies it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from majordomus_reasoning.pairs import read_notebook
from majordomus_reasoning.texts import Found, Source, files, read_all

DOCUMENT_ENDINGS = (
    *(".adoc", ".asciidoc", ".markdown", ".md", ".mdx", ".rst", ".txt"),
    *("changelog", "contributing", "readme"),  # without a suffix
)


def claims(root: Path, forbidden: Collection[str], advisors: Collection[str]) -> Iterator[Found]:
    """Documents that assert what no record could show, or that an advisor is required."""
    phrases = {_words(_plain(claim)): claim for claim in forbidden}
    phrases.pop("", None)
    tokens = _tokens(phrases, advisors)
    for source in _documents(root):
        if isinstance(source, Found):
            yield source
            continue
        plain = Source(source.name, _plain(source.text))
        for position, sentence in _sentences(plain.text):
            asserted = {phrases.get(each) for each in _asserted(tokens, _words(sentence))}
            place = f"{source.name}:{plain.line(position)}" if asserted else ""
            yield from (Found(place, _message(claim)) for claim in sorted(asserted, key=str))


def _message(claim: str | None) -> str:
    if claim is None:
        return "it says that an advisor is required: every one is optional"
    return f"it claims {claim!r}, which no record can show"


def _documents(root: Path) -> Iterator[Source | Found]:
    """The documents, and each Markdown cell of a notebook as one."""
    shown = files(root, root, *DOCUMENT_ENDINGS, everywhere=False)
    hidden = files(root, root / ".github", *DOCUMENT_ENDINGS, everywhere=True)
    yield from read_all(root, {*shown, *hidden})
    notebooks = files(root, root, ".ipynb", everywhere=False)
    for path in sorted(each for each in notebooks if isinstance(each, Path)):
        notebook = read_notebook(root, path)
        if isinstance(notebook, Found):
            continue  # which `notebooks` reports
        for number, (kind, text) in enumerate(notebook.cells, start=1):
            if kind == "markdown":
                yield Source(f"{notebook.name}, cell {number}", text)


# None takes a line end away, so that a position keeps its line.
_MARKUP = (
    (re.compile(r"^[^\S\n]*(?:>[^\S\n]?)+", re.MULTILINE), ""),  # a quotation
    (re.compile(r"^[-=~^]{3,}[^\S\n]*$", re.MULTILINE), ""),  # the line below a heading
    (re.compile(r"^([#=]{1,6}[^\S\n].*)$", re.MULTILINE), r"\1."),  # a heading: it ends here
    (re.compile(r"</?[a-zA-Z][^<>\n]*>"), " "),
    (re.compile(r"\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|!?\[|\]"), ""),  # a link or an image
    (re.compile(r":[a-z]+:(?=`)|[`~\"\u201c\u201d]"), ""),  # a role, a literal, a quoted word
    (re.compile(r"\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+|_+(?!\w)"), ""),  # emphasis, but no bullet
)


def _plain(text: str) -> str:
    for markup, instead in _MARKUP:
        text = markup.sub(instead, text)
    return text


_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*\n|\n(?=[^\S\n]*(?:[-*+#|]|\d+\.)\s)")


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence, list item and heading, and where its first word stands."""
    start = 0
    for end in (*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)):
        sentence = text[start:end]
        yield start + len(sentence) - len(sentence.lstrip()), sentence
        start = end


def _words(text: str) -> str:
    """A text in small letters and single spaces, without its articles."""
    return re.sub(r"\b(?:an?|the) ", "", " ".join(text.split()).casefold())


def _asserted(tokens: re.Pattern[str], sentence: str) -> Iterator[str]:
    denied = False
    for token in tokens.finditer(sentence):
        if token.lastgroup != "claim":
            denied = token.lastgroup == "denial"
        elif not denied:
            yield token["claim"]


_CLAUSE_END = (
    r"[;:()|\u2013\u2014]|,(?! n?or\b)|(?<= )--?(?= )"
    r"|\b(?:although|and|because|but|though|unless|whereas|while)\b"
)
_DENIAL = (
    r"\b(?:cannot|instead of|neither|never|nobody|none|nor|rather than)\b|n['\u2019]t\b"
    r"|\bno\b(?! (?:doubt|matter|question|wonder)\b)|\bnot\b(?! (?:just|merely|only)\b)"
    r"|\bnothing\b(?! but\b)|\bwithout\b(?= (?:being|having)\b)"
)


def _tokens(phrases: Mapping[str, str], advisors: Collection[str]) -> re.Pattern[str]:
    """What ends a clause, denies what follows in it, or claims; a claim may hold a denial."""
    literal = [re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True)]
    claim = "|".join((*(rf"(?<!\w){phrase}(?!\w)" for phrase in literal), *_needing(advisors)))
    return re.compile(rf"(?P<claim>{claim})|(?P<end>{_CLAUSE_END})|(?P<denial>{_DENIAL})")


def _needing(advisors: Collection[str]) -> tuple[str, ...]:
    names = sorted({_words(name) for name in advisors} - {""}, key=len, reverse=True)
    who = "|".join((r"advisors?", *(re.escape(name) for name in names)))
    count = r"(?:at least one|one or more|one|some|any)"
    which = r"(?:external|independent|available|configured|installed)"
    subject = rf"(?<![\w-])(?:{count} )?(?:{which} )?(?:{who})(?![\w-])"
    needed = r"(?:required|mandatory|necessary|needed|indispensable)"
    ready = r"(?:installed|configured|available|present|set up|running)"
    nothing = r"(?:nothing|nobody|no \w+|cannot|can not|never|(?:do|does|will) not|\w+n['\u2019]t)"
    gap = r"(?:(?!and\b|but\b)\w+ )"
    works = r"(?:works?|runs?|starts?|happens?|functions?|proceeds?|goes|go|use|used|decided?)"
    return (
        rf"{subject} (?:is|are) (?:always |also |still )?{needed}\b",
        rf"{subject} (?:must|has to|have to) be {ready}\b",
        rf"\b(?:requires?|needs?|depends? on) {subject}",
        rf"\b(?:must|have to|has to) (?:install|configure|have|set up) {subject}",
        rf"\b{nothing} {gap}{{0,3}}{works} {gap}{{0,2}}without {subject}",
        rf"\b(?:impossible|unusable|useless) without {subject}",
    )
