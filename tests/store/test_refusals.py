"""Who may become a record: every refusal, by its code and field, with nothing written."""

from __future__ import annotations

import re
import shutil

import pytest
from builders import (
    EVIDENCE,
    Writer,
    answer,
    assessment,
    attempt,
    conclusion,
    disagreement,
    failure,
    plan,
    refusal,
    resolution,
    validation,
)

# Every code of the table of admission; a test below holds that each has a case.
CODES = {
    "missing_field",
    "blank_field",
    "invalid_value",
    "unknown_field",
    "computed_field",
    "unknown_reference",
    "wrong_kind",
    "evidence_missing",
    "unknown_capability",
    "not_selected",
    "conclusion_missing",
    "stance_missing",
    "conclusion_without_answer",
    "answered_already",
    "positions_missing",
    "duplicate_source",
    "no_position",
    "unknown_position",
    "resolved_already",
    "validation_plan_missing",
    "no_advice",
    "other_assessment",
    "unweighed_answer",
    "unresolved_disagreement",
    "uncited_disagreement",
    "concluded_already",
    "other_subject",
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Three questions: one open and disputed, one settled, one decided; ids by short names."""
    writer = Writer(tmp_path_factory.mktemp("refusals") / "reasoning")
    ids = {"open": writer.record(assessment("the open question"))}
    ids["plan"] = writer.record(plan(ids["open"]))
    ids["timeout"] = writer.record(failure(ids["plan"], "one"))
    ids["answer"] = writer.record(answer(ids["plan"], "two"))
    ids["unsettled"] = writer.record(disagreement(ids["open"], "primary", ids["answer"]))
    ids["settled"] = writer.record(assessment("the settled question"))
    ids["other_plan"] = writer.record(plan(ids["settled"]))
    ids["other_answer"] = writer.record(answer(ids["other_plan"], "one"))
    quarrel = disagreement(ids["settled"], "primary", ids["other_answer"])
    ids["quarrel"] = writer.record(quarrel)
    ids["resolution"] = writer.record(resolution(ids["quarrel"]))
    ids["done"] = writer.record(assessment("the decided question"))
    ids["first"] = writer.record(conclusion(ids["done"]))
    ids["second"] = writer.record(conclusion(ids["done"], supersedes=ids["first"]))
    ids["other"] = writer.record(conclusion(writer.record(assessment("yet another"))))
    ids["low"] = writer.record(assessment("a name", materiality="low", evidence=None))
    ids["no_plan"] = writer.record(plan(ids["low"]))
    return writer, ids


def cited(ids, **changes):
    """A conclusion of the settled question that weighs all there is, but for the changes."""
    all_of_it = {"consultations": [ids["other_answer"]], "disagreements": [ids["quarrel"]]}
    return conclusion(ids["settled"], **{**all_of_it, **changes})


def without(body, field):
    return {name: value for name, value in body.items() if name != field}


# Each kind's body as the rules admit it, from the world's ids.
ADMISSIBLE = {
    "assessment": lambda _: assessment(),
    "plan": lambda ids: plan(ids["open"]),
    "consultation": lambda ids: answer(ids["plan"], "one"),
    "disagreement": lambda ids: disagreement(ids["open"], "primary", ids["answer"]),
    "resolution": lambda ids: resolution(ids["unsettled"]),
    "conclusion": lambda ids: cited(ids),
    "validation": lambda ids: validation(ids["second"]),
    "attempt": lambda ids: attempt(assessment=ids["open"]),
}
REQUIRED = {
    "assessment": ["subject"],
    "plan": ["assessment"],
    "consultation": ["plan", "advisor", "status"],
    "disagreement": ["assessment", "positions", "discriminating_question"],
    "resolution": ["disagreement", "experiment", "outcome", "favours", "evidence"],
    "conclusion": ["assessment", "decision", "rationale"],
    "validation": ["conclusion", "check", "outcome"],
    "attempt": ["attempt", "observed_failure"],
}
REQUIRED_TEXTS = {
    (kind, field)
    for kind, fields in REQUIRED.items()
    for field in fields
    if field not in {"status", "positions", "evidence"}
    and (kind, field) != ("validation", "outcome")
}
ENVELOPE = [
    "schema",
    "version",
    "id",
    "task",
    "recorded_at",
    "head",
    "redacted",
    "body",
    "origin",
    "exchange",
    "cites",
    "pins",
    "writer",
]
COMPUTED = [("plan", "plan"), ("plan", "availability")]
COMPUTED += [("conclusion", "reviewed_by"), ("conclusion", "independent_review_count")]
COMPUTED += [(kind, field) for kind in ADMISSIBLE for field in ENVELOPE]
REFERENCES = {
    "plan": {"assessment": "plan"},
    "consultation": {"plan": "open"},
    "disagreement": {"assessment": "plan"},
    "resolution": {"disagreement": "open"},
    "conclusion": {"assessment": "plan", "supersedes": "open"},
    "validation": {"conclusion": "open"},
    "attempt": {"assessment": "plan"},
}


def shape_cases():
    for kind, fields in REQUIRED.items():
        for field in fields:
            yield kind, {field: ...}, "missing_field", field
    for kind, field in sorted(REQUIRED_TEXTS):
        for blank in ("", " \n\t", "\u200b\ufeff", "\x1b[31m\x1b[0m"):
            yield kind, {field: blank}, "blank_field", field
        for wrong in (5, None, ["x"], {"x": "y"}, True):
            yield kind, {field: wrong}, "invalid_value", field


def name_cases():
    for kind, field in COMPUTED:
        for value in ("x", None, [], 3):
            yield kind, {field: value}, "computed_field", field
    for kind in ADMISSIBLE:
        for unknown in ("quorum", "Subject", "votes"):
            yield kind, {unknown: 1}, "unknown_field", unknown
    for kind, references in REFERENCES.items():
        for field, another in references.items():
            yield kind, {field: "nobody-here"}, "unknown_reference", field
            yield kind, {field: f"${another}"}, "wrong_kind", field


def evidence(**changes):
    return [{"kind": "file", "reference": "x", **changes}]


OTHER_SHAPES = [
    ("assessment", {"capabilities": ["telepathy"]}, "unknown_capability", "capabilities"),
    ("assessment", {"capabilities": [""]}, "blank_field", "capabilities[0]"),
    ("assessment", {"facts": ["x", " "]}, "blank_field", "facts[1]"),
    ("assessment", {"facts": "one fact"}, "invalid_value", "facts"),
    ("assessment", {"facts": ""}, "invalid_value", "facts"),
    ("assessment", {"facts": {}}, "invalid_value", "facts"),
    ("assessment", {"facts": [1]}, "invalid_value", "facts[0]"),
    ("assessment", {"facts": [None]}, "invalid_value", "facts[0]"),
    ("assessment", {"hypothesis": 5}, "invalid_value", "hypothesis"),
    ("assessment", {"hypothesis": []}, "invalid_value", "hypothesis"),
    ("assessment", {"materiality": "huge"}, "invalid_value", "materiality"),
    ("assessment", {"materiality": "High"}, "invalid_value", "materiality"),
    ("assessment", {"materiality": ""}, "invalid_value", "materiality"),
    ("assessment", {"confidence": "certain"}, "invalid_value", "confidence"),
    ("assessment", {"new_evidence": "true"}, "invalid_value", "new_evidence"),
    ("assessment", {"new_evidence": 1}, "invalid_value", "new_evidence"),
    ("assessment", {"evidence": "file:x"}, "invalid_value", "evidence"),
    ("assessment", {"evidence": ["file:x"]}, "invalid_value", "evidence[0]"),
    ("assessment", {"evidence": evidence(kind="rumour")}, "invalid_value", "evidence[0].kind"),
    ("assessment", {"evidence": evidence(reference=5)}, "invalid_value", "evidence[0].reference"),
    ("assessment", {"evidence": evidence(reference=" ")}, "blank_field", "evidence[0].reference"),
    ("assessment", {"evidence": [{"kind": "file"}]}, "missing_field", "evidence[0].reference"),
    ("assessment", {"evidence": evidence(notes="x")}, "unknown_field", "evidence[0].notes"),
    ("assessment", {"evidence": evidence(id="x")}, "unknown_field", "evidence[0].id"),
    (
        "assessment",
        {"evidence": [*evidence(), *evidence(kind="record", reference="nobody-here")]},
        "unknown_reference",
        "evidence",
    ),
    ("consultation", {"status": "done"}, "invalid_value", "status"),
    ("consultation", {"status": ""}, "invalid_value", "status"),
    ("consultation", {"stance": "agrees"}, "invalid_value", "stance"),
    ("consultation", {"duration_ms": -1}, "invalid_value", "duration_ms"),
    ("consultation", {"duration_ms": 1.5}, "invalid_value", "duration_ms"),
    ("consultation", {"duration_ms": float("nan")}, "invalid_value", "duration_ms"),
    ("consultation", {"duration_ms": float("inf")}, "invalid_value", "duration_ms"),
    ("consultation", {"duration_ms": 2**53}, "invalid_value", "duration_ms"),
    ("consultation", {"duration_ms": 10**400}, "invalid_value", "duration_ms"),
    ("consultation", {"usage": 12}, "invalid_value", "usage"),
    ("consultation", {"usage": []}, "invalid_value", "usage"),
    ("consultation", {"usage": {"input_tokens": -1}}, "invalid_value", "usage.input_tokens"),
    ("consultation", {"usage": {"input_tokens": "9"}}, "invalid_value", "usage.input_tokens"),
    ("consultation", {"usage": {"tokens": 9}}, "unknown_field", "usage.tokens"),
    ("disagreement", {"positions": {"primary": "A"}}, "invalid_value", "positions"),
    ("disagreement", {"positions": ["A", "B"]}, "invalid_value", "positions[0]"),
    ("validation", {"outcome": "maybe"}, "invalid_value", "outcome"),
    ("validation", {"outcome": True}, "invalid_value", "outcome"),
    ("validation", {"outcome": ""}, "invalid_value", "outcome"),
]
OTHER_SHAPES += [
    ("consultation", {"retry_after_seconds": wait}, "invalid_value", "retry_after_seconds")
    for wait in (-1, 86_401, 2**70, 1.0, "30", True)
]


def rule_cases():
    """The rules of each kind, each with what breaks it."""
    for word in ("material", "high", "critical"):
        for none in (..., []):
            changes = {"materiality": word, "evidence": none}
            yield "assessment", changes, "evidence_missing", "evidence"
    yield "consultation", {"advisor": "ghost"}, "not_selected", "advisor"
    yield "consultation", {"advisor": "One"}, "not_selected", "advisor"
    yield "consultation", {"advisor": "two\nlines"}, "not_selected", "advisor"
    yield "consultation", {"plan": "$no_plan"}, "not_selected", "advisor"
    for blank in (..., "", "  ", None, "\x1b[0m"):
        yield "consultation", {"conclusion": blank}, "conclusion_missing", "conclusion"
    yield "consultation", {"stance": ...}, "stance_missing", "stance"
    yield "consultation", {"advisor": "two"}, "answered_already", "advisor"
    for status in ("timeout", "rate_limited", "auth_failed", "malformed", "empty", "cancelled"):
        yield "consultation", {"status": status}, "conclusion_without_answer", "conclusion"
    for positions in ([], positions_of("primary")):
        yield "disagreement", {"positions": positions}, "positions_missing", "positions"
    for held, code, place in (
        (("primary", "primary"), "duplicate_source", 1),
        (("$answer", "primary", "$answer"), "duplicate_source", 2),
        (("primary", "$timeout"), "no_position", 1),
        (("primary", "$other_answer"), "no_position", 1),
        (("$open", "primary"), "no_position", 0),
        (("primary", "$plan"), "no_position", 1),
        (("primary", "neither"), "no_position", 1),
        (("primary", "two"), "no_position", 1),
        (("primary", "nobody-here"), "no_position", 1),
        (("Primary", "$answer"), "no_position", 0),
        (("ghost", "primary", "primary"), "duplicate_source", 2),
    ):
        changes = {"positions": positions_of(*held)}
        yield "disagreement", changes, code, f"positions[{place}].source"
    blank = [*positions_of("primary"), {"source": "$answer", "position": " "}]
    yield "disagreement", {"positions": blank}, "blank_field", "positions[1].position"
    odd = [*positions_of("primary"), {"source": "$answer", "position": "B", "weight": 2}]
    yield "disagreement", {"positions": odd}, "unknown_field", "positions[1].weight"
    yield "resolution", {"evidence": []}, "evidence_missing", "evidence"
    for favours in ("two", "$open", "$timeout", "both", "two\nlines", "Neither"):
        yield "resolution", {"favours": favours}, "unknown_position", "favours"
    yield "resolution", {"disagreement": "$quarrel"}, "resolved_already", "disagreement"
    for none in (..., []):
        yield "conclusion", {"evidence": none}, "evidence_missing", "evidence"
        yield "conclusion", {"validation_plan": none}, "validation_plan_missing", "validation_plan"
        yield "conclusion", {"consultations": none}, "unweighed_answer", "consultations"
        yield "conclusion", {"disagreements": none}, "uncited_disagreement", "disagreements"
    yield "conclusion", {"consultations": ["$answer"]}, "other_assessment", "consultations"
    more = ["$other_answer", "$timeout"]
    yield "conclusion", {"consultations": more}, "no_advice", "consultations"
    yield "conclusion", {"consultations": ["$settled"]}, "wrong_kind", "consultations"
    yield "conclusion", {"consultations": ["x"]}, "unknown_reference", "consultations"
    yield "conclusion", {"disagreements": ["$unsettled"]}, "other_assessment", "disagreements"
    yield "conclusion", {"disagreements": ["$other_answer"]}, "wrong_kind", "disagreements"
    yield "conclusion", {"disagreements": ["x"]}, "unknown_reference", "disagreements"
    about = {"assessment": "$open", "consultations": ["$answer"], "disagreements": ["$unsettled"]}
    yield "conclusion", about, "unresolved_disagreement", "disagreements"
    advice = {**about, "consultations": ["$answer", "$timeout"]}
    yield "conclusion", advice, "no_advice", "consultations"
    yield "conclusion", {"supersedes": "$second"}, "other_subject", "supersedes"
    again = {"assessment": "$done", "consultations": [], "disagreements": []}
    yield "conclusion", again, "concluded_already", "supersedes"
    for another in ("$first", "$other"):
        yield "conclusion", {**again, "supersedes": another}, "concluded_already", "supersedes"


def positions_of(*sources):
    return [{"source": source, "position": f"{n}"} for n, source in enumerate(sources)]


CASES = [*shape_cases(), *name_cases(), *OTHER_SHAPES, *rule_cases()]


def names(value, ids):
    """The value with each `$name` replaced by that id of the world."""
    if isinstance(value, str) and value.startswith("$"):
        return ids[value[1:]]
    if isinstance(value, list):
        return [names(item, ids) for item in value]
    if isinstance(value, dict):
        return {name: names(item, ids) for name, item in value.items()}
    return value


def name_of(case):
    kind, changes, code, _ = case
    return f"{code}: {kind} {ascii(changes)[:60]}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_it_is_refused_with_code_and_field_and_nothing_is_written(world, files_of, case):
    kind, changes, code, field = case
    writer, ids = world
    body = {**ADMISSIBLE[kind](ids), **names(changes, ids)}
    body = {name: value for name, value in body.items() if value is not ...}
    before = files_of(writer.root)
    refused = refusal(writer.write, body)
    assert (refused.code, refused.field) == (code, field)
    assert re.fullmatch(r"[^\n]+\.", str(refused)), "one sentence"
    assert files_of(writer.root) == before


def test_every_code_has_a_case():
    assert {code for _, _, code, _ in CASES} == CODES


@pytest.mark.parametrize("kind", ADMISSIBLE)
def test_what_the_cases_start_from_is_admitted(kind, tmp_path, world):
    writer, ids = world
    shutil.copytree(writer.root, tmp_path / "reasoning")
    assert Writer(tmp_path / "reasoning").record(ADMISSIBLE[kind](ids)).startswith(kind)


class Unprintable(int):
    """A number with more digits than Python prints; the test's own name must not try."""

    def __repr__(self):
        return "a huge number"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing_field"),
        ({"subject": "x"}, "missing_field"),
        ({"kind": None}, "invalid_value"),
        ({"kind": ""}, "invalid_value"),
        ({"kind": "Assessment"}, "invalid_value"),
        ({"kind": "opinion", "text": "x"}, "invalid_value"),
        ({"kind": ["assessment"]}, "invalid_value"),
        ({"kind": "planinput", "assessment": "x"}, "invalid_value"),
        ({1: "x", "kind": "assessment", "subject": "x"}, "unknown_field"),
        ([], "invalid_value"),
        (None, "invalid_value"),
        ("assessment", "invalid_value"),
        ({"kind": "assessment", "subject": b"x"}, "invalid_value"),
        ({"kind": "consultation", "duration_ms": Unprintable(10**5000)}, "invalid_value"),
        ({"kind": "assessment", "subject": {1, 2}}, "invalid_value"),
        ({"kind": "assessment", "subject": "x", "\ud800": 1}, "unknown_field"),
    ],
    ids=ascii,
)
def test_what_is_no_body_of_a_kind_is_refused(tmp_path, body, code):
    assert refusal(Writer(tmp_path / "reasoning").write, body).code == code
    assert list(tmp_path.iterdir()) == []


