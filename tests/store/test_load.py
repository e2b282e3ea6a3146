"""Loading: what lies in the folder becomes the ledger, and nothing is read twice."""

from __future__ import annotations

import pytest
from builders import Writer, assessment, attempt, decided, envelope, held_lock, put

from majordomus_reasoning.errors import StoreError
from majordomus_reasoning.store.files import Store


def ids(store: Store) -> list[str]:
    return [record.id for record in store.load()]


def test_an_absent_store_is_an_empty_one_and_stays_absent(tmp_path):
    store = Store(tmp_path / "absent")
    assert (ids(store), store.unreadable) == ([], ())
    assert not (tmp_path / "absent").exists()


def test_records_of_all_tasks_are_ordered_by_stamp_then_id(tmp_path):
    for name, seconds, task in (("b", 2, "t1"), ("c", 1, "t2"), ("a", 2, "t2"), ("d", 0, "t1")):
        put(tmp_path, f"{name}.json", envelope(name, seconds, assessment(), task=task), task)
    assert ids(Store(tmp_path)) == ["d", "c", "a", "b"]


def test_any_plain_id_is_read_and_unknown_fields_are_kept(tmp_path):
    body = {
        **assessment(),
        "mood": "calm",
        "evidence": [{"kind": "file", "reference": "x", "n": 1}],
    }
    put(tmp_path, "x.json", envelope("a", 0, body, colour="blue"))
    (record,) = Store(tmp_path).load()
    assert sorted(record.unknown_fields()) == ["body.evidence[0].n", "body.mood", "colour"]
    assert record.plain()["body"]["mood"] == "calm"


def test_a_reference_to_a_record_that_is_not_there_is_no_reason_to_reject_the_file(tmp_path):
    put(tmp_path, "x.json", envelope("a", 0, attempt(assessment="gone")))
    assert ids(Store(tmp_path)) == ["a"]


@pytest.mark.parametrize("name", [".x.json.tmp", "x.json~", "x.txt", "json", "x.JSON.bak"])
def test_a_file_of_another_name_is_no_record_and_no_fault(tmp_path, name):
    put(tmp_path, name, "{ not json")
    store = Store(tmp_path)
    assert (ids(store), store.unreadable) == ([], ())


def test_a_loaded_file_is_not_read_again(tmp_path):
    path = put(tmp_path, "a.json", envelope("a", 0, assessment("first")))
    store = Store(tmp_path)
    before = store.load()
    inode = path.stat().st_ino
    path.write_text("no record any more", encoding="utf-8")  # in place: the same inode
    assert path.stat().st_ino == inode
    put(tmp_path, "b.json", envelope("b", 1, assessment("second")))
    assert ids(store) == ["a", "b"]
    assert store.load().get("a") is before.get("a")
    assert store.unreadable == ()


def test_loading_again_with_nothing_new_gives_the_same_ledger(writer):
    decided(writer)
    store = Store(writer.root)
    assert store.load() is store.load()


def test_what_one_store_writes_another_loads_and_the_writer_does_not_read_back(writer):
    reader = Store(writer.root)
    written = writer.write(assessment())
    assert ids(reader) == [written.record.id]
    assert writer.store.load().get(written.record.id) is written.record


def test_a_record_that_arrives_late_takes_its_place_in_order(tmp_path):
    put(tmp_path, "b.json", envelope("b", 5, assessment()))
    store = Store(tmp_path)
    assert ids(store) == ["b"]
    put(tmp_path, "a.json", envelope("a", 1, assessment()))
    assert ids(store) == ["a", "b"]
    assert ids(store) == ids(Store(tmp_path))


def test_a_file_that_goes_takes_its_record_along(tmp_path):
    for name in "ab":
        put(tmp_path, f"{name}.json", envelope(name, 0, assessment()))
    store = Store(tmp_path)
    assert ids(store) == ["a", "b"]
    (tmp_path / "untasked" / "a.json").unlink()
    assert ids(store) == ["b"]


def test_a_file_that_is_replaced_by_another_is_read_again(tmp_path):
    path = put(tmp_path, "a.json", envelope("a", 0, assessment("old")))
    store = Store(tmp_path)
    store.load()
    put(tmp_path, "new.tmp", envelope("a", 0, assessment("new"))).replace(path)
    (record,) = store.load()
    assert record.body.subject == "new"


def test_a_fault_that_is_mended_in_place_becomes_a_record(tmp_path):
    path = put(tmp_path, "a.json", "{ half")
    store = Store(tmp_path)
    assert (ids(store), len(store.unreadable)) == ([], 1)
    put(tmp_path, path.name, envelope("a", 0, assessment()))
    assert (ids(store), store.unreadable) == (["a"], ())


def test_a_fault_that_goes_is_listed_no_more(tmp_path):
    path = put(tmp_path, "a.json", "{ half")
    store = Store(tmp_path)
    store.load()
    path.unlink()
    store.load()
    assert store.unreadable == ()


def test_the_path_of_a_record_is_where_its_file_lies(tmp_path):
    path = put(tmp_path, "odd name.json", envelope("a", 0, assessment()))
    store = Store(tmp_path)
    store.load()
    assert store.path("a") == path
    assert store.path("b") is None


@pytest.mark.parametrize(
    ("name", "task", "home"),
    [
        ("a.json", "untasked", None),
        ("b.json", "untasked", "untasked/a.json"),
        ("a.json", "moved", "untasked/a.json"),
    ],
)
def test_a_record_out_of_its_place_is_read_and_told(tmp_path, name, task, home):
    put(tmp_path, name, envelope("a", 0, assessment()), task)
    store = Store(tmp_path)
    assert (ids(store), store.unreadable) == (["a"], ())
    assert store.misplaced() == ([(f"{task}/{name}", home)] if home else [])


@pytest.mark.parametrize("task", ["all", ".hidden"])
def test_records_of_a_task_whose_name_is_refused_today_stay_readable(tmp_path, task):
    put(tmp_path, "a.json", envelope("a", 0, assessment(), task=task), task)
    store = Store(tmp_path)
    assert (ids(store), store.unreadable, store.misplaced()) == (["a"], (), [])


def test_a_file_where_the_store_should_be_is_an_error_naming_it(tmp_path):
    root = tmp_path / "reasoning"
    root.write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be read") as caught:
        Store(root).load()
    assert caught.value.path == str(root)


@pytest.mark.usefixtures("bound_by_permissions")
def test_a_folder_that_cannot_be_read_is_an_error_naming_it(tmp_path):
    put(tmp_path, "a.json", envelope("a", 0, assessment()))
    tmp_path.chmod(0)
    try:
        with pytest.raises(StoreError, match="cannot be read"):
            Store(tmp_path).load()
    finally:
        tmp_path.chmod(0o700)


def test_reading_needs_no_lock(tmp_path):
    """A writer that hangs keeps other writers away, and no reader."""
    writer = Writer(tmp_path)
    writer.record(assessment())
    with held_lock(tmp_path):
        assert len(Store(tmp_path).load()) == 1
