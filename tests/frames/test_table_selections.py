from frame_samples import at, table_values


def test_every_column_of_selections_holds_the_value_of_a_selected_advisor():
    assert table_values("selections")[1] == {
        "record_id": "plan-1",
        "assessment_id": "assessment-1",
        "plan_id": "plan-1",
        "task": "retry",
        "at": at(60),
        "advisor": "beta",
        "selected": True,
        "plan_position": 2,
        "covers": "independent_reasoning, test_review",
        "status": None,
        "why": "beta was wanted",
        "store": "",
        "source": "retry/plan-1.json",
    }


def test_an_excluded_advisor_comes_after_the_selected_with_its_status_and_reason():
    row = table_values("selections")[2]
    expected = {
        "advisor": "delta",
        "selected": False,
        "plan_position": None,
        "covers": None,
        "status": "rate_limited",
        "why": "it is resting",
    }
    assert {name: row[name] for name in expected} == expected
