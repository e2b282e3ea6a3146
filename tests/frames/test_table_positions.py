from frame_samples import at, history, story, table_values


def test_every_column_of_positions_holds_the_value_of_its_position():
    assert table_values("positions")[2] == {
        "record_id": "disagreement-1",
        "assessment_id": "assessment-1",
        "disagreement_id": "disagreement-1",
        "consultation_id": "consultation-4",
        "task": "retry",
        "at": at(100),
        "position_source": "consultation-4",
        "advisor": "gamma",
        "position": "restart it",
        "favoured": True,
        "store": "",
        "source": "retry/disagreement-1.json",
    }


def test_the_authors_position_is_the_primary_one_and_has_no_consultation():
    row = table_values("positions")[0]
    assert (row["advisor"], row["position_source"]) == ("primary", "primary")
    assert row["consultation_id"] is None
    assert row["favoured"] is False


def test_who_holds_the_favoured_position_is_favoured_whichever_source_the_resolution_names():
    """The resolution names consultation-4; the answer before it says the same in other letters."""
    rows = [(row["position_source"], row["favoured"]) for row in table_values("positions")]
    assert rows == [("primary", False), ("consultation-1", True), ("consultation-4", True)]


def test_nobody_is_favoured_while_the_disagreement_is_open():
    rows = table_values("positions", history(story()[:7]))
    assert [row["favoured"] for row in rows] == [None, None, None]
