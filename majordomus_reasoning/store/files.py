"""The store of a checkout: what lies in its folder, and the one writer that adds to it.

Writing is one atomic step under a lock: reload what is new, admit, stamp, write a temporary file in
the same folder, sync it, publish it without ever overwriting, sync the folder. What takes time and
depends on no record (evidence, the past of the repository, the catalogue) is read before the lock.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from majordomus_reasoning.core.admission import Situate, admissible, admit, cites, same_draft
from majordomus_reasoning.core.draft import Draft, draft
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import (
    Assessment,
    Body,
    Consultation,
    Exchange,
    Input,
    Pin,
    PlanInput,
    Record,
    record_bytes,
    record_type,
)
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import SCHEMA, VERSION, to_stamp
from majordomus_reasoning.errors import ReasoningError, Refusal, StoreError, StoreLocked
from majordomus_reasoning.store.loading import LARGEST_RECORD, Records, place
from majordomus_reasoning.store.names import unfit_task
from majordomus_reasoning.store.reading import MIB, is_there, read_bounded
from majordomus_reasoning.store.stamps import next_moment
from majordomus_reasoning.version import PACKAGE, __version__

LOCATION = Path(".ai/local/state/reasoning")
LOCK_SECONDS = 10.0
LEFT_BEHIND_SECONDS = 3_600.0
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


def random_suffix() -> str:
    """Six random hexadecimal digits: what makes an id unique within its millisecond."""
    return secrets.token_hex(3)


@dataclass(frozen=True)
class Surroundings:
    """What the writer stamps on a record beside the clock: where and in whose task it was made."""

    task: str
    head: Callable[[], str | None] = lambda: None
    pins: Callable[[Input], tuple[Pin, ...]] = lambda _body: ()


@dataclass(frozen=True)
class Written:
    """A record and its file; `reused` says that it was there before and nothing was written."""

    record: Record[Body]
    path: Path
    reused: bool = False


class Store:
    """The records of one checkout, or of any folder laid out like its store.

    Several threads may share it: each look and each write is one step to the others.
    """

    def __init__(
        self,
        root: Path,
        clock: Clock = system_clock,
        suffix: Callable[[], str] = random_suffix,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.root = root
        self._clock = clock
        self._suffix = suffix
        self._lock_seconds = lock_seconds
        self._records = Records(root)
        self._step = threading.RLock()

    def load(self) -> Ledger:
        """All records of the store, in order; only files that are new are read.

        Raises StoreError where the folder cannot be read. An absent store is an empty one.
        """
        with self._step:
            try:
                return self._records.load()
            except OSError as error:
                raise StoreError(self.root, f"cannot be read ({error.strerror})") from None

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
        """What could not be read when the store was last loaded, by path."""
        with self._step:
            return tuple(sorted(self._records.faults, key=lambda fault: fault.path))

    def path(self, record_id: str) -> Path | None:
        """Where the record of that id lies, None when it was not loaded."""
        with self._step:
            shown = self._records.paths.get(record_id)
        return self.root / shown if shown else None

    def misplaced(self) -> list[tuple[str, str]]:
        """Each loaded file whose name or folder is not that of its record, and where it belongs."""
        with self._step:
            paths, records = self._records.paths, self._records.ledger
            found = ((paths[record.id], place(record)) for record in records)
            return [(shown, home) for shown, home in found if shown != home]

    def _ignore_by_git(self) -> None:
        """Keep a checkout's own state out of git, as it is of this checkout alone."""
        if self.root.parts[-len(LOCATION.parts) :] == LOCATION.parts:
            with contextlib.suppress(FileExistsError):
                publish_new(self.root / ".gitignore", b"*\n")

    def copy(self, record: Record[Body], folder: Path) -> Path:
        """Copy a loaded record's file, byte for byte, to another store; StoreError where taken."""
        with self._step:
            shown = self._records.paths[record.id]
        path = folder / shown
        try:
            content = read_bounded(self.root / shown, LARGEST_RECORD)
        except OSError as error:
            raise StoreError(self.root / shown, f"cannot be read ({error.strerror})") from None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                publish_new(path, content)
            same = read_bounded(path, LARGEST_RECORD) == content
        except OSError as error:
            raise StoreError(path, f"cannot be written ({error.strerror})") from None
        if not same:
            raise StoreError(path, "another file has this name, choose an empty folder")
        return path

    def write(
        self,
        given: Mapping[str, Any],
        situate: Situate,
        surroundings: Surroundings,
        *,
        once: bool = False,
        exchange: Exchange | None = None,
    ) -> Written:
        """Admit an input and publish it as a record; nothing is written when it is refused.

        With `once`, a record of the task with the same authored body is returned instead.
        Raises Refusal, StoreLocked, StoreError.
        """
        drafted = draft(given)
        _check_task(surroundings.task)
        if once and (same := self._same(drafted, surroundings.task)):
            return same
        situate = _read_ahead(situate, drafted.body)
        if not is_there(self.root):  # refused before the lock makes the folder
            admissible(drafted.body, self.load(), situate)
        known = _known_ahead(drafted, surroundings, exchange)
        with self._locked(), self._step:
            ledger = self.load()
            if once and (same := self._same(drafted, surroundings.task)):
                return same
            now = self._now(ledger)
            body = admit(drafted.body, ledger, situate, now)
            record = self._stamp(known, body, now)
            path = self._publish(record)
            self._records.add(record, path)
            self._sweep()
        return Written(record, path)

    def _same(self, drafted: Draft, task: str) -> Written | None:
        """The record of the task that says the same already, None where there is none."""
        with self._step:
            same = same_draft(drafted.body, self.load(), task)
            path = self.path(same.id) if same else None
            return Written(same, path, reused=True) if same and path else None

    def _now(self, ledger: Ledger) -> datetime:
        try:
            return next_moment(self._clock(), ledger)
        except OverflowError:
            reason = "no stamp is left after its last, correct the clock"
            raise StoreError(self.root, reason) from None

    def _stamp(self, known: Mapping[str, Any], body: Body, now: datetime) -> Record[Body]:
        stamp = to_stamp(now)
        compact = "".join(char for char in stamp if char.isalnum())
        reported = "asked" if known["exchange"] else "reported"
        envelope = {
            **known,
            "schema": SCHEMA,
            "version": VERSION,
            "id": f"{body.kind}-{compact}-{self._suffix()}",
            "recorded_at": stamp,
            "body": body,
            "origin": reported if isinstance(body, Consultation) else "written",
            "cites": cites(body, self._records.ledger),
            "writer": {"package": PACKAGE, "version": __version__},
        }
        return record_type().validate_python(
            {name: value for name, value in envelope.items() if value not in (None, (), {})}
        )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            self.root.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.root / ".lock", timeout=self._lock_seconds)
            lock.acquire()
        except Timeout:
            raise StoreLocked(self.root, self._lock_seconds) from None
        except OSError as error:
            raise StoreError(self.root, f"cannot be written ({error.strerror})") from None
        try:
            yield
        finally:
            lock.release()

    def _publish(self, record: Record[Body]) -> Path:
        folder = self.root / record.task
        path = self.root / place(record)
        content = record_bytes(record)
        if len(content) > LARGEST_RECORD:
            message = f"the record would be larger than {LARGEST_RECORD // MIB} MiB: shorten it."
            raise Refusal("invalid_value", message)
        try:
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                self._ignore_by_git()
                _sync_folder(self.root)
            publish_new(path, content)
        except OSError as error:
            raise StoreError(path, f"cannot be written ({error.strerror})") from None
        return path

    def _sweep(self) -> None:
        """Remove the temporary files that writers left behind who were killed long ago."""
        latest = time.time() - LEFT_BEHIND_SECONDS
        for path in self._records.leftovers:
            with contextlib.suppress(OSError):  # one that stays does no harm
                if path.lstat().st_mtime < latest:
                    path.unlink()


