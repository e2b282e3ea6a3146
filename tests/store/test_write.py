"""Writing: one record, one new file; or an error, and nothing."""

from __future__ import annotations

import os
import time

import pytest
from builders import Writer, assessment, attempt, decided, held_lock, plan, refusal

from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.core.records import Pin
from majordomus_reasoning.errors import CatalogueError, StoreError, StoreLocked
from majordomus_reasoning.store.files import Store, Surroundings
from majordomus_reasoning.testing import START

SECRET = "ghp_" + "a" * 20
NO_PLAIN_NAMES = ["", " ", ".", "..", "a/b", "a\\b", "../x", "/x", "a\nb", "a\x00b", "x" * 201]


def everything_below(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_each_record_is_one_new_file_and_no_other_changes(writer, files_of):
    before = files_of(writer.root)
    for given in (assessment("a"), assessment("b"), attempt()):
        path = writer.write(given).path
        after = files_of(writer.root)
        assert after.keys() - before.keys() == {str(path.relative_to(writer.root))}
        assert {name: after[name] for name in before} == before
        before = after


def test_no_temporary_file_is_left_behind(writer):
    decided(writer)
    names = {path.name for path in writer.root.rglob("*") if path.is_file()} - {".lock"}
    assert all(name.endswith(".json") for name in names)


@pytest.mark.parametrize("task", NO_PLAIN_NAMES, ids=ascii)
def test_a_task_that_is_no_plain_name_is_refused_and_nothing_is_written(tmp_path, task):
    writer = Writer(tmp_path / "reasoning")
    refused = refusal(writer.write, assessment(), task=task)
    assert (refused.code, refused.field) == ("invalid_value", "task")
    assert everything_below(tmp_path) == []


@pytest.mark.parametrize("task", ["retry-task", "x" * 200, "Aufgabe 7", "日本", "a..b", "All"])
def test_any_plain_name_is_a_task(writer, task):
    assert writer.write(assessment(), task=task).path.parent == writer.root / task
    assert [record.task for record in Store(writer.root).load()] == [task]


@pytest.mark.parametrize("task", ["all", ".lock", ".hidden", SECRET])
def test_a_name_that_no_task_may_have_is_refused_and_nothing_is_written(tmp_path, task):
    writer = Writer(tmp_path / "reasoning")
    refused = refusal(writer.write, assessment(), task=task)
    assert (refused.code, refused.field) == ("invalid_value", "task")
    assert SECRET not in str(refused)
    assert everything_below(tmp_path) == []


def test_a_record_larger_than_what_is_read_back_is_refused_and_nothing_is_written(writer):
    pin = Pin(reference="x", sha256="0" * 64, line="x" * 1024 * 1024)
    surroundings = Surroundings("untasked", pins=lambda _body: (pin,) * 17)
    refused = refusal(writer.store.write, assessment(), Situation, surroundings)
    assert "larger than 16 MiB" in str(refused)
    assert list(writer.root.rglob("*.json")) == []


def test_what_takes_time_is_found_out_before_the_lock(tmp_path):
    """A writer that waits for the lock has read its evidence, its head and its catalogue."""
    writer, seen = Writer(tmp_path), []
    surroundings = Surroundings(
        "untasked",
        head=lambda: seen.append("head"),
        pins=lambda _body: seen.append("pins") or (),
    )
    body = assessment(capabilities=["code_review"])
    with held_lock(tmp_path), pytest.raises(StoreLocked):
        writer.store.write(body, lambda: seen.append("catalogue"), surroundings)
    assert sorted(seen) == ["catalogue", "head", "pins"]


def test_the_catalogue_is_read_once_for_a_record(writer):
    seen = []

    def situate() -> Situation:
        seen.append("catalogue")
        return writer.situation

    body = assessment(capabilities=["code_review", "test_review"])
    writer.store.write(body, situate, Surroundings("untasked"))
    assert seen == ["catalogue"]


def test_a_broken_catalogue_stops_no_record_that_is_there_already(writer):
    def broken() -> Situation:
        raise CatalogueError("advisors.yaml", "version", "it is broken")

    on = writer.record(assessment())
    first = writer.record(plan(on))
    again = writer.store.write(plan(on), broken, Surroundings("untasked"), once=True)
    assert (again.record.id, again.reused) == (first, True)
    with pytest.raises(CatalogueError):
        writer.store.write(plan(on), broken, Surroundings("untasked"))


def test_with_once_a_record_that_is_there_needs_no_lock(writer):
    first = writer.record(assessment())
    with held_lock(writer.root):
        assert writer.record(assessment(), once=True) == first


@pytest.mark.parametrize(
    ("name", "hours", "stays"),
    [
        (f".{'0a' * 8}.tmp", 2, False),
        (f".{'0a' * 8}.tmp", 0.5, True),
        (".mine.tmp", 2, True),
        (f"{'0a' * 8}.tmp", 2, True),
        ("notes.json.bak", 2, True),
    ],
)
def test_of_what_killed_writers_left_the_old_is_removed_and_nothing_else(
    writer, name, hours, stays
):
    left = writer.write(assessment()).path.parent / name
    left.touch()
    long_ago = time.time() - hours * 3_600
    os.utime(left, (long_ago, long_ago))
    writer.store.load()
    assert left.exists()  # reading changes nothing
    writer.record(attempt())
    assert left.exists() is stays


def test_a_file_that_is_there_is_never_overwritten(tmp_path, files_of):
    store = Store(tmp_path, clock=lambda: START, suffix=lambda: "000000")
    path = tmp_path / "untasked" / "assessment-20261130T120000000Z-000000.json"
    path.parent.mkdir()
    path.write_text("someone else's", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written") as caught:
        store.write(assessment(), lambda: None, Surroundings("untasked"))
    assert caught.value.path == str(path)
    assert files_of(tmp_path) == {f"untasked/{path.name}": b"someone else's"}


def test_a_file_where_the_store_should_be_is_an_error_naming_it(tmp_path):
    root = tmp_path / "reasoning"
    root.write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written") as caught:
        Writer(root).write(assessment())
    assert caught.value.path == str(root)
    assert everything_below(tmp_path) == ["reasoning"]


def test_a_file_where_the_folder_above_the_store_should_be_is_an_error_naming_it(tmp_path):
    (tmp_path / "state").write_text("in the way", encoding="utf-8")
    root = tmp_path / "state" / "reasoning"
    with pytest.raises(StoreError) as caught:
        Writer(root).write(assessment())
    assert caught.value.path == str(root)


def test_a_file_where_the_folder_of_the_task_should_be_is_an_error_naming_it(tmp_path, files_of):
    (tmp_path / "untasked").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreError, match="untasked"):
        Writer(tmp_path).write(assessment())
    assert files_of(tmp_path) == {"untasked": b"in the way"}


@pytest.mark.usefixtures("bound_by_permissions")
def test_a_folder_that_cannot_be_written_is_an_error_naming_it(tmp_path):
    writer = Writer(tmp_path / "reasoning")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            writer.write(assessment())
    finally:
        tmp_path.chmod(0o700)
    assert everything_below(tmp_path) == []


def test_after_an_error_the_store_goes_on(tmp_path):
    in_the_way = tmp_path / "untasked"
    in_the_way.write_text("in the way", encoding="utf-8")
    writer = Writer(tmp_path)
    with pytest.raises(StoreError):
        writer.write(assessment())
    in_the_way.unlink()
    first = writer.record(assessment())
    assert [record.id for record in writer.store.load()] == [first]


def test_with_once_the_record_that_is_there_is_returned(writer, files_of):
    first = writer.write(assessment())
    before = files_of(writer.root)
    again = writer.write(assessment(), once=True)
    assert (again.record, again.path, again.reused) == (first.record, first.path, True)
    assert files_of(writer.root) == before


def test_without_once_the_same_body_is_another_record(writer):
    assert writer.record(assessment()) != writer.record(assessment())


def test_once_compares_within_the_task(writer):
    first = writer.record(assessment(), task="one")
    assert writer.record(assessment(), task="two", once=True) != first


def test_once_compares_bodies_as_cleaned_with_defaults_and_empties_apart(writer):
    first = writer.record(assessment(hypothesis="a\x1b[31mb"))
    same = assessment(
        hypothesis="ab", confidence="medium", new_evidence=False, facts=[], questions=[]
    )
    assert writer.record(same, once=True) == first


def test_once_gives_the_latest_plan_of_the_assessment(writer):
    on = writer.record(assessment())
    writer.record(plan(on))
    latest = writer.record(plan(on))
    assert writer.record(plan(on), once=True) == latest
