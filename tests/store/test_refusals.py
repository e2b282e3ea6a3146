"""Who may become a record: every refusal, by its code and field, with nothing written."""

from __future__ import annotations

import re
import shutil

import pytest
from builders import (
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
    yield from answer_cases()
    yield from position_cases()
    yield from decision_cases()


def answer_cases():
    """Rules of assessments and consultations."""
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


def position_cases():
    """Rules of disagreements and resolutions."""
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


def decision_cases():
    """Rules of conclusions."""
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