def deep(levels):
    value = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "changes",
    [
        {"subject": "x" * 65_537},
        {"facts": ["x" * 65_537]},
        {"evidence": [{"kind": "file", "reference": "x", "note": "x" * 65_537}]},
        {"facts": ["x" * 60_000] * 18},
        {"facts": deep(8)},
        {"facts": deep(3_000)},
        {"unheard_of": deep(8)},
    ],
    ids="/".join,
)
def test_what_is_too_long_too_much_or_too_deep_is_refused(tmp_path, changes):
    refused = refusal(Writer(tmp_path / "reasoning").write, assessment(**changes))
    assert refused.code == "invalid_value"
    assert len(str(refused)) < 200
    assert list(tmp_path.iterdir()) == []


def test_a_text_of_65536_characters_and_a_body_of_1_mib_are_admitted(writer):
    body = assessment(facts=["x" * 65_536] * 15)
    assert writer.record(body)


SECRET = "ghp_" + "a" * 30


@pytest.mark.parametrize(
    "changes",
    [
        {"materiality": SECRET},
        {"facts": SECRET},
        {"new_evidence": SECRET},
        {"capabilities": [SECRET]},
        {"evidence": [{"kind": SECRET, "reference": "x"}]},
        {"evidence": [{"kind": "record", "reference": SECRET}]},
        {"evidence": [{"kind": "file", "reference": "x", SECRET: 1}]},
        {SECRET: 1},
        {SECRET: "x" * 65_537},
        {"kind": SECRET},
        {"kind": "plan", "assessment": SECRET, "subject": None},
        {"subject": {SECRET: SECRET}},
    ],
    ids="/".join,
)
def test_a_refusal_never_repeats_a_secret(writer, changes):
    refused = refusal(writer.write, {**assessment(), **changes})
    assert SECRET not in f"{refused!r} {refused} {refused.field}"
    assert refused.__cause__ is None


