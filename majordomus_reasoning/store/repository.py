"""What is read of a git repository: its head, and the commits that last changed files.

Read from the repository's own files with a library; git itself need not be installed. All of it is
optional: where a repository cannot be read the answer is None.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from majordomus_reasoning.store.reading import (
    MIB,
    is_file,
    is_folder,
    is_there,
    read_bounded,
    resolved,
)

if TYPE_CHECKING:
    from dulwich.objects import Commit, ObjectID, Tree
    from dulwich.repo import Repo

MOST_COMMITS = 2_000
MOST_TREES = 512
READ_ON_OPENING = ("config", "config.worktree", "packed-refs", "shallow", "objects/info/alternates")
LONGEST_CHAIN_OF_REFERENCES = 5
T = TypeVar("T")


def head_commit(checkout: Path) -> str | None:
    """The commit that a checkout is on, as hexadecimal; None outside a repository or before one."""
    return _with_repository(checkout, _head)


def last_commits(
    checkout: Path, blobs: Mapping[Path, str], most: int = MOST_COMMITS
) -> Mapping[Path, str]:
    """The commit that gave each file its present content, as hexadecimal, in one walk for all.

    A file, named by its resolved path, goes with its `blob_id`. It is left out when that differs
    from the head's, when it is not tracked here (one of a submodule is not), or when its commit
    lies further back than `most` commits.
    """
    if not blobs:
        return {}
    root = resolved(checkout)
    names = {os.fsencode(path.relative_to(root).as_posix()): path for path in blobs}
    wanted = {name: blobs[path].encode("ascii") for name, path in names.items()}
    found = _with_repository(checkout, lambda repo: dict(_Past(repo, wanted).commits(most)))
    return {names[name]: commit for name, commit in (found or {}).items()}


def blob_id(content: bytes) -> str:
    """The name that git gives to a content: the SHA-1 of its length and itself.

    >>> blob_id(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _with_repository(checkout: Path, read: Callable[[Repo], T]) -> T | None:
    if not is_there(checkout / ".git"):
        return None
    try:
        if not all(is_file(path) or not is_there(path) for path in _read_first(checkout)):
            return None
        from dulwich.repo import Repo

        with Repo(str(checkout)) as repo:
            return read(repo)
    except Exception:  # noqa: BLE001 - damage raises whatever the library's parsers stumble over
        return None


def _read_first(checkout: Path) -> Iterator[Path]:
    """The files that the library reads to find the head, which a pipe among them would halt."""
    control = checkout / ".git"
    if not is_folder(control):
        control = checkout / _text(control).removeprefix("gitdir:").strip()
    common = control
    if is_there(control / "commondir"):
        common = control / _text(control / "commondir").strip()
    yield from (folder / name for folder in (control, common) for name in READ_ON_OPENING)
    reference = control / "HEAD"
    for _ in range(LONGEST_CHAIN_OF_REFERENCES):
        yield reference
        kind, _colon, name = _text(reference).partition(":")
        if kind != "ref":
            break
        reference = common / name.strip()
        if not is_there(reference):  # it is packed, or not born
            break


def _text(path: Path) -> str:
    return os.fsdecode(read_bounded(path, MIB))


def _head(repo: Repo) -> str | None:
    name = repo.head().decode("ascii")
    return name if re.fullmatch(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", name) else None


class _Past:
    """The way back from the head, for several files at once; each tree is read once."""

    def __init__(self, repo: Repo, blobs: Mapping[bytes, bytes]) -> None:
        self._repo = repo
        self._blobs = blobs
        self._tree = lru_cache(MOST_TREES)(self._read_tree)
        self._commit = lru_cache(MOST_TREES)(self._read_commit)

    def commits(self, most: int) -> Iterator[tuple[bytes, str]]:
        """The name of each file with the commit that gave it its content, the newest first.

        The way of a file goes on to the first parent that holds the same content.
        """
        head = self._repo.head()
        waiting = {head: {name for name in self._blobs if self._holds(head, name)}}
        for _ in range(most):
            if not waiting:
                return
            current = max(waiting, key=lambda each: self._commit(each).commit_time)
            for name in waiting.pop(current):
                try:
                    parent = self._parent(current, name)
                except KeyError:  # the past is not here, as in a shallow clone
                    continue
                if parent is None:
                    yield name, current.decode("ascii")
                else:
                    waiting.setdefault(parent, set()).add(name)

    def _parent(self, commit: ObjectID, name: bytes) -> ObjectID | None:
        parents = self._commit(commit).parents
        return next((each for each in parents if self._holds(each, name)), None)

    def _holds(self, commit: ObjectID, name: bytes) -> bool:
        """Whether a commit holds a file of that name with the content that is asked about."""
        mode, found = stat.S_IFDIR, self._commit(commit).tree
        for part in name.split(b"/"):
            if not stat.S_ISDIR(mode):  # a file, or a submodule, which is another repository
                return False
            tree = self._tree(found)
            if part not in tree:
                return False
            mode, found = tree[part]
        return bool(found == self._blobs[name])

    def _read_commit(self, name: ObjectID) -> Commit:
        from dulwich.objects import Commit

        found = self._repo[name]
        if not isinstance(found, Commit):
            raise KeyError(name)
        return found

    def _read_tree(self, name: ObjectID) -> Tree:
        from dulwich.objects import Tree

        found = self._repo[name]
        if not isinstance(found, Tree):
            raise KeyError(name)
        return found
