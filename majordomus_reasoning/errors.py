"""The errors of this package, in one tree.

    ReasoningError
    ├── Refusal             the rules do not admit a record: nothing was written
    ├── NotFound            the thing asked for is not there
    ├── UnreadableRecord    a file in the store is no record
    ├── CatalogueError      a file that declares advisors, a task or a profile is broken
    ├── StoreError          the store cannot be read or written
    │   └── StoreLocked     another writer holds the store
    ├── AdvisorFailure      an advisor did not answer (advisors/failures.py, beside its reasons)
    └── WouldWrite          a frozen checkout was asked for a record it does not hold

A message is one sentence: it names the thing, says what was found and what to do.
The data of the error stand in its fields.
"""

from __future__ import annotations


class ReasoningError(Exception):
    """The root of all errors raised by this package."""

    code = "error"

    def _render_traceback_(self) -> list[str]:
        """What IPython prints: the sentence alone, since a traceback of ours helps nobody."""
        return [f"{type(self).__name__}: {self}"]


class Refusal(ReasoningError):
    """The rules do not admit a record; `code` is the machine word, `field` the field at fault."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


class NotFound(ReasoningError):
    """The thing asked for, named `what`, is not there."""

    code = "not_found"

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} is not there: {remedy}.")
        self.what = what


class UnreadableRecord(ReasoningError):
    """The file at `path` is no record; `field` is where reading it stopped, None for the whole."""

    code = "unreadable_record"

    def __init__(self, path: str, field: str | None, reason: str) -> None:
        where = f"{path}, field {field}" if field else path
        super().__init__(f"{where}: {reason}.")
        self.path = path
        self.field = field
        self.reason = reason


class CatalogueError(ReasoningError):
    """A declaring file is broken at `field`; the records stay readable."""

    code = "catalogue_error"

    def __init__(self, file: object, field: str, reason: str) -> None:
        super().__init__(f"{file}, field {field}: {reason}; correct the file.")
        self.file = str(file)
        self.field = field


class StoreError(ReasoningError):
    """The store at `path` cannot be read or written."""

    code = "store_error"

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"{path}: {reason}.")
        self.path = str(path)


class StoreLocked(StoreError):
    """Another writer held the lock of the store for longer than we wait."""

    code = "store_locked"

    def __init__(self, path: object, seconds: float) -> None:
        super().__init__(path, f"another writer held the lock for {seconds:g} s, try again")
        self.seconds = seconds


class WouldWrite(ReasoningError):
    """A frozen checkout holds no such record; `nearest` is the id of the one most alike."""

    code = "would_write"

    def __init__(self, message: str, nearest: str | None = None) -> None:
        super().__init__(message)
        self.nearest = nearest
