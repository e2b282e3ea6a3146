import pytest
from frame_samples import FIRST_COMMIT, at, history, record, story, table_values


def test_every_column_of_records_holds_the_value_of_its_record():
    assert table_values("records")[0] == {
        "record_id": "assessment-1",
        "assessment_id": "assessment-1",
        "kind": "assessment",
        "task": "retry",
        "recorded_at": at(0),
        "head": FIRST_COMMIT,
        "subject": "what a timeout means",
        "origin": "written",
        "redacted": "jwt, openai-key",
        "body": story()[0].body.plain(),
        "store": "",
        "source": "retry/assessment-1.json",
    }


def test_what_an_envelope_does_not_say_is_missing():
    row = table_values("records")[2]
    assert (row["head"], row["redacted"]) == (None, None)


def test_records_of_every_kind_belong_to_the_assessment_of_their_chain():
    found = {row["record_id"]: row["assessment_id"] for row in table_values("records")}
    assert found["validation-1"] == found["resolution-1"] == "assessment-1"
    assert found["consultation-5"] == found["attempt-1"] == "assessment-1"
    assert found["conclusion-3"] == "assessment-2"
    assert found["attempt-2"] is None


def test_a_record_of_an_assessment_that_is_not_recorded_belongs_to_none():
    lost = record("plan-1", 0, {**story()[1].body.plain(), "assessment": "assessment-9"})
    [row] = table_values("records", history([lost]))
    assert (row["assessment_id"], row["subject"]) == (None, None)


def test_changing_a_body_in_the_table_changes_no_record():
    source = history()
    table_values("records", source)[0]["body"]["subject"] = "another"
    assert table_values("records", source)[0]["body"]["subject"] == "what a timeout means"


@pytest.mark.parametrize(
    "stamp",
    ["2026-10-01T11:00:07.5+02:00", "2026-10-01T09:00:07.500Z", "2026-10-01T09:00:07.500000Z"],
)
def test_a_stamp_is_the_moment_it_names_however_it_is_written(stamp):
    written = record("attempt-1", 0, story()[-1].body.plain(), recorded_at=stamp)
    rows = table_values("records", history([*story()[:1], written]))
    assert rows[1]["recorded_at"] == at(7.5)
