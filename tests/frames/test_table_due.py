import pytest
from frame_samples import at, history, record, story, table_values


def test_every_column_of_due_holds_the_value_of_its_conclusion():
    assert table_values("due")[0] == {
        "record_id": "conclusion-1",
        "assessment_id": "assessment-1",
        "task": "retry",
        "at": at(200),
        "subject": "what a timeout means",
        "materiality": "high",
        "decision": "restart it",
        "why": "unweighed",
        "unweighed_since": "consultation-5",
        "age_days": 9,
        "validation_plan": "run it; watch it",
        "store": "",
        "source": "retry/conclusion-1.json",
    }


@pytest.mark.parametrize(
    ("left_out", "why"),
    [
        ({"validation-1"}, "not_validated_and_unweighed"),
        ({"consultation-5"}, None),
        ({"validation-1", "consultation-5"}, "not_validated"),
    ],
)
def test_a_conclusion_is_due_for_what_it_lacks(left_out, why):
    records = [each for each in story() if each.id not in left_out]
    found = {row["record_id"]: row["why"] for row in table_values("due", history(records))}
    assert found.get("conclusion-1") == why


def test_a_superseded_conclusion_is_never_due():
    assert [row["record_id"] for row in table_values("due")] == ["conclusion-1", "conclusion-3"]


def test_a_refuted_conclusion_is_not_due_for_another_validation():
    failed = {"conclusion": "conclusion-3", "check": "again", "outcome": "fail"}
    records = [*story(), record("validation-3", 4 * 86_400, failed)]
    due = table_values("due", history(records))
    assert "conclusion-3" not in [row["record_id"] for row in due]
