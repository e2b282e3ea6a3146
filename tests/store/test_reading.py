"""Reading files of other hands: regular ones, up to a size, without waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from majordomus_reasoning.store.reading import (
    MIB,
    is_file,
    is_folder,
    is_there,
    read_bounded,
    resolved,
)


@pytest.fixture
def loop(tmp_path) -> Path:
    """A link that leads to itself."""
    link = tmp_path / "loop"
    link.symlink_to(link)
    return link


@pytest.mark.parametrize("content", [b"", b"x", b"\r\n\xff" * 100_000], ids=len)
def test_a_regular_file_is_read_byte_for_byte(tmp_path, content):
    (tmp_path / "f").write_bytes(content)
    assert read_bounded(tmp_path / "f", MIB) == content


def test_a_link_to_a_regular_file_is_followed(tmp_path):
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "f")
    assert read_bounded(tmp_path / "link", MIB) == b"x"


def test_a_file_of_the_most_bytes_is_read_and_one_of_more_is_refused(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 100_000)
    assert len(read_bounded(tmp_path / "f", 100_000)) == 100_000
    with pytest.raises(OSError, match="larger than") as caught:
        read_bounded(tmp_path / "f", 99_999)
    assert caught.value.strerror.startswith("it is larger than")


def test_a_huge_file_is_refused_and_its_bound_is_named(tmp_path):
    with (tmp_path / "f").open("wb") as file:
        file.truncate(3 * 1024 * MIB)  # sparse: it takes no space
    with pytest.raises(OSError, match="it is larger than 16 MiB"):
        read_bounded(tmp_path / "f", 16 * MIB)


def test_a_pipe_that_nobody_writes_to_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        read_bounded(tmp_path / "pipe", MIB)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev"])
def test_a_device_or_folder_is_refused(path):
    with pytest.raises(OSError, match="no regular file"):
        read_bounded(path, MIB)


@pytest.mark.parametrize("name", ["gone", "a\x00b", "\ud800"], ids=ascii)
def test_where_no_file_is_or_can_be_the_error_says_so(tmp_path, name):
    with pytest.raises(FileNotFoundError) as caught:
        read_bounded(f"{tmp_path}/{name}", MIB)
    assert caught.value.strerror == "No such file or directory"


def test_a_loop_of_links_is_an_error_of_the_operating_system(loop):
    with pytest.raises(OSError, match="symbolic links"):
        read_bounded(loop, MIB)


def test_what_is_there_is_told_and_what_cannot_be_looked_at_is_not_there(tmp_path, loop):
    (tmp_path / "f").touch()
    os.mkfifo(tmp_path / "pipe")
    cases = [tmp_path, tmp_path / "f", tmp_path / "pipe", tmp_path / "f" / "x", loop, Path("a\x00")]
    assert [is_there(path) for path in cases] == [True, True, True, False, False, False]
    assert [is_folder(path) for path in cases] == [True, False, False, False, False, False]
    assert [is_file(path) for path in cases] == [False, True, False, False, False, False]


@pytest.mark.usefixtures("bound_by_permissions")
def test_what_lies_in_a_folder_that_may_not_be_searched_is_not_there(tmp_path):
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "f").touch()
    (tmp_path / "closed").chmod(0)
    try:
        assert not is_there(tmp_path / "closed" / "f")
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_a_path_is_resolved_even_where_its_links_are_a_loop(tmp_path, loop):
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    assert resolved(tmp_path / "link" / "x") == resolved(tmp_path) / "gone" / "x"
    assert resolved(loop).name == "loop"
