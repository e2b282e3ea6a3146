from frame_samples import at, table_values


def test_every_column_of_advisor_states_holds_the_value_of_the_snapshot():
    assert table_values("advisor_states")[2] == {
        "record_id": "plan-1",
        "assessment_id": "assessment-1",
        "plan_id": "plan-1",
        "task": "retry",
        "at": at(60),
        "advisor": "delta",
        "transport": "cli",
        "adapter": "delta-adapter",
        "advisor_source": "delta-adapter",
        "model": None,
        "status": "rate_limited",
        "reason": "rate_limited",
        "recovering": False,
        "circuit_opened_by": "consultation-0",
        "circuit_failures": 3,
        "circuit_until": at(500),
        "store": "",
        "source": "retry/plan-1.json",
    }


def test_an_advisor_with_a_closed_circuit_has_no_circuit_and_keeps_what_was_declared():
    row = table_values("advisor_states")[0]
    expected = {
        "advisor": "beta",
        "advisor_source": "vendor-b",
        "model": "b-declared",
        "status": "available",
        "reason": "present",
        "recovering": True,
        "circuit_opened_by": None,
        "circuit_failures": None,
        "circuit_until": None,
    }
    assert {name: row[name] for name in expected} == expected


def test_the_snapshot_keeps_its_order():
    assert [row["advisor"] for row in table_values("advisor_states")] == ["beta", "gamma", "delta"]
