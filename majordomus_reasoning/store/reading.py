"""Reading files that others made: regular ones alone, up to a size, and never waiting for one.

A pipe would be waited for, a device has no end, and a folder that may not be searched hides what
it holds. None of them may stop a person who only asks what is recorded.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import partial
from pathlib import Path

MIB = 1024 * 1024
# Where the platform has them: do not wait for the other end of a pipe, take no terminal, and hand
# out the bytes as they are.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)


def read_bounded(path: Path | str, most: int) -> bytes:
    """The bytes of a regular file of at most that many bytes.

    Raises OSError, whose `strerror` is a reason that a person understands, for anything else:
    FileNotFoundError and NotADirectoryError where nothing is.
    """
    try:
        handle = os.open(path, _FLAGS)
    except ValueError:  # a name that no file can have
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        content = _content(handle, most)
    finally:
        os.close(handle)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most / MIB:g} MiB")
    return content


def _content(handle: int, most: int) -> bytes:
    """All that a file holds, and of one that is larger than `most` a little more than that.

    Without a file object, which for a small file is half the cost.
    """
    chunks = []
    length = 0
    for chunk in iter(partial(os.read, handle, 65_536), b""):
        chunks.append(chunk)
        length += len(chunk)
        if length > most:
            break
    return b"".join(chunks)


def is_there(path: Path) -> bool:
    """Whether anything is known to be at a path; what may not be seen is not."""
    return _mode(path) != 0


def is_folder(path: Path) -> bool:
    """Whether a folder is known to be at a path, links followed."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: Path) -> bool:
    """Whether a regular file is known to be at a path, links followed."""
    return stat.S_ISREG(_mode(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def resolved(path: Path) -> Path:
    """The path with its links followed as far as that can be done; a loop of them ends in itself.

    Raises OSError where the working folder is gone, ValueError for a name that no file can have.
    """
    return Path(os.path.realpath(path))
