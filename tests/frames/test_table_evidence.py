import pytest
from frame_samples import at, history, table_values

from majordomus_reasoning.store.evidence import Drift


def test_every_column_of_evidence_holds_the_value_of_its_reference():
    assert table_values("evidence")[0] == {
        "record_id": "assessment-1",
        "assessment_id": "assessment-1",
        "task": "retry",
        "at": at(0),
        "record_kind": "assessment",
        "kind": "file",
        "reference": "src/x.py:42",
        "note": "where it is raised",
        "path": "src/x.py",
        "line": 42,
        "pinned_sha256": "aa",
        "commit": "c0ffee",
        "commit_known": True,
        "unchanged_since": True,
        "store": "",
        "source": "retry/assessment-1.json",
    }


def test_a_pinned_file_without_a_line_or_commit_says_so():
    row = table_values("evidence")[1]
    assert (row["path"], row["line"], row["commit"]) == ("README.md", None, None)
    assert row["commit_known"] is row["unchanged_since"] is False


def test_evidence_that_is_no_file_has_no_path_and_no_pin():
    row = table_values("evidence")[2]
    assert row["reference"] == "0024"
    facts = "path line note pinned_sha256 commit commit_known unchanged_since"
    assert {row[name] for name in facts.split()} == {None}


@pytest.mark.parametrize(
    ("status", "unchanged"),
    [
        ("unchanged", True),
        ("line_unchanged", True),
        ("line_moved", True),
        ("line_changed", False),
        ("changed", False),
        ("gone", False),
    ],
)
def test_evidence_is_unchanged_while_the_pinned_line_or_file_says_the_same(status, unchanged):
    source = history(drift=lambda record_id, pin: Drift(record_id, pin.reference, status))
    assert table_values("evidence", source)[0]["unchanged_since"] is unchanged


def test_nothing_is_said_of_drift_where_no_checkout_is_at_hand():
    assert table_values("evidence", history(drift=None))[0]["unchanged_since"] is None


def test_records_of_every_kind_give_their_evidence():
    kinds = {row["record_kind"] for row in table_values("evidence")}
    assert kinds == {"assessment", "resolution"}
