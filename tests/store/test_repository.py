"""What is read of a git repository, without git."""

from __future__ import annotations

import gc
import os
import warnings

import pytest
from builders import EVIDENCE, assessment
from dulwich import porcelain
from dulwich.objects import Blob
from dulwich.repo import Repo

from majordomus_reasoning.store.repository import blob_id, head_commit, last_commits
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


def commits_of(root, *names: str, **options: int) -> dict[str, str]:
    """The commit of each file, by name, for those that have one."""
    blobs = {(root / name).resolve(): blob_id((root / name).read_bytes()) for name in names}
    found = last_commits(root, blobs, **options)
    return {path.relative_to(root.resolve()).as_posix(): found[path] for path in found}


def pinned_commit(root, reference: str) -> str | None:
    """The commit of one piece of evidence, as a record pins it."""
    evidence = [{"kind": "file", "reference": reference}]
    (pin,) = deterministic_checkout(root=root).record(assessment(evidence=evidence)).record.pins
    return pin.commit


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
    assert commits_of(tree, "a") == {"a": first}


def test_before_the_first_commit_there_is_no_head(root):
    assert head_commit(root) is None


def test_outside_a_repository_there_is_no_head(tmp_path):
    assert head_commit(tmp_path) is None
    assert last_commits(tmp_path, {tmp_path / "x": blob_id(b"")}) == {}


@pytest.mark.parametrize("content", ["", "gitdir: nowhere", "nonsense"])
def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path, content):
    (tmp_path / ".git").write_text(content, encoding="utf-8")
    assert head_commit(tmp_path) is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("HEAD", "ref: refs/heads/gone\n"),
        ("HEAD", "nonsense\n"),
        ("HEAD", "ref: HEAD\n"),
        ("HEAD", "ref: refs/heads/loop\n"),
        ("HEAD", "sk-ant-api03-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh"),  # as long as a commit's name
        ("HEAD", "0x" + "1" * 38),
        ("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n"),
        ("config", "[core]\n\trepositoryformatversion = 9\n"),
        ("config", "nonsense"),
    ],
)
def test_a_repository_that_cannot_be_read_stops_no_record(root, name, content):
    commit(root, a="1")
    (root / ".git/refs/heads/loop").write_text("ref: refs/heads/loop\n", encoding="utf-8")
    (root / ".git" / name).write_text(content, encoding="utf-8")
    assert head_commit(root) is None
    assert deterministic_checkout(root=root).record(assessment()).record.head is None


def overwrite(path, content: bytes) -> None:
    path.chmod(0o600)
    path.write_bytes(content)


def test_a_broken_object_stops_no_record(root):
    commit(root, a="1")
    for path in (root / ".git" / "objects").glob("*/*"):
        overwrite(path, b"nonsense")
    assert pinned_commit(root, "a:1") is None


@pytest.fixture
def leftovers_ignored():
    """The library leaves a damaged pack's file to the collector, which says so."""
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        yield
        gc.collect()


@pytest.mark.usefixtures("leftovers_ignored")
@pytest.mark.parametrize("suffix", ["idx", "pack"])
@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda old: old[:40] + b"\xff" * (len(old) - 40)]
)
def test_a_broken_pack_stops_no_record_and_hides_no_head(root, suffix, damage):
    head = commit(root, a="1", b="2")
    with Repo(str(root)) as repo:
        porcelain.repack(repo)
    (path,) = (root / ".git/objects/pack").glob(f"*.{suffix}")
    overwrite(path, damage(path.read_bytes()))
    assert pinned_commit(root, "a:1") is None
    assert head_commit(root) == head


def test_a_store_of_objects_that_borrows_from_itself_stops_no_record(root):
    commit(root, a="1")
    objects = root / ".git" / "objects"
    (objects / "info").mkdir(exist_ok=True)
    (objects / "info" / "alternates").write_text(f"{objects}\n", encoding="utf-8")
    (root / "b").write_text("untracked", encoding="utf-8")
    assert pinned_commit(root, "b:1") is None


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "refs/heads/pipe"])
def test_a_pipe_in_a_repository_is_not_waited_for(root, name):
    commit(root, a="1")
    (root / ".git" / "HEAD").write_text("ref: refs/heads/pipe\n", encoding="ascii")
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)
    assert head_commit(root) is None


