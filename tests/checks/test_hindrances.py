"""No file of a repository stops the checks: one that cannot be read is a finding."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from planting import examine, write

from majordomus_reasoning.claims import claims
from majordomus_reasoning.texts import LARGEST_READ, Found, Source, read

MODULE = "majordomus_reasoning/core/rules.py"
PAIR = "# %%\n1 + 1\n"
PLACES = [
    ("claims", "docs/page.md"),
    ("claims", "README.rst"),
    ("coupling", MODULE),
    ("ci", ".github/workflows/ci.yml"),
    ("ci", ".ci/run"),
    ("ci", "Jenkinsfile"),
    ("notebooks", "a.ipynb"),
    ("notebooks", "a.py"),
]


def oversized(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_READ + 1)


HINDRANCES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "no regular file"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "No such file"),
    "a link to itself": (lambda path: path.symlink_to(path), "symbolic links"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "no regular file"),
    "an endless file": (oversized, "larger than 16 MiB"),
}


@pytest.mark.parametrize(("make", "message"), HINDRANCES.values(), ids=HINDRANCES)
@pytest.mark.parametrize(("check", "name"), PLACES)
def test_what_is_no_file_to_read_is_found_by_the_check_that_reads_it(
    repository: Path, check: str, name: str, make: Callable[[Path], object], message: str
) -> None:
    path = repository / name
    if check == "notebooks":
        write(repository, {"a.ipynb": '{"cells": []}', "a.py": PAIR})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == (check, name)
    assert message in found.message


def closed(path: Path) -> None:
    path.chmod(0)


@pytest.mark.parametrize(("check", "name"), PLACES)
def test_what_nobody_may_read_is_found(
    bound_by_permissions: None, repository: Path, check: str, name: str
) -> None:
    write(repository, {"a.ipynb": '{"cells": []}', "a.py": PAIR} if name[0] == "a" else {name: "x"})
    closed(repository / name)

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == (check, name)
    assert "Permission denied" in found.message


CLOSED_FOLDERS = [
    ("claims", "docs"),
    ("coupling", "majordomus_reasoning/advisors"),
    ("ci", ".github/workflows"),
    ("profiles", ".ai/repo/profiles"),
]


@pytest.mark.parametrize(("check", "name"), CLOSED_FOLDERS)
def test_a_folder_that_nobody_may_read_is_found(
    bound_by_permissions: None, repository: Path, check: str, name: str
) -> None:
    closed(repository / name)

    found = examine(repository).findings

    (repository / name).chmod(0o755)
    subject = Path(name).name if check == "profiles" else name
    assert (check, subject) in {(each.check, each.subject) for each in found}


NESTED = {
    "signs": "-" * 100_000 + "1",
    "sums": "+".join(["1"] * 100_000),
    "brackets": "(" * 1_000,
    "a null byte": "x = '\0'",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_a_module_too_deep_to_be_parsed_is_found(repository: Path, text: str) -> None:
    write(repository, {MODULE: text})

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == ("coupling", MODULE)
    assert "does not parse" in found.message


@pytest.mark.parametrize("text", ["[" * 100_000, "", '{"cells": 1}', '{"cells": [{}]}'])
def test_a_notebook_that_cannot_be_read_as_one_is_found(repository: Path, text: str) -> None:
    write(repository, {"a.py": PAIR, "a.ipynb": text})

    (found,) = examine(repository).findings

    assert (found.check, found.subject) == ("notebooks", "a.ipynb")
    assert "cannot be read as a notebook" in found.message


@pytest.mark.parametrize("name", [".ci", ".github/x.yml", "Jenkinsfile.d", "page.md"])
def test_a_file_for_a_folder_and_a_folder_for_a_file_are_nobodys_fault(
    repository: Path, name: str
) -> None:
    if name == ".ci":
        write(repository, {name: "a file"})
    else:
        (repository / name).mkdir(parents=True)

    assert examine(repository).findings == ()


def test_a_document_of_blank_lines_is_read_once(tmp_path: Path) -> None:
    """A pattern that looks at the rest from each line would take an hour here and be noticed."""
    write(tmp_path, {"page.md": "\n" * 2_000_000 + "An advisor is required."})

    (found,) = claims(tmp_path, (), ())

    assert found.subject == "page.md:2000001"


def test_a_file_is_read_as_text_whatever_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\r\n\xff\rb")

    source = read(tmp_path, tmp_path / "x")

    assert source == Source("x", "a\n\ufffd\nb")
    assert [source.line(place) for place in range(5)] == [1, 1, 2, 2, 3]
    assert isinstance(read(tmp_path, tmp_path / "y"), Found)
