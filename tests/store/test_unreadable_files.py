"""A file that is no record is listed with its path and the field at fault; the rest loads."""

from __future__ import annotations

import json
import os

import pytest
from builders import (
    Desk,
    answer,
    assessment,
    attempt,
    conclusion,
    disagreement,
    envelope,
    plan,
    put,
)

from majordomus_reasoning.store.files import Store

GOOD = envelope("good", 0, assessment())


def without(value: dict, name: str) -> dict:
    return {key: item for key, item in value.items() if key != name}


def nested(levels: int) -> str:
    deep = "[" * levels + "]" * levels
    return json.dumps({**GOOD, "id": "x", "extra": "?"}).replace('"?"', deep)


def endless_circuit() -> dict:
    desk = Desk()
    body = desk.body(desk.record(plan(desk.record(assessment())))).plain()
    until = "9999-12-31T23:59:59-23:00"
    body["availability"][0]["circuit"] = {"opened_by": "c", "failures": 1, "until": until}
    return envelope("x", 0, body)


FAULTS = {
    "empty": ("", None),
    "no JSON": ("{ half", None),
    "two values": ("{} {}", None),
    "no UTF-8": (b'{"schema": "\xff\xfe"}', None),
    "UTF-16": (json.dumps(GOOD).encode("utf-16"), None),
    "a list": ("[]", None),
    "null": ("null", None),
    "a lone surrogate": (json.dumps({**GOOD, "task": "\ud800"}), None),
    "nested beyond measure": (nested(10_000), None),
    "nothing in it": ("{}", "schema"),
    "another schema": ({**GOOD, "schema": "someone/else"}, "schema"),
    "no schema": (without(GOOD, "schema"), "schema"),
    "a newer version": ({**GOOD, "version": 2}, "version"),
    "a version in words": ({**GOOD, "version": "1"}, "version"),
    "a version with a point": ({**GOOD, "version": 1.0}, "version"),
    "a version that is true": ({**GOOD, "version": True}, "version"),
    "no id": (without(GOOD, "id"), "id"),
    "an id with a separator": ({**GOOD, "id": "../x"}, "id"),
    "an id with a backslash": ({**GOOD, "id": "a\\b"}, "id"),
    "an id of dots": ({**GOOD, "id": ".."}, "id"),
    "an id with a control character": ({**GOOD, "id": "a\nb"}, "id"),
    "an id of 201 bytes": ({**GOOD, "id": "é" * 100 + "x"}, "id"),
    "an empty id": ({**GOOD, "id": ""}, "id"),
    "a task with a separator": ({**GOOD, "id": "x", "task": "a/b"}, "task"),
    "a task of dots": ({**GOOD, "id": "x", "task": "."}, "task"),
    "no stamp": (without(GOOD, "recorded_at"), "recorded_at"),
    "a stamp in words": ({**GOOD, "id": "x", "recorded_at": "today"}, "recorded_at"),
    "a stamp of no zone": (
        {**GOOD, "id": "x", "recorded_at": "2026-10-01T09:30:00"},
        "recorded_at",
    ),
    "a date": ({**GOOD, "id": "x", "recorded_at": "2026-10-01"}, "recorded_at"),
    "a stamp of a 13th month": (
        {**GOOD, "id": "x", "recorded_at": "2026-13-01T09:30:00Z"},
        "recorded_at",
    ),
    "a stamp beyond the calendar": (
        {**GOOD, "id": "x", "recorded_at": "0001-01-01T00:00:00+23:00"},
        "recorded_at",
    ),
    "a stamp that is a number": ({**GOOD, "id": "x", "recorded_at": 1764504000}, "recorded_at"),
    "no body": (without(GOOD, "body"), "body"),
    "a body of an unknown kind": (envelope("x", 0, {"kind": "opinion"}), "body"),
    "a body of no kind": (envelope("x", 0, {"subject": "x"}), "body"),
    "a body without what it requires": (
        envelope("x", 0, {"kind": "assessment"}),
        "body.assessment.subject",
    ),
    "a word outside its enumeration": (
        envelope("x", 0, assessment(materiality="huge")),
        "body.assessment.materiality",
    ),
    "a wrong type deep inside": (
        envelope("x", 0, assessment(evidence=[{"kind": "file", "reference": 5}])),
        "body.assessment.evidence.0.reference",
    ),
    "a conclusion without its computed fields": (
        envelope("x", 0, conclusion("a")),
        "body.conclusion.reviewed_by",
    ),
    "a plan without its plan": (envelope("x", 0, plan("a")), "body.plan.plan"),
    "a wait beyond a day": (
        envelope("x", 0, answer("p", retry_after_seconds=86_401)),
        "body.consultation.retry_after_seconds",
    ),
    "positions that are no list": (
        envelope("x", 0, disagreement("a", positions="A")),
        "body.disagreement.positions",
    ),
    "a circuit that ends beyond the calendar": (
        endless_circuit(),
        "body.plan.availability.0.circuit.until",
    ),
}


@pytest.mark.parametrize(("content", "field"), FAULTS.values(), ids=FAULTS)
def test_it_is_listed_with_path_and_field_and_the_rest_loads(tmp_path, content, field):
    put(tmp_path, "bad.json", content)
    put(tmp_path, "good.json", GOOD)
    put(tmp_path, "other.json", envelope("other", 1, attempt(), task="t"), "t")
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good", "other"]
    (fault,) = store.unreadable
    assert (fault.path, fault.field) == ("untasked/bad.json", field)
    assert fault.error
    assert "\n" not in fault.error


