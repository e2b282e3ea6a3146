import pytest
from frame_samples import at, consultation, history, record, story, table_values


def test_every_column_of_consultations_holds_the_value_of_its_consultation():
    assert table_values("consultations")[0] == {
        "record_id": "consultation-1",
        "assessment_id": "assessment-1",
        "plan_id": "plan-1",
        "task": "retry",
        "at": at(75.5),
        "advisor": "beta",
        "transport": "cli",
        "adapter": "beta-adapter",
        "advisor_source": "vendor-b",
        "model": "b-served",
        "client": "b-client",
        "client_version": "1.2",
        "answer_origin": "asked",
        "status": "completed",
        "transient": False,
        "stance": "opposes",
        "confidence": "high",
        "duration_ms": 2150,
        "input_tokens": 412,
        "output_tokens": 96,
        "retry_after_seconds": None,
        "diagnostic": None,
        "materiality": "high",
        "mode": "strict",
        "plan_position": 2,
        "store": "",
        "source": "retry/consultation-1.json",
    }


def test_a_failure_says_what_is_known_of_it_and_its_model_is_the_snapshots():
    row = table_values("consultations")[1]
    expected = {
        "transport": "api",
        "advisor_source": "gamma-adapter",
        "model": "g-declared",
        "client": None,
        "answer_origin": "reported",
        "status": "timeout",
        "transient": True,
        "stance": None,
        "confidence": None,
        "duration_ms": 90004,
        "input_tokens": None,
        "diagnostic": "no answer",
        "plan_position": 1,
    }
    assert {name: row[name] for name in expected} == expected


def test_a_rate_limit_says_how_long_to_wait_and_is_not_transient():
    row = table_values("consultations")[2]
    assert (row["retry_after_seconds"], row["transient"]) == (120, False)


@pytest.mark.parametrize(
    "records",
    [
        [record("consultation-1", 0, consultation("plan-9", "beta", "completed"))],
        [
            story()[0],
            story()[1],
            record("consultation-1", 99, consultation("plan-1", "eta", "empty")),
        ],
    ],
    ids=["without its plan", "of an advisor that its plan does not know"],
)
def test_a_consultation_that_its_plan_tells_nothing_of_has_no_transport_and_is_its_own_source(
    records,
):
    [row] = table_values("consultations", history(records))
    assert row["transport"] is row["adapter"] is row["model"] is row["plan_position"] is None
    assert row["advisor_source"] == row["advisor"]
