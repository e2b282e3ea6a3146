"""The question: what every advisor is sent, and what it is never sent."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomus_reasoning.advisors.asking import reviewer_names
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.advisors.normalise import normalise
from majordomus_reasoning.advisors.question import (
    EXAMPLE,
    LARGEST_EXCERPTS,
    EarlierOpinion,
    Excerpt,
    question,
)
from majordomus_reasoning.core.catalogue import (
    Advisor,
    Advisors,
    Catalogue,
    Model,
    Models,
    Provider,
    Providers,
    Vendor,
)
from majordomus_reasoning.core.records import Assessment, Evidence

SECRET = "sk-ant-" + "a1B2c3D4" * 4


def assessment(**fields):
    return Assessment(kind="assessment", subject="timeout semantics of the worker", **fields)


WHOLE = assessment(
    hypothesis="a timeout is a typed domain error",
    affects=("src/worker.py",),
    facts=("two callers catch it",),
    assumptions=("nobody retries",),
    questions=("does any caller retry?",),
    evidence=(Evidence(kind="file", reference="src/worker.py:10", note="the raise"),),
)


@pytest.mark.parametrize(
    ("section", "holds"),
    [
        ("Your role", "independent reviewer. You do not own this decision"),
        ("Subject", "timeout semantics of the worker"),
        ("Question", "does any caller retry?"),
        ("Affected", "- src/worker.py"),
        ("Verified facts", "- two callers catch it"),
        ("Evidence", "- file: src/worker.py:10 (the raise)"),
        ("Assumptions, not verified", "- nobody retries"),
        ("Hypothesis (an opinion, not a fact)", "a timeout is a typed domain error"),
        ("What is asked of you", "strongest argument against"),
        ("What is asked of you", "hidden assumptions"),
        ("What is asked of you", "falsifier"),
        ("What is asked of you", "smallest experiment"),
        ("Reply", "one JSON object"),
    ],
)
def test_each_part_of_an_assessment_stands_under_its_own_heading(section, holds):
    sections = dict(
        part.split("\n\n", 1) for part in question(WHOLE).text.removeprefix("# ").split("\n\n# ")
    )
    assert holds in sections[section]


def test_a_section_with_nothing_to_say_is_left_out():
    assert "Verified facts" not in question(assessment()).text


def test_a_question_of_the_caller_replaces_those_of_the_assessment():
    sent = question(WHOLE, asked="is it safe to retry?")
    assert sent.asked == "is it safe to retry?"
    assert "does any caller retry?" not in sent.text


def test_earlier_opinions_stand_as_opinions_and_without_their_authors_names():
    sent = question(
        WHOLE,
        opinions=[
            "As Gamma Pro I hold that it leaks",
            EarlierOpinion("it holds", "consultation-1"),
        ],
        hidden_names=["gamma", "Gamma Pro"],
    )
    assert "opinions of others, possibly wrong" in sent.text
    assert "As another reviewer I hold that it leaks" in sent.text
    assert "gamma" not in sent.text.lower()
    assert sent.evidence[-1] == Evidence(kind="prior_external_opinion", reference="consultation-1")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("gamma holds", "another reviewer holds"),
        ("GAMMA-sonnet holds", "another reviewer holds"),
        ("gamma-sonnet-4.5-mini holds", "another reviewer holds"),
        ("gamma_cli holds", "another reviewer holds"),
        ("gamma 2.5 holds", "another reviewer holds"),
        ("gamma v2 holds", "another reviewer holds"),
        ("gamma4o holds", "another reviewer holds"),
        ("gamma:8b holds", "another reviewer holds"),
        ("gamma:latest holds", "another reviewer holds"),
        ("delta/gamma holds", "delta/another reviewer holds"),
        ("_gamma_ holds", "_another reviewer_ holds"),
        ("Gamma  Pro holds", "another reviewer holds"),
        ("gamma-pro holds", "another reviewer holds"),
        ("Gamma\nPro holds", "another reviewer holds"),
        ("peer:some-runtime.2 holds", "another reviewer holds"),
        ("says gamma. It holds", "says another reviewer. It holds"),
        ("gamma: it holds", "another reviewer: it holds"),
        ("(gamma)", "(another reviewer)"),
        ("gammas hold", "gammas hold"),
        ("programma holds", "programma holds"),
    ],
)
def test_no_part_of_a_name_stays_telling(said, shown):
    sent = question(WHOLE, opinions=[said], hidden_names=["gamma", "Gamma Pro"])
    assert f"- {shown}\n" in sent.text


def test_a_linked_runtime_is_nameless_without_any_name_to_hide():
    assert "- another reviewer holds\n" in question(WHOLE, opinions=["peer:near holds"]).text


def test_the_names_to_hide_are_all_those_of_the_catalogue():
    advisor = Advisor(
        id="gamma", title="Gamma Pro", transport="api", adapter="some-dialect", capabilities=()
    )
    catalogue = Catalogue(
        advisors=Advisors(version=1, advisors=(advisor,)),
        models=Models(
            version=1,
            vendors=(Vendor(id="v", title="Vendor", inference="remote"),),
            models=(Model(id="g", vendor="v", native_id="g-1", aliases=("g-latest",)),),
        ),
        providers=Providers(version=1, providers={"gamma-tool": Provider(title="Gamma Tool")}),
    )
    assert reviewer_names(catalogue) == {
        *("gamma", "Gamma Pro", "v", "Vendor", "g", "g-1", "g-latest", "gamma-tool", "Gamma Tool"),
    }


def test_an_opinion_cited_as_evidence_is_shown_as_an_opinion_and_without_its_reference():
    cited = Evidence(kind="prior_external_opinion", reference="gamma-says", note="it leaks")
    sent = question(assessment(evidence=(cited,)))
    assert "Evidence" not in sent.text
    assert "gamma-says" not in sent.text
    assert "- it leaks" in sent.text


def test_excerpts_are_bounded_in_all():
    evidence = tuple(Evidence(kind="file", reference=name) for name in "ab")
    excerpts = [Excerpt("a", "é" * LARGEST_EXCERPTS), Excerpt("b", "second")]
    sent = question(assessment(evidence=evidence), excerpts=excerpts)
    assert sent.text.count("é") == LARGEST_EXCERPTS // 2
    assert "second" not in sent.text


def test_an_excerpt_of_what_is_no_evidence_is_not_shown():
    assert "stray" not in question(WHOLE, excerpts=[Excerpt("other.py", "stray")]).text


@pytest.mark.parametrize(
    "sent",
    [
        question(assessment(facts=(f"the key is {SECRET}",))),
        question(WHOLE, asked=f"is {SECRET} a key?"),
        question(WHOLE, opinions=[f"use {SECRET}"]),
        question(WHOLE, excerpts=[Excerpt("src/worker.py:10", f"KEY = {SECRET}")]),
        question(
            WHOLE,
            excerpts=[Excerpt("src/worker.py:10", "x" * (LARGEST_EXCERPTS - 20) + " " + SECRET)],
        ),
    ],
    ids=["fact", "asked", "opinion", "excerpt", "excerpt that is cut"],
)
def test_no_secret_leaves_with_a_question(sent):
    assert SECRET[:12] not in sent.text
    assert SECRET[:12] not in sent.asked


def test_the_shapes_of_the_secrets_taken_out_are_named():
    assert question(assessment(facts=(SECRET,))).redacted == ("anthropic-key",)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (SECRET, ("anthropic-key",)),
        ("key: [redacted:jwt]", ("jwt",)),
        ("[redacted:nothing-we-know]", ()),
        ("plain", ()),
    ],
)
def test_what_was_taken_out_of_an_excerpt_is_named_wherever_it_was_taken_out(text, named):
    evidence = (Evidence(kind="file", reference="a.py:1"),)
    sent = question(assessment(evidence=evidence), excerpts=(Excerpt("a.py:1", text),))
    assert sent.redacted == named


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_of_a_caller_makes_a_heading(text):
    titles = {
        line
        for line in question(
            assessment(facts=(text,), hypothesis=text), opinions=[text]
        ).text.split("\n")
        if line.startswith("# ")
    }
    known = question(assessment(facts=("x",), hypothesis="x"), opinions=["x"]).text
    assert titles <= set(known.split("\n"))


def test_the_same_assessment_gives_the_same_bytes():
    assert question(WHOLE).sha256 == question(WHOLE).sha256
    assert question(WHOLE).sha256 != question(assessment()).sha256
    assert question(WHOLE).size == len(question(WHOLE).text.encode())


def test_the_example_in_the_question_is_itself_no_answer():
    assert json.loads(EXAMPLE)["conclusion"]
    with pytest.raises(AdvisorFailure) as caught:
        normalise(question(WHOLE).text)
    assert caught.value.status == "malformed"