def test_a_refusal_never_repeats_a_terminal_escape(writer):
    refused = refusal(writer.write, {**assessment(), "\x1b[31mred": 1})
    assert refused.field == "red"
    assert "\x1b" not in str(refused)


@pytest.mark.parametrize("wait", [0, 1, 86_400])
def test_a_wait_within_a_day_is_admitted(writer, wait):
    under = writer.record(plan(writer.record(assessment())))
    given = failure(under, status="rate_limited", retry_after_seconds=wait)
    assert writer.write(given).record.body.retry_after_seconds == wait


@pytest.mark.parametrize("materiality", ["trivial", "low"])
def test_below_material_neither_evidence_nor_a_validation_plan_is_needed(writer, materiality):
    on = writer.record(assessment(materiality=materiality, evidence=None))
    assert writer.record(conclusion(on, evidence=None, validation_plan=None))


def test_an_answer_that_arrives_after_the_circuit_opened_is_admitted(writer):
    under = writer.record(plan(writer.record(assessment())))
    for _ in range(2):
        writer.record(failure(under, "one"))
    assert writer.record(answer(under, "one"))


def test_a_resolution_may_favour_any_source_or_neither(writer):
    on = writer.record(assessment())
    said = writer.record(answer(writer.record(plan(on))))
    for favours in ("primary", said, "neither"):
        writer.record(resolution(writer.record(disagreement(on, "primary", said)), favours))


def test_a_conclusion_may_supersede_that_of_another_assessment_of_the_subject(writer):
    first = writer.record(conclusion(writer.record(assessment("Lock  scope"))))
    later = writer.record(assessment("lock\nSCOPE", evidence=EVIDENCE))
    assert writer.record(conclusion(later, supersedes=first))
