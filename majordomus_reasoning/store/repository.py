"""What is read of a git repository: its head, and the commit that last changed a file.

Read from the repository's own files with a library; git itself need not be installed. All of it is
optional: where a repository cannot be read the answer is None.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dulwich.objects import Commit
    from dulwich.repo import Repo

MOST_COMMITS = 2_000
T = TypeVar("T")


def head_commit(checkout: Path) -> str | None:
    """The commit that a checkout is on, as hexadecimal; None outside a repository or before one."""
    return _with_repository(checkout, _head)


def last_commit(checkout: Path, path: Path) -> str | None:
    """The commit that gave a file its present content, as hexadecimal.

    None when the file differs from the head's, is not tracked, or the commit lies further back
    than 2,000 commits.
    """
    return _with_repository(checkout, lambda repo: _last_commit(repo, path))


def _with_repository(checkout: Path, read: Callable[[Repo], T]) -> T | None:
    if not (checkout / ".git").exists():
        return None
    from dulwich.errors import (
        ChecksumMismatch,
        FileFormatException,
        NotGitRepository,
        ObjectMissing,
        RefFormatError,
    )
    from dulwich.repo import Repo, UnsupportedExtension, UnsupportedVersion

    unreadable = (
        ChecksumMismatch,
        FileFormatException,
        NotGitRepository,
        ObjectMissing,
        RefFormatError,
        UnsupportedExtension,  # such as that of a partial clone
        UnsupportedVersion,
        KeyError,
        OSError,
        ValueError,
        zlib.error,
    )
    try:
        with Repo(str(checkout)) as repo:
            return read(repo)
    except unreadable:
        return None


def _head(repo: Repo) -> str:
    name = repo.head().decode("ascii")
    int(name, 16)  # ValueError: a broken HEAD is handed on as it stands
    return name


def _last_commit(repo: Repo, path: Path) -> str | None:
    from dulwich.objects import Blob

    name = path.relative_to(Path(repo.path).resolve()).as_posix().encode()
    blob = Blob.from_string(path.read_bytes()).id
    current = repo.head()
    if _blob_at(repo, current, name) != blob:
        return None
    for _ in range(MOST_COMMITS):
        parents = _commit(repo, current).parents
        same = next((each for each in parents if _blob_at(repo, each, name) == blob), None)
        if same is None:
            return current.decode("ascii")
        current = same
    return None


def _commit(repo: Repo, name: bytes) -> Commit:
    from dulwich.objects import Commit

    found = repo[name]
    if not isinstance(found, Commit):
        raise KeyError(name)
    return found


def _blob_at(repo: Repo, commit: bytes, name: bytes) -> bytes | None:
    from dulwich.object_store import tree_lookup_path

    try:
        _mode, found = tree_lookup_path(repo.__getitem__, _commit(repo, commit).tree, name)
    except (KeyError, NotADirectoryError):
        return None
    return found
