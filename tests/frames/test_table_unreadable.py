from frame_samples import history, table_values

from majordomus_reasoning.core.ledger import Unreadable


def test_every_column_of_unreadable_holds_the_value_of_its_file():
    assert table_values("unreadable") == [
        {
            "record_id": "plan-9",
            "task": "cache",
            "path": "cache/plan-9.json",
            "kind": "plan",
            "field": "body.plan",
            "error": "field required",
            "store": "",
            "source": "cache/plan-9.json",
        }
    ]


def test_a_file_whose_name_tells_no_kind_has_none_and_the_whole_file_has_no_field():
    files = (Unreadable("b/foreign.json", None, "no JSON"), Unreadable("a/x.json", None, "empty"))
    rows = table_values("unreadable", history(unreadable=files))
    assert [(row["path"], row["kind"], row["field"]) for row in rows] == [
        ("a/x.json", None, None),
        ("b/foreign.json", None, None),
    ]