def _check_task(task: str) -> None:
    reason = unfit_task(task)
    if reason:
        message = f"the task {shown(task)!r} cannot be written to, since {reason}: name another."
        raise Refusal("invalid_value", message, "task")


def _read_ahead(situate: Situate, body: Input) -> Situate:
    """The situation, read before the lock where a body will need it; an error waits until then."""
    if not (isinstance(body, PlanInput) or (isinstance(body, Assessment) and body.capabilities)):
        return situate
    try:
        situation = situate()
    except ReasoningError:
        return situate
    return lambda: situation


def _known_ahead(
    drafted: Draft, surroundings: Surroundings, exchange: Exchange | None
) -> Mapping[str, Any]:
    """The fields of the envelope that are known before the lock: they take time to find out."""
    return {
        "task": surroundings.task,
        "head": surroundings.head(),
        "redacted": tuple(sorted(drafted.redacted)),
        "pins": surroundings.pins(drafted.body),
        "exchange": exchange,
    }


def publish_new(path: Path, content: bytes) -> None:
    """Give a folder a new file, whole and lasting or not at all; never over another file.

    Raises FileExistsError where the name is taken, any other OSError where it cannot be written.
    """
    temporary = path.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _link_new(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _link_new(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: the lock keeps other writers of ours away.
        if path.exists():
            raise FileExistsError(17, "the file exists", str(path)) from None
        temporary.rename(path)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
