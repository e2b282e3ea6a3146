import pytest
from frame_samples import at, conclusion, history, plan, record, story, table_values

from majordomus_reasoning.frames import TABLES


def test_every_column_of_assessments_holds_the_value_of_its_assessment():
    assert table_values("assessments")[0] == {
        "record_id": "assessment-1",
        "plan_id": "plan-2",
        "conclusion_id": "conclusion-1",
        "task": "retry",
        "at": at(0),
        "subject": "what a timeout means",
        "materiality": "high",
        "confidence": "low",
        "standing": "validated",
        "evidence_file": 2,
        "evidence_test": 0,
        "evidence_adr": 1,
        "evidence_rule": 0,
        "evidence_commit": 0,
        "evidence_command": 0,
        "evidence_record": 0,
        "evidence_document": 0,
        "evidence_runtime": 0,
        "evidence_prior_external_opinion": 0,
        "plan_outcome": "consult",
        "reviewers": 2,
        "decided_at": at(200),
        "seconds_to_conclusion": 200,
        "attempts": 1,
        "open_questions": 0,
        "store": "",
        "source": "retry/assessment-1.json",
    }


@pytest.mark.parametrize(
    "kind", [each for each in TABLES["assessments"].columns if each.name.startswith("evidence_")]
)
def test_evidence_is_counted_in_the_column_of_its_kind(kind):
    word = kind.name.removeprefix("evidence_")
    body = {"subject": "s", "evidence": [{"kind": word, "reference": "x"}] * 3}
    [row] = table_values("assessments", history([record("assessment-1", 0, body)]))
    counted = {name: row[name] for name in row if name.startswith("evidence_") and row[name]}
    assert counted == {kind.name: 3}


def test_an_assessment_without_a_conclusion_has_open_questions_and_no_decision():
    [row] = table_values("assessments", history(story()[:1]))
    assert row["open_questions"] == 2
    assert row["standing"] == "open"
    assert row["conclusion_id"] is row["decided_at"] is row["seconds_to_conclusion"] is None
    assert row["plan_id"] is row["plan_outcome"] is None


def test_an_assessment_is_decided_when_its_standing_conclusion_was_recorded():
    row = table_values("assessments")[1]
    assert row["conclusion_id"] == "conclusion-3"
    assert row["decided_at"] == at(2000 + 2 * 86_400 + 5)
    assert row["seconds_to_conclusion"] == 1000 + 2 * 86_400 + 5
    assert row["plan_outcome"] == "decide_locally"


def test_a_conclusion_of_another_assessment_that_supersedes_its_own_leaves_it_undecided():
    first, second = (record(f"assessment-{n}", n, {"subject": "s"}) for n in (1, 2))
    own = record("conclusion-1", 3, conclusion("assessment-1", "a"))
    other = record("conclusion-2", 4, conclusion("assessment-2", "b", supersedes="conclusion-1"))
    row, _ = table_values("assessments", history([first, second, own, other]))
    assert (row["standing"], row["conclusion_id"]) == ("superseded", None)


def test_an_assessment_that_an_earlier_decision_answers_has_no_open_question():
    reuse = record("plan-1", 60, plan("assessment-1", outcome="reuse_prior"))
    [row] = table_values("assessments", history([story()[0], reuse]))
    assert (row["standing"], row["plan_outcome"], row["open_questions"]) == (
        "planned",
        "reuse_prior",
        0,
    )
