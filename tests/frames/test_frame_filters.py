import pytest
from frame_samples import at, history, table_values

from majordomus_reasoning.errors import NotFound, Refusal
from majordomus_reasoning.frames import TABLES
from majordomus_reasoning.handles import Handle


def ids(name, **options):
    return [row["record_id"] for row in table_values(name, **options)]


@pytest.mark.parametrize("name", [name for name in TABLES if name != "unreadable"])
def test_since_keeps_the_rows_of_that_moment_and_later(name):
    table = TABLES[name]
    rows = table_values(name)
    kept = table_values(name, since=at(400))
    assert kept == [row for row in rows if row[table.since] >= at(400)]
    assert len(kept) < len(rows) or name == "circuits"


def test_since_keeps_an_interval_that_began_before_and_lasts():
    assert [row["start"] for row in table_values("circuits", since="2026-10-01T10:00:00Z")] == [
        at(0),
        at(95),
    ]


def test_since_takes_a_moment_only():
    with pytest.raises(Refusal, match="since is 'today'"):
        table_values("records", since="today")


@pytest.mark.parametrize("name", [name for name in TABLES if name != "circuits"])
def test_task_keeps_the_rows_of_one_task(name):
    rows = table_values(name)
    for task in ("retry", "cache", "none"):
        assert table_values(name, task=task) == [row for row in rows if row["task"] == task]


def test_references_reach_beyond_the_task():
    assert ids("conclusions", task="retry") == ["conclusion-1"]
    assert table_values("conclusions", task="cache")[0]["superseded_by"] == "conclusion-3"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("timeline", ["consultation-2", "consultation-3", "consultation-4"]),
        ("consultations", ["consultation-2", "consultation-3", "consultation-4"]),
        ("failures", ["consultation-2", "consultation-3"]),
        ("advisor_states", ["plan-1"]),
        ("selections", ["plan-1"]),
        ("positions", ["disagreement-1"]),
        ("circuits", ["assessment-1", "consultation-3", "consultation-4"]),
    ],
)
def test_advisor_keeps_the_rows_of_one_advisor(name, expected):
    assert ids(name, advisor="gamma") == expected


@pytest.mark.parametrize("name", ["records", "timeline", "conclusions", "assessments"])
def test_assessment_keeps_the_rows_of_one_assessment(name):
    rows = ids(name, assessment="assessment-2")
    assert rows
    assert set(rows) <= {"assessment-2", "plan-3", "conclusion-2", "conclusion-3", "validation-2"}


def test_an_assessment_may_be_named_by_its_handle():
    handle = Handle(history().ledger.get("assessment-2"))
    assert ids("timeline", assessment=handle) == ids("timeline", assessment="assessment-2")


def test_filters_narrow_together_and_are_free_to_name_a_column_that_is_not_shown():
    rows = table_values(
        "consultations", task="retry", advisor="beta", since=at(100), columns=["status"]
    )
    assert rows == [{"status": "completed"}]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("circuits", {"task": "retry"}),
        ("conclusions", {"advisor": "beta"}),
        ("circuits", {"assessment": "assessment-1"}),
        ("unreadable", {"since": at(0)}),
    ],
)
def test_a_table_is_not_filtered_by_a_column_that_it_lacks(name, option):
    with pytest.raises(NotFound, match=f"of {name} is not there"):
        table_values(name, **option)
