"""The check `claims`: what a document asserts, however it is marked up, and what it denies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planting import examine, write

from majordomus_reasoning.claims import claims

FORBIDDEN = ("reviewed by consensus", "approved by a majority of advisors", "the advisors voted")
ADVISORS = ("chatgpt", "gemini", "LM Studio")

ASSERTED = [
    "Every change is reviewed by consensus, no exceptions.",
    "An advisor is required; you cannot work without one.",
    "The advisors voted, and nobody objected.",
    "It was approved by a majority of **the** advisors.",
    "It was Reviewed\nby a *consensus*.",
    "> It was reviewed by\n> consensus.",
    "It was reviewed by [consensus](votes.md).",
    "No matter what you think: the advisors voted.",
    "No doubt the advisors voted.",
    "This was not only reviewed by consensus.",
    "# No votes\nThe advisors voted.",
    "No votes\n--------\nThe advisors voted.",
    "- No votes\n- The advisors voted.",
    "We do not vote (the advisors voted).",
    "It is not optional: an advisor is required.",
    "You need not pay, but an advisor is required.",
    "You need not pay but an advisor is required.",
    "Not optional - an advisor is required.",
    "No excuse, an advisor is required.",
    "An advisor is **required**.",
    "An advisor is <b>required</b>.",
    "An ___advisor___ is always needed.",
    "`chatgpt` is required.",
    '"ChatGPT" is required.',
    "[Gemini](https://example.org/gemini) is mandatory.",
    "[Gemini][1] is mandatory.",
    ":term:`Gemini` is mandatory.",
    "**LM\nStudio** must be installed.",
    "The advisors are required.",
    "Nothing works without an advisor.",
    "No decision can be used without the advisors.",
    "You cannot use it without an advisor.",
    "It doesn't run without Gemini.",
    "It is useless without an advisor.",
]


@pytest.mark.parametrize("text", ASSERTED)
def test_what_a_document_asserts_is_found_once(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"page.md": text})

    assert len(list(claims(tmp_path, FORBIDDEN, ADVISORS))) == 1


DENIED = [
    "Nothing here is reviewed by consensus.",
    "No change is reviewed by consensus, and none was approved by a majority of advisors.",
    "It is never approved by a majority of advisors or reviewed by consensus.",
    "It is never approved by a majority of advisors, nor reviewed by consensus.",
    "The advisors have not yet been heard, and nobody says the advisors voted.",
    "The advisors never voted.",
    "Evidence decides rather than what is approved by a majority of advisors.",
    "It is concluded without being reviewed by consensus.",
    "No advisor is required, and you need not install ChatGPT.",
    "An advisor is not required.",
    "Neither ChatGPT nor Gemini is required.",
    "It doesn\u2019t need an advisor.",
    "It does **not** require an advisor.",
    "You do not have to install Gemini.",
    "It requires no advisor.",
    "Everything works without an advisor.",
    "Nothing is missing, and everything works without an advisor.",
    "Nothing is lost without an advisor.",
    "An advisor that needs a key is asked with it.",
    "A chatgpt-like service is required.",
    "It was reviewed.\n\nBy consensus we mean something else.",
    "- reviewed\n- by consensus",
]


@pytest.mark.parametrize("text", DENIED)
def test_what_it_denies_or_does_not_say_is_let_through(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"page.md": text})

    assert list(claims(tmp_path, FORBIDDEN, ADVISORS)) == []


READ = [
    *("README", "docs/README", "CHANGELOG", "page.markdown", "page.MD", "page.adoc", "page.txt"),
    *("page.rst", ".github/CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.md"),
]


@pytest.mark.parametrize("name", READ)
def test_every_document_is_read(repository: Path, name: str) -> None:
    write(repository, {name: "Fine.\n\nAn advisor is required.\n"})

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == ("claims", f"{name}:3")


@pytest.mark.parametrize(
    "name", ["page.py", "page", ".hidden/page.md", "tests/page.md", "build/page.md"]
)
def test_what_is_no_document_of_the_project_is_not_read(repository: Path, name: str) -> None:
    write(repository, {name: "# An advisor is required.\n"})

    assert examine(repository).ok


def test_a_notebook_claims_what_its_markdown_says(repository: Path) -> None:
    said = "Fine.\n\nAn advisor is required."
    cells = [
        {"cell_type": "code", "source": [f"# {said}"], "outputs": [{"text": said}]},
        {"cell_type": "markdown", "source": said.splitlines(keepends=True)},
    ]
    write(repository, {"a.ipynb": json.dumps({"cells": cells})})

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == ("claims", "a.ipynb, cell 2:3")


def test_what_a_sentence_claims_is_told_by_claim(tmp_path: Path) -> None:
    write(tmp_path, {"page.md": "An advisor is required, gemini is required: the advisors voted."})

    assert [each.message for each in claims(tmp_path, FORBIDDEN, ADVISORS)] == [
        "it says that an advisor is required: every one is optional",
        "it claims 'the advisors voted', which no record can show",
    ]


@pytest.mark.parametrize("blank", ["", " ", "**", "\n"])
def test_a_blank_word_in_the_catalogue_is_claimed_by_nobody(tmp_path: Path, blank: str) -> None:
    write(tmp_path, {"page.md": "It is required. No more.\n"})

    assert list(claims(tmp_path, (blank,), (blank,))) == []


LONG = [
    "no ",
    "[",
    "](",
    "*",
    "_",
    "<a",
    "> ",
    ":a",
    "\n ",
    "an advisor is ",
    "without ",
    "#\n",
    "(",
]


@pytest.mark.parametrize("piece", LONG)
def test_a_long_document_is_read_in_the_time_that_its_length_takes(
    tmp_path: Path, piece: str
) -> None:
    """A pattern that looks at the rest from each place would take hours here and be noticed."""
    write(tmp_path, {"page.md": piece * 100_000 + "\n\nAn advisor is required."})

    assert list(claims(tmp_path, FORBIDDEN, ADVISORS))
