import pytest
from frame_samples import at, history, record, story, table_values


def test_every_column_of_disagreements_holds_the_value_of_its_disagreement():
    [row] = table_values("disagreements")
    assert row == {
        "record_id": "disagreement-1",
        "assessment_id": "assessment-1",
        "resolution_id": "resolution-1",
        "task": "retry",
        "at": at(100),
        "positions": 3,
        "sources": 3,
        "question": "does any caller retry?",
        "settled": True,
        "favours": "consultation-4",
        "favoured_advisor": "gamma",
        "majority_position": "Restart  it",
        "majority_share": pytest.approx(2 / 3),
        "evidence_agreed": True,
        "settled_at": at(161.9),
        "seconds_to_settle": 61,
        "store": "",
        "source": "retry/disagreement-1.json",
    }


def test_an_open_disagreement_favours_nobody_yet():
    [row] = table_values("disagreements", history(story()[:7]))
    assert row["settled"] is False
    unknown = "resolution_id favours favoured_advisor evidence_agreed settled_at seconds_to_settle"
    assert {row[name] for name in unknown.split()} == {None}
    assert row["majority_position"] == "Restart  it"


def _settled(favours):
    body = {**story()[7].body.plain(), "favours": favours}
    return history([*story()[:7], record("resolution-1", 110, body)])


@pytest.mark.parametrize(
    ("favours", "advisor", "agreed"),
    [
        ("primary", "primary", False),
        ("consultation-1", "beta", True),
        ("consultation-4", "gamma", True),
        ("neither", None, False),
    ],
)
def test_evidence_agrees_with_the_majority_only_where_it_favours_one_of_its_holders(
    favours, advisor, agreed
):
    [row] = table_values("disagreements", _settled(favours))
    assert (row["favours"], row["favoured_advisor"]) == (favours, advisor)
    assert row["evidence_agreed"] is agreed


def test_two_positions_of_one_source_each_have_no_majority_to_agree_with():
    body = story()[6].body.plain()
    disagreement = record("disagreement-1", 100, {**body, "positions": body["positions"][:2]})
    [row] = table_values("disagreements", history([*story()[:6], disagreement, story()[7]]))
    assert row["majority_position"] is row["evidence_agreed"] is None
    assert row["majority_share"] == 0.5


def test_answers_of_one_source_count_as_one_source_beside_the_author():
    body = story()[1].body.plain()
    states = [{**state, "source": "one-vendor"} for state in body["availability"]]
    plan = record("plan-1", 60, {**body, "availability": states})
    [row] = table_values("disagreements", history([story()[0], plan, *story()[2:8]]))
    assert (row["positions"], row["sources"]) == (3, 2)
