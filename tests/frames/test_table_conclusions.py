from frame_samples import at, conclusion, history, record, story, table_values


def test_every_column_of_conclusions_holds_the_value_of_its_conclusion():
    assert table_values("conclusions")[0] == {
        "record_id": "conclusion-1",
        "assessment_id": "assessment-1",
        "supersedes": None,
        "superseded_by": None,
        "task": "retry",
        "at": at(200),
        "subject": "what a timeout means",
        "materiality": "high",
        "decision": "restart it",
        "confidence": "medium",
        "reviewed_by": "beta, gamma",
        "independent_review_count": 2,
        "distinct_sources": 2,
        "asked": 1,
        "reported": 1,
        "unweighed_since": "consultation-5",
        "validations_passed": 1,
        "validations_failed": 0,
        "standing": "validated",
        "days_stood": 9,
        "store": "",
        "source": "retry/conclusion-1.json",
    }


def test_a_superseded_conclusion_stood_until_the_one_that_replaced_it():
    replaced, successor = table_values("conclusions")[1:]
    assert replaced["superseded_by"] == successor["record_id"] == "conclusion-3"
    assert successor["supersedes"] == "conclusion-2"
    assert (replaced["standing"], replaced["validations_failed"]) == ("superseded", 1)
    assert (replaced["days_stood"], successor["days_stood"]) == (2, 7)


def test_a_conclusion_reached_alone_has_no_reviewer_and_no_source():
    row = table_values("conclusions")[1]
    assert row["reviewed_by"] is None
    assert row["independent_review_count"] == row["distinct_sources"] == row["asked"] == 0


def test_a_failed_validation_outweighs_one_that_passed():
    failed = {"conclusion": "conclusion-1", "check": "again", "outcome": "fail"}
    row = table_values("conclusions", history([*story(), record("validation-3", 500, failed)]))[0]
    assert row["standing"] == "validation_failed"


def test_without_a_validation_a_conclusion_is_just_concluded():
    assert table_values("conclusions")[2]["standing"] == "concluded"


def test_a_later_conclusion_that_names_no_predecessor_still_takes_its_place():
    records = [
        record("assessment-1", 0, {"subject": "s"}),
        record("conclusion-1", 1, conclusion("assessment-1", "a")),
        record("conclusion-2", 1 + 86_400, conclusion("assessment-1", "b")),
    ]
    first, second = table_values("conclusions", history(records))
    assert (first["standing"], first["superseded_by"], first["days_stood"]) == (
        "superseded",
        None,
        1,
    )
    assert second["standing"] == "concluded"