def test_a_pipe_in_the_place_of_a_repository_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / ".git")
    assert head_commit(tmp_path) is None


def test_the_name_of_a_content_is_that_of_git():
    assert blob_id(b"one\ntwo\n").encode() == Blob.from_string(b"one\ntwo\n").id


def test_the_commit_of_a_file_is_the_one_that_gave_it_its_content(root):
    first = commit(root, a="1", b="1")
    second = commit(root, b="2")
    third = commit(root, b="1")
    assert commits_of(root, "a", "b") == {"a": first, "b": third}
    assert third != second


def test_the_commit_of_a_file_in_a_folder_is_found_past_commits_beside_it(root):
    (root / "inner" / "deep").mkdir(parents=True)
    first = commit(root, **{"inner/deep/a": "1"})
    commit(root, **{"inner/b": "1"})
    commit(root, c="1")
    assert commits_of(root, "inner/deep/a") == {"inner/deep/a": first}


def test_at_a_merge_the_way_goes_to_the_parent_that_holds_the_content(root):
    base = commit(root, a="1", b="1")
    porcelain.branch_create(str(root), "side")
    ours = commit(root, a="2")
    porcelain.checkout(str(root), "side")
    theirs = commit(root, b="2")
    porcelain.merge(str(root), "master", message=b"both", author=WHO, committer=WHO)
    (root / "c").write_text("untracked", encoding="utf-8")
    assert commits_of(root, "a", "b", "c") == {"a": ours, "b": theirs}
    assert base not in {ours, theirs}


def test_beyond_the_most_commits_no_commit_is_told(root):
    commit(root, a="1")
    late = commit(root, b="1")
    for number in range(2):
        commit(root, c=str(number))
    assert commits_of(root, "a", "b", most=3) == {"b": late}


def test_where_the_past_was_cut_off_the_files_of_later_commits_are_still_told(root):
    first = commit(root, a="1")
    commit(root, b="1")  # whether it or its lost parent brought b cannot be known
    late = commit(root, c="1")
    (root / ".git/objects" / first[:2] / first[2:]).unlink()
    assert commits_of(root, "a", "b", "c") == {"c": late}


def test_a_file_of_a_submodule_is_no_file_of_this_repository(root):
    inner = root / "inner"
    inner.mkdir()
    porcelain.init(str(inner))
    held = commit(inner, a="1")
    first = commit(root, b="1")
    with Repo(str(root)) as repo:
        tree = repo[repo[repo.head()].tree]
        tree.add(b"inner", 0o160000, held.encode())
        repo.object_store.add_object(tree)
        repo.get_worktree().commit(
            message=b"x", author=WHO, committer=WHO, tree=tree.id, sign=False
        )
    assert commits_of(root, "b", "inner/a") == {"b": first}


@pytest.mark.parametrize("name", ["a", "untracked"])
def test_a_file_that_differs_from_the_head_or_is_not_tracked_has_no_commit(root, name):
    commit(root, a="1")
    (root / name).write_text("changed", encoding="utf-8")
    assert commits_of(root, name) == {}


def test_a_folder_where_the_head_has_a_file_has_no_commits(root):
    commit(root, a="1")
    (root / "a").unlink()
    (root / "a").mkdir()
    (root / "a" / "b").write_text("1", encoding="utf-8")
    assert commits_of(root, "a/b") == {}


def test_a_record_names_the_head_and_the_commits_of_its_evidence(root):
    first = commit(root, a="1")
    second = commit(root, b="2")
    evidence = [*EVIDENCE, {"kind": "file", "reference": "a:1"}]
    record = deterministic_checkout(root=root).record(assessment(evidence=evidence)).record
    assert record.head == second
    assert [(pin.reference, pin.commit) for pin in record.pins] == [("a:1", first)]
    assert os.environ["PATH"].endswith("empty")
