"""Reading YAML that people wrote: its values, or one error of ours that names the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from majordomus_reasoning.errors import CatalogueError
from majordomus_reasoning.store.declarations import read_yaml


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "declared.yaml"


def error(path: Path, **options) -> CatalogueError:
    with pytest.raises(CatalogueError) as caught:
        read_yaml(path, **options)
    assert caught.value.file == str(path)
    return caught.value


def test_the_values_of_a_file_are_those_that_yaml_gives_them(path):
    path.write_text("a: 1\nb: [yes, é]\n", encoding="utf-8")
    assert read_yaml(path) == {"a": 1, "b": [True, "é"]}


def test_with_words_only_every_scalar_is_text(path):
    path.write_text("a: 0042\nb: true\nc: ~\n", encoding="utf-8")
    assert read_yaml(path, words_only=True) == {"a": "0042", "b": "true", "c": "~"}


def test_an_absent_file_holds_what_the_reader_says_and_an_empty_one_nothing(path):
    assert read_yaml(path) is None
    assert read_yaml(path, absent={}) == {}
    assert read_yaml(path / "below", absent={}) == {}
    path.touch()
    assert read_yaml(path, absent={}) is None


@pytest.mark.parametrize(
    "value",
    [
        '!!int ""',
        '!!float ""',
        '!!timestamp ""',
        "!!timestamp x",
        "!!bool x",
        "!!binary é",
        "!!python/name:os.system",
        "&a [*a, *b]",
        "{[a]: b}",
        "9" * 5_000,
        "[" * 100_000,
        "'",
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_plain_yaml_is_an_error_of_ours(path, value):
    path.write_text(f"version: {value}\n", encoding="utf-8")
    assert "it is no YAML" in str(error(path))


@pytest.mark.parametrize("words_only", [True, False])
@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a: 1\nb: 2\na: 1\n", "a", 3),
        ("a: 1\n'a': 2\n", "a", 2),
        ("1: x\n1: y\n", "1", 2),
        ("a:\n- b: {c: 1, d: 2, c: 3}\n", "c", 2),
        ("a: &x {b: 1}\nc: *x\nd:\n  e: 1\n  e: 1\n", "e", 5),
    ],
)
def test_a_key_that_a_mapping_declares_twice_is_refused_and_named(
    path, text, key, line, words_only
):
    path.write_text(text, encoding="utf-8")
    found = error(path, words_only=words_only)
    assert found.field == key
    assert f"line {line} declares it a second time" in str(found)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- a: 1\n- a: 2\n", [{"a": 1}, {"a": 2}]),
        ("a: {a: 1}\n", {"a": {"a": 1}}),
        ("1: x\n'1': y\n", {1: "x", "1": "y"}),
        ("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", {"a": {"b": 1}, "c": {"b": 2}}),
    ],
)
def test_a_key_of_several_mappings_is_no_key_declared_twice(path, text, value):
    path.write_text(text, encoding="utf-8")
    assert read_yaml(path) == value


def test_a_value_that_holds_itself_is_read_to_its_end(path):
    path.write_text("a: &x [*x]\n", encoding="utf-8")
    (held,) = read_yaml(path)["a"]
    assert held[0] is held


def test_the_line_of_a_fault_is_named(path):
    path.write_text("a: 1\nb: !!binary é\n", encoding="utf-8")
    assert error(path).field == "line 2"


@pytest.mark.parametrize("words_only", [True, False])
def test_a_file_of_more_than_a_mebibyte_is_refused(path, words_only):
    path.write_text("a: b\n" * 250_000, encoding="utf-8")
    assert "larger than 1 MiB" in str(error(path, words_only=words_only))


def test_a_pipe_is_refused_and_not_waited_for(path):
    os.mkfifo(path)
    assert "no regular file" in str(error(path))


def test_a_device_without_an_end_is_refused(path):
    path.symlink_to("/dev/zero")
    assert "no regular file" in str(error(path))


def test_what_is_no_utf_8_is_refused(path):
    path.write_bytes(b"a: \xff\n")
    assert "no UTF-8" in str(error(path))
