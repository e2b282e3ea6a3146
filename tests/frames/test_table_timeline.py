import pytest
from frame_samples import at, table_values


def test_every_column_of_the_timeline_holds_the_value_of_its_step():
    assert table_values("timeline")[2] == {
        "record_id": "consultation-1",
        "assessment_id": "assessment-1",
        "task": "retry",
        "at": at(75.5),
        "phase": "advisor_response",
        "kind": "consultation",
        "advisor": "beta",
        "summary": "beta opposes: B",
        "seconds_since_previous": 15,
        "seconds_since_assessment": 75,
        "store": "",
        "source": "retry/consultation-1.json",
    }


@pytest.mark.parametrize(
    ("step", "previous", "opened"),
    [
        ("assessment-1", None, 0),
        ("plan-1", 60, 60),
        ("resolution-1", 61, 161),
        ("assessment-2", None, 0),
        ("plan-3", 1, 1),
        ("attempt-2", None, None),
    ],
)
def test_a_step_counts_from_the_one_before_it_in_its_assessment(step, previous, opened):
    [row] = [row for row in table_values("timeline") if row["record_id"] == step]
    assert (row["seconds_since_previous"], row["seconds_since_assessment"]) == (previous, opened)


def test_only_a_consultation_names_an_advisor():
    named = {row["kind"] for row in table_values("timeline") if row["advisor"]}
    assert named == {"consultation"}
