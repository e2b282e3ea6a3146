"""What is read of a git repository, without git."""

from __future__ import annotations

import os

import pytest
from builders import EVIDENCE, assessment
from dulwich import porcelain
from dulwich.repo import Repo

from majordomus_reasoning.store.repository import head_commit, last_commit
from majordomus_reasoning.testing import deterministic_checkout

WHO = b"Somebody <somebody@example.org>"


@pytest.fixture(autouse=True)
def no_git(monkeypatch, tmp_path):
    """No git executable is to be found, and no one's own configuration is read."""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))


def commit(root, **files: str) -> str:
    for name, content in files.items():
        (root / name).write_text(content, encoding="utf-8")
    porcelain.add(str(root), [str(root / name) for name in files])
    made = porcelain.commit(str(root), message=b"x", author=WHO, committer=WHO, sign=False)
    return made.decode("ascii")


@pytest.fixture
def root(tmp_path):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    porcelain.init(str(checkout))
    return checkout


def test_the_head_is_the_commit_the_checkout_is_on(root):
    first = commit(root, a="1")
    assert head_commit(root) == first
    assert head_commit(root) != commit(root, a="2") == head_commit(root)


def test_a_detached_head_is_known_too(root):
    first = commit(root, a="1")
    commit(root, a="2")
    with Repo(str(root)) as repo:
        (root / ".git" / "HEAD").write_text(first + "\n", encoding="ascii")
        assert repo.head().decode() == head_commit(root) == first


def test_a_worktree_has_its_own_head(root, tmp_path):
    first = commit(root, a="1")
    tree = tmp_path / "tree"
    porcelain.worktree_add(str(root), str(tree), branch="other")
    second = commit(root, a="2")
    assert (head_commit(tree), head_commit(root)) == (first, second)
    assert last_commit(tree, (tree / "a").resolve()) == first


def test_before_the_first_commit_there_is_no_head(root):
    assert head_commit(root) is None


def test_outside_a_repository_there_is_no_head(tmp_path):
    assert head_commit(tmp_path) is None
    assert last_commit(tmp_path, tmp_path / "x") is None


@pytest.mark.parametrize("content", ["", "gitdir: nowhere", "nonsense"])
def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path, content):
    (tmp_path / ".git").write_text(content, encoding="utf-8")
    assert head_commit(tmp_path) is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("HEAD", "ref: refs/heads/gone\n"),
        ("HEAD", "nonsense\n"),
        ("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n"),
        ("config", "[core]\n\trepositoryformatversion = 9\n"),
        ("config", "nonsense"),
    ],
)
def test_a_repository_that_cannot_be_read_stops_no_record(root, name, content):
    commit(root, a="1")
    (root / ".git" / name).write_text(content, encoding="utf-8")
    assert head_commit(root) is None
    assert deterministic_checkout(root=root).record(assessment()).record.head is None


def test_a_broken_object_stops_no_record(root):
    commit(root, a="1")
    for path in (root / ".git" / "objects").glob("*/*"):
        path.chmod(0o600)
        path.write_bytes(b"nonsense")
    evidence = [{"kind": "file", "reference": "a:1"}]
    (pin,) = deterministic_checkout(root=root).record(assessment(evidence=evidence)).record.pins
    assert pin.commit is None


def test_the_commit_of_a_file_is_the_one_that_gave_it_its_content(root):
    first = commit(root, a="1", b="1")
    second = commit(root, b="2")
    third = commit(root, b="1")
    assert last_commit(root, (root / "a").resolve()) == first
    assert last_commit(root, (root / "b").resolve()) == third != second


@pytest.mark.parametrize("name", ["a", "untracked"])
def test_a_file_that_differs_from_the_head_or_is_not_tracked_has_no_commit(root, name):
    commit(root, a="1")
    (root / name).write_text("changed", encoding="utf-8")
    assert last_commit(root, (root / name).resolve()) is None


def test_a_record_names_the_head_and_the_commits_of_its_evidence(root):
    first = commit(root, a="1")
    second = commit(root, b="2")
    evidence = [*EVIDENCE, {"kind": "file", "reference": "a:1"}]
    record = deterministic_checkout(root=root).record(assessment(evidence=evidence)).record
    assert record.head == second
    assert [(pin.reference, pin.commit) for pin in record.pins] == [("a:1", first)]
    assert os.environ["PATH"].endswith("empty")