def test_a_folder_named_like_a_record_is_listed(tmp_path):
    put(tmp_path, "good.json", GOOD)
    (tmp_path / "untasked" / "bad.json").mkdir()
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    assert [fault.path for fault in store.unreadable] == ["untasked/bad.json"]


def test_a_link_to_nowhere_is_listed(tmp_path):
    put(tmp_path, "good.json", GOOD)
    (tmp_path / "untasked" / "bad.json").symlink_to(tmp_path / "nowhere")
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    assert [fault.path for fault in store.unreadable] == ["untasked/bad.json"]


@pytest.fixture
def loop(tmp_path):
    """A function that makes a link to itself."""

    def make(name: str):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(path.name)

    return make


@pytest.mark.parametrize("name", ["untasked/bad.json", "bad", "bad.json"])
def test_a_loop_of_links_is_listed_and_the_rest_loads(tmp_path, loop, name):
    put(tmp_path, "good.json", GOOD)
    loop(name)
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    assert [fault.path for fault in store.unreadable] == [name]


@pytest.mark.usefixtures("bound_by_permissions")
@pytest.mark.parametrize("name", ["closed", "untasked/bad.json"])
def test_a_folder_or_file_that_may_not_be_read_is_listed_and_the_rest_loads(tmp_path, name):
    put(tmp_path, "good.json", GOOD)
    put(tmp_path, "bad.json", envelope("x", 0, assessment()))
    put(tmp_path, "x.json", envelope("y", 0, assessment()), "closed")
    (tmp_path / name).chmod(0)
    store = Store(tmp_path)
    try:
        assert "good" in [record.id for record in store.load()]
    finally:
        (tmp_path / name).chmod(0o700)
    (fault,) = store.unreadable
    assert (fault.path, fault.error) == (name, "it cannot be read (Permission denied)")


def test_a_pipe_is_listed_and_not_waited_for(tmp_path):
    put(tmp_path, "good.json", GOOD)
    os.mkfifo(tmp_path / "untasked" / "bad.json")
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    (fault,) = store.unreadable
    assert (fault.path, fault.error) == ("untasked/bad.json", "it is no regular file")


def test_a_file_of_more_than_16_mib_is_listed_and_not_read_whole(tmp_path):
    put(tmp_path, "good.json", GOOD)
    with put(tmp_path, "bad.json", "").open("wb") as file:
        file.truncate(3 * 1024**3)  # sparse: it takes no space
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    (fault,) = store.unreadable
    assert (fault.path, fault.field) == ("untasked/bad.json", None)
    assert "larger than 16 MiB" in fault.error


def test_a_record_beside_the_folders_of_the_tasks_is_listed(tmp_path):
    put(tmp_path, "good.json", GOOD)
    (tmp_path / "stray.json").write_text(json.dumps(envelope("x", 0, assessment())))
    (tmp_path / "README.md").touch()
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good"]
    (fault,) = store.unreadable
    assert (fault.path, fault.error) == ("stray.json", "it lies in the folder of no task")


def test_of_two_files_with_one_id_the_second_is_listed_and_names_the_first(tmp_path):
    put(tmp_path, "a.json", GOOD)
    put(tmp_path, "b.json", {**GOOD, "task": "t"}, "t")
    put(tmp_path, "c.json", envelope("other", 1, assessment()), "untasked")
    store = Store(tmp_path)
    assert [record.id for record in store.load()] == ["good", "other"]
    (fault,) = store.unreadable
    assert (fault.path, fault.field) == ("untasked/a.json", "id")
    assert "t/b.json" in fault.error


@pytest.mark.parametrize(
    ("rival", "task"),
    [("evil.json", "aaa"), ("good.json", "aaa"), ("evil.json", "untasked"), ("z.json", "zzz")],
)
def test_of_two_files_with_one_id_the_one_in_its_place_is_the_record(tmp_path, rival, task):
    """Whichever came first, and whichever process looks."""
    genuine = put(tmp_path, "good.json", GOOD)
    before, after = Store(tmp_path), Store(tmp_path)
    before.load()
    put(tmp_path, rival, envelope("good", 0, assessment("evil")), task)
    genuine.rename(tmp_path / "aside")
    assert [record.body.subject for record in after.load()] == ["evil"]
    (tmp_path / "aside").rename(genuine)
    for store in (before, after, Store(tmp_path)):
        for _ in range(2):
            assert [record.body.subject for record in store.load()] == ["lock scope"]
            assert [fault.path for fault in store.unreadable] == [f"{task}/{rival}"]
            assert store.path("good") == genuine


def test_faults_are_listed_by_path(tmp_path):
    for task, name in (("b", "x"), ("a", "y"), ("a", "x")):
        put(tmp_path, f"{name}.json", "{", task)
    store = Store(tmp_path)
    store.load()
    assert [fault.path for fault in store.unreadable] == ["a/x.json", "a/y.json", "b/x.json"]


def test_the_reason_never_repeats_what_the_file_holds(tmp_path):
    secret = "ghp_" + "a" * 20
    put(tmp_path, "a.json", envelope("a", 0, assessment(materiality=secret)))
    put(tmp_path, "b.json", {**GOOD, "id": f"{secret}/x"})
    put(tmp_path, "c.json", {**GOOD, "id": "c", "recorded_at": secret})
    store = Store(tmp_path)
    store.load()
    assert len(store.unreadable) == 3
    assert secret not in repr(store.unreadable)


def test_a_store_with_faults_still_takes_records(writer):
    put(writer.root, "bad.json", "{")
    assert writer.record(assessment())
