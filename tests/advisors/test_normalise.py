"""Normalisation: what is read, what is repaired, what is refused and why."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from majordomus_reasoning.advisors.contract import LARGEST_ANSWER
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.advisors.normalise import normalise
from majordomus_reasoning.advisors.question import EXAMPLE

VECTORS = json.loads(
    (Path(__file__).parent.parent / "conformance" / "answers.json").read_text(encoding="utf-8")
)["cases"]
PLAIN = '{"conclusion": "keep plan", "stance": "supports"}'
OTHER = '{"conclusion": "drop plan", "stance": "opposes"}'
LONG = 400


def ending(text, **options):
    """The status that a text ends in, with the fields of its answer or the failure."""
    try:
        return "completed", normalise(text, **options).plain()
    except AdvisorFailure as refused:
        return refused.status, refused


def said(text, **options):
    """The fields of the answer, or the reason why there is none."""
    _, found = ending(text, **options)
    return found if isinstance(found, dict) else found.reason


def text_of(given):
    if given["kind"] == "generate":
        return eval(given["text"], {"__builtins__": {}})
    return given["text"]


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["id"])
def test_every_vector_is_read_as_it_says(case):
    cut = case["input"].get("finish_reason") == "length"
    expected = case["expect"]
    status, found = ending(text_of(case["input"]), cut=cut)
    assert status == expected["status"]
    if status == "completed":
        assert found == expected["answer"]
    else:
        assert found.reason == expected.get("reason", found.reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_text"),
        ("\u200b \n", "no_text"),
        ("I would go ahead.", "no_object"),
        ("```json\n```", "no_object"),
        ("42", "no_object"),
        ('"just a text"', "no_object"),
        ("[1, 2]", "not_an_object"),
        (f"[{PLAIN}, {PLAIN}]", "not_an_object"),
        ("{}", "missing_keys"),
        ('{"conclusion": " "}', "missing_keys"),
        ('{"conclusion": "\\u0000"}', "missing_keys"),
        ('{"conclusion": ["a"]}', "missing_keys"),
        ('{"conclusion": null, "stance": "supports"}', "missing_keys"),
        (f'{{"answer": {PLAIN}}}', "missing_keys"),
        ('{"conclusion": "c", "stance": "supports|opposes"}', "missing_keys"),
        ('{"conclusion": "c", "stance": "supports, opposes or alternative"}', "missing_keys"),
        ('{"conclusion": "c", "stance": ["supports", "opposes"]}', "missing_keys"),
        ('{"conclusion": "c", "stance": "<supports|opposes>"}', "missing_keys"),
        ('{"conclusion": "<string>", "stance": "<string>"}', "missing_keys"),
        ('{"conclusion": "<string>"}', "missing_keys"),
        (EXAMPLE, "missing_keys"),
        (EXAMPLE.replace("supports|opposes|alternative|inconclusive", "opposes"), "missing_keys"),
        (f"{PLAIN} {OTHER}", "ambiguous"),
        (f"{PLAIN} or rather ```json\n{OTHER}\n```", "ambiguous"),
        ("{}" * 1_001, "ambiguous"),
        ('{conclusion: "c"}', "bad_json"),
        ('{"conclusion": "c" "stance": "supports"}', "bad_json"),
        ('{"conclusion": "c",, "stance": "supports"}', "bad_json"),
        ('{"conclusion": ("c",)}', "bad_json"),
        ('{"conclusion": "a \\d"}', "bad_json"),
        ('{"conclusion": ["c"}', "bad_json"),
        (f'{{"draft": nope, "inner": {PLAIN}}}', "bad_json"),
        ('{"conclusion": "c", "x": NaN}', "bad_constant"),
        ('{"conclusion": "c", "x": -Infinity}', "bad_constant"),
        ('{"conclusion": "c", "x": [1e400],}', "bad_constant"),
        ('{"conclusion": "c", "x": ' + "9" * 5_000 + "}", "bad_number"),
        ('{"a": {"k": 1, "\\u006b": 2}, "conclusion": "c"}', "duplicate_key"),
        ("{'conclusion': 'c', 'conclusion': 'd'}", "duplicate_key"),
        (f'{PLAIN} {{"conclusion": "c", "conclusion": "d"}}', "duplicate_key"),
        ('{"a":' * 200, "too_deep"),
        ('{"conclusion": "c", "stance": "supports"', "truncated"),
        ('{"conclusion": "c', "truncated"),
        (f'{PLAIN}\n{{"conclusion": "d", "st', "truncated"),
        (f'{{"answer": {PLAIN}, "more": ', "truncated"),
        ("<think>a {x} b</think>", "thinking_only"),
    ],
)
def test_what_states_no_single_opinion_is_refused_by_its_reason(text, reason):
    assert said(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        f"{PLAIN}\n{PLAIN}",
        f'{{"a": 1}} then {PLAIN}',
        f"Use {{x}} and {{ y }} [as noted]: {PLAIN}",
        f"[1] says so. {PLAIN}",
        f"{{'k': nope}} {PLAIN}",
        json.dumps(PLAIN),
        f"```json\n{json.dumps(PLAIN)}\n```",
        f"<THINK a='b'>x</THINK >{PLAIN}",
        f"<think>a</think> <think>b</think>\n{PLAIN}",
        f"<thinking>{OTHER}</thinking>{PLAIN}",
        f"weighing {{options\n</think>{PLAIN}",
        f"{OTHER} hm, no.</think>{PLAIN}",
        f"<think>a <think>b</think> c</think>{PLAIN}",
        f"{PLAIN}\n<think>was that right?</think>",
        f"<think>never closed {PLAIN}",
        f"<think>maybe {{'x</think>\n<think>{PLAIN}",
        "{'conclusion': 'keep plan', 'stance': 'supports', 'x': None, 'y': [True, False,],}",
        '{"conclusion": "keep plan", "stance": "supports" , }',
        '{"conclusion": \'keep plan\', "stance": "supports", "note": "it\'s, ] fine,}"}',
        '\ufeff\x1b[1m{"conclusion": "keep plan",\t"stance": "supports"}\x1b[0m\r\n',
    ],
)
def test_one_answer_is_read_whatever_stands_around_it_and_however_python_spelt_it(text):
    answer = said(text)
    assert (answer["conclusion"], answer["stance"]) == ("keep plan", "supports")


def test_a_draft_before_a_lone_end_of_thought_is_never_the_answer():
    assert said(f"{PLAIN} hm, no.</think>I decline.") == "no_object"


@pytest.mark.parametrize("tag", ["<think>x</think>", "</think>", "<think>"])
def test_a_tag_within_a_text_of_the_answer_survives(tag):
    text = json.dumps({"conclusion": f"strip {tag} tags", "stance": "supports", "risks": [tag]})
    assert said(text)["conclusion"] == f"strip {tag} tags"


@pytest.mark.parametrize(
    ("spelt", "meant"),
    [
        (r"'it\'s'", "it's"),
        (r"""'a "b" c'""", 'a "b" c'),
        (r"'\x41\U0001f600'", "A\U0001f600"),
        ("'a\nb'", "a\nb"),
        (r'"say \'hi\'"', "say 'hi'"),
        (r"'tab\tb\\c'", "tab\tb\\c"),
        ("'True, None,}'", "True, None,}"),
    ],
)
def test_a_python_string_is_read_as_python_reads_it(spelt, meant):
    assert said(f"{{'conclusion': {spelt}, 'stance': 'supports',}}")["conclusion"] == meant


@pytest.mark.parametrize(
    ("stance", "read"),
    [
        ('"OPPOSES "', "opposes"),
        ('"agree"', "inconclusive"),
        ('"supportive"', "inconclusive"),
        ("null", "inconclusive"),
        ("true", "inconclusive"),
        ("{}", "inconclusive"),
    ],
)
def test_an_unknown_stance_is_inconclusive_and_never_agreement(stance, read):
    assert said(f'{{"conclusion": "c", "stance": {stance}}}')["stance"] == read


@pytest.mark.parametrize("confidence", ["null", '"certain"', "0.9", "[]"])
def test_an_unknown_confidence_is_left_out(confidence):
    assert "confidence" not in said(f'{{"conclusion": "c", "confidence": {confidence}}}')


@pytest.mark.parametrize(
    ("value", "items"),
    [
        (None, []),
        ("one", ["one"]),
        (" ", []),
        (7, []),
        ({"a": "b"}, []),
        (["a", " ", 7, None, ["b"], "c\u0007"], ["a", "c"]),
        (["x" * 500], ["x" * 400]),
        ([f"{number}" for number in range(80)], [f"{number}" for number in range(50)]),
    ],
)
def test_a_list_keeps_its_texts_bounded_and_drops_the_rest(value, items):
    assert said(json.dumps({"conclusion": "c", "risks": value}))["risks"] == items


def test_a_conclusion_is_bounded_and_loses_secrets_before_it_is_cut():
    secret = "ghp_" + "a1B2" * 8
    text = said(json.dumps({"conclusion": "x" * 980 + " " + secret}))["conclusion"]
    assert len(text) <= 1_000
    assert "ghp_" not in text


def test_of_a_cut_answer_nothing_is_repaired():
    assert said(PLAIN, cut=True)["conclusion"] == "keep plan"
    assert said('{"conclusion": "keep plan",}', cut=True) == "truncated"
    assert said("I would", cut=True) == "truncated"
    assert said("", cut=True) == "no_text"
    assert said("<think>hm", cut=True) == "thinking_only"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"\xff\xfe" + PLAIN.encode(), None),
        (PLAIN.encode("utf-16"), None),
        (b"x" * (LARGEST_ANSWER + 1), "too_large"),
        ("é" * (LARGEST_ANSWER // 2) + PLAIN, "too_large"),
        ("\ud800" * (LARGEST_ANSWER // 3) + PLAIN, "too_large"),
        ("x" * (LARGEST_ANSWER - len(PLAIN)) + PLAIN, None),
    ],
    ids=["no UTF-8", "UTF-16", "bytes", "characters of two bytes", "surrogates", "just within"],
)
def test_bytes_are_read_as_utf8_whatever_they_hold(sent, reason):
    answer = said(sent)
    assert answer == reason if reason else answer["conclusion"] == "keep plan"


UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXTS = st.text(max_size=60)
OBJECTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@UNHURRIED
@given(
    st.text(alphabet=st.sampled_from("{}[]\"'\\,:<>/think ab01\n\x1b"), max_size=120), st.booleans()
)
def test_any_text_ends_in_an_opinion_or_in_one_typed_failure(text, cut):
    status, found = ending(text, cut=cut)
    assert status in {"completed", "malformed", "empty"}
    if status != "completed":
        assert found.diagnostic.startswith(f"{found.reason}: ")


@UNHURRIED
@given(st.dictionaries(st.sampled_from(["conclusion", "stance", "risks", "x"]), OBJECTS))
def test_an_opinion_that_is_read_reads_the_same_again(found):
    try:
        opinion = normalise(json.dumps(found))
    except AdvisorFailure:
        return
    assert normalise(json.dumps(opinion.plain())) == opinion


@UNHURRIED
@given(TEXTS, TEXTS.filter(str.strip), st.sampled_from([json.dumps, repr]))
def test_a_dictionary_is_read_alike_from_json_and_from_python(note, conclusion, spelling):
    found = {"conclusion": f"x{conclusion}", "note": note, "risks": [note]}
    assert said(spelling(found)) == said(json.dumps(found))


def test_a_conclusion_in_angle_brackets_with_a_stance_is_an_answer():
    opinion = normalise('{"conclusion": "<main>", "stance": "supports"}')
    assert (opinion.conclusion, opinion.stance) == ("<main>", "supports")
