"""`mr.load`: several stores as one source of tables."""

from __future__ import annotations

import pytest

import majordomus_reasoning as mr
from majordomus_reasoning.errors import NotFound
from majordomus_reasoning.frames import TABLES
from majordomus_reasoning.testing import deterministic_checkout


@pytest.fixture
def roots(tmp_path):
    """Two checkouts with the same ids and other subjects, and a folder of kept records."""
    for name in ("a/here", "b/here"):
        checkout = deterministic_checkout(root=tmp_path / name)
        checkout.assess(f"the subject of {name}")
        checkout.keep(tmp_path / "kept" / name.replace("/", "-"))
    return tmp_path


def test_ids_that_collide_stay_apart(roots) -> None:
    both = mr.load([roots / "a/here", roots / "b/here"])

    table = both.assessments(columns=["store", "record_id", "subject", "source"])

    assert table["record_id"].nunique() == 1
    assert table["store"].tolist() == ["a/here", "b/here"]
    assert table["subject"].tolist() == ["the subject of a/here", "the subject of b/here"]
    assert table["source"].str.startswith(("a/here/", "b/here/")).all()
    assert repr(both) == "a/here: 1 records\nb/here: 1 records"


def test_checkouts_and_kept_folders_can_be_mixed(roots) -> None:
    mixed = mr.load([roots / "a/here", str(roots / "kept/b-here")])

    assert mixed.records()["store"].tolist() == ["here", "b-here"]


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_a_method_of_several_stores_and_of_one(roots, name) -> None:
    both = mr.load([roots / "a/here", roots / "b/here"])
    one = mr.open(roots / "a/here")

    assert list(getattr(both, name)().columns) == list(getattr(one, name)().columns)
    assert [column.name for column in TABLES[name].columns] == list(both.table(name).columns)


def test_a_table_that_is_not_there_is_named(roots) -> None:
    with pytest.raises(NotFound, match="the tables are records"):
        mr.open(roots / "a/here").table("opinions")


def test_a_path_that_is_not_there_is_named(roots) -> None:
    with pytest.raises(NotFound, match="nothing"):
        mr.load([roots / "nothing"])


def test_no_store_at_all_is_an_empty_source() -> None:
    assert len(mr.load([]).records()) == 0
