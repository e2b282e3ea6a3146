"""The files of a store: read incrementally, written by one writer, one record a file.

Writing is one atomic step under a lock: reload what is new, admit, stamp, write a temporary file in
the same folder, sync it, publish it without ever overwriting, sync the folder.
"""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from majordomus_reasoning.core.admission import Situate, admit, cites, same_draft
from majordomus_reasoning.core.availability import SKEW
from majordomus_reasoning.core.draft import Draft, draft
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import (
    Body,
    Consultation,
    Exchange,
    Pin,
    Record,
    record_bytes,
    record_type,
)
from majordomus_reasoning.core.words import SCHEMA, VERSION, is_plain_name, to_stamp
from majordomus_reasoning.errors import Refusal, StoreError, StoreLocked, UnreadableRecord
from majordomus_reasoning.version import PACKAGE, __version__

LOCATION = Path(".ai/local/state/reasoning")
LOCK_SECONDS = 10.0
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
    pins: Callable[[Body], tuple[Pin, ...]] = lambda _body: ()


@dataclass(frozen=True)
class Written:
    """A record and its file; `reused` says that it was there before and nothing was written."""

    record: Record[Body]
    path: Path
    reused: bool = False


@dataclass
class _Folder:
    """What was read of one task's folder: each file's inode, and which record or fault it gave."""

    inodes: dict[str, int] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    faults: dict[str, Unreadable] = field(default_factory=dict)


class Store:
    """The records of one checkout, or of any folder laid out like its store.

    A record's file is never changed once it is published; so a file is read again only when it is
    another file (its inode differs), or was no record the last time.
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
        self._folders: dict[str, _Folder] = {}
        self._paths: dict[str, str] = {}
        self._ledger = Ledger()

    def load(self) -> Ledger:
        """All records of the store, in order; only files that are new are read.

        Raises StoreError where the folder cannot be read. An absent store is an empty one.
        """
        try:
            present = self._scan()
        except OSError as error:
            raise StoreError(self.root, f"cannot be read ({error.strerror})") from None
        if self._lost(present):
            self._folders, self._paths, self._ledger = {}, {}, Ledger()
        with _collector_paused():
            fresh = [record for task in present for record in self._read(task, present[task])]
            self._ledger = self._ledger.append(*fresh)
        return self._ledger

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
        """The files that were no records when the store was last loaded, by path."""
        faults = (fault for folder in self._folders.values() for fault in folder.faults.values())
        return tuple(sorted(faults, key=lambda fault: fault.path))

    def path(self, record_id: str) -> Path | None:
        """Where the record of that id lies, None when it was not loaded."""
        shown = self._paths.get(record_id)
        return self.root / shown if shown else None

    def copy(self, record: Record[Body], folder: Path) -> Path:
        """Copy a loaded record's file, byte for byte, to another store; StoreError where taken."""
        path = folder / self._paths[record.id]
        content = Path(self.root, self._paths[record.id]).read_bytes()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                publish_new(path, content)
            same = path.read_bytes() == content
        except OSError as error:
            raise StoreError(path, f"cannot be written ({error.strerror})") from None
        if not same:
            raise StoreError(path, "another file has this name, choose an empty folder")
        return path

    def _scan(self) -> dict[str, dict[str, int]]:
        """The inode of each record's file, by task and name; 0 for what is no regular file."""
        if not self.root.exists():
            return {}
        with os.scandir(self.root) as entries:
            tasks = sorted(entry.name for entry in entries if entry.is_dir())
        present = {}
        for task in tasks:
            with os.scandir(self.root / task) as entries:
                present[task] = {
                    entry.name: entry.inode() if entry.is_file() else 0
                    for entry in entries
                    if entry.name.endswith(".json")
                }
        return present

    def _lost(self, present: Mapping[str, Mapping[str, int]]) -> bool:
        """Whether a file that gave a record is gone or has become another file."""
        for task, folder in self._folders.items():
            files = present.get(task, {})
            known = folder.inodes.items() - files.items()
            if any(name in folder.ids for name, _ in known):
                return True
        return False

    def _read(self, task: str, files: Mapping[str, int]) -> Iterator[Record[Body]]:
        folder = self._folders.setdefault(task, _Folder())
        folder.inodes, folder.faults = dict(files), {}
        for name in sorted(files.keys() - folder.ids.keys()):
            shown = f"{task}/{name}"
            try:
                record = self._read_file(shown, regular=files[name] != 0)
            except FileNotFoundError:
                continue
            except UnreadableRecord as fault:
                folder.faults[name] = Unreadable(fault.path, fault.field, fault.reason)
                continue
            folder.ids[name] = record.id
            self._paths[record.id] = shown
            yield record

    def _read_file(self, shown: str, *, regular: bool) -> Record[Body]:
        if not regular:
            raise UnreadableRecord(shown, None, "it is no regular file")
        record = read_record(f"{self.root}/{shown}", shown)
        other = self._paths.get(record.id)
        if other:
            raise UnreadableRecord(shown, "id", f"its id {record.id} is the id of {other} too")
        return record

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
        task = surroundings.task
        if not is_plain_name(task):
            raise Refusal("invalid_value", f"the task {task[:80]!r} is no plain name.", "task")
        with self._locked():
            ledger = self.load()
            same = same_draft(drafted.body, ledger, task) if once else None
            if same:
                return Written(same, self.root / self._paths[same.id], reused=True)
            now = self._now(ledger)
            body = admit(drafted.body, ledger, situate, now)
            record = self._stamp(drafted, body, now, surroundings, exchange)
            path = self._publish(record)
            self._remember(record, path)
        return Written(record, path)

    def _now(self, ledger: Ledger) -> datetime:
        """The clock, in whole milliseconds, after every stamp that is not far ahead of it."""
        now = _whole_milliseconds(self._clock())
        ahead = set()
        last = None
        for record in reversed(ledger):
            if record.at <= now + SKEW:
                last = record.at
                break
            ahead.add(record.at)
        if last is None or last < now:
            return now
        after = _whole_milliseconds(last) + timedelta(milliseconds=1)
        while after in ahead:  # a stamp that does not lift the clock is not repeated either
            after += timedelta(milliseconds=1)
        return after

    def _stamp(
        self,
        drafted: Draft,
        body: Body,
        now: datetime,
        surroundings: Surroundings,
        exchange: Exchange | None,
    ) -> Record[Body]:
        stamp = to_stamp(now)
        compact = "".join(char for char in stamp if char.isalnum())
        reported = "asked" if exchange else "reported"
        pins = surroundings.pins(body)
        envelope = {
            "schema": SCHEMA,
            "version": VERSION,
            "id": f"{body.kind}-{compact}-{self._suffix()}",
            "task": surroundings.task,
            "recorded_at": stamp,
            "head": surroundings.head(),
            "redacted": tuple(sorted(drafted.redacted)),
            "body": body,
            "origin": reported if isinstance(body, Consultation) else "written",
            "exchange": exchange,
            "cites": cites(body, self._ledger),
            "pins": pins,
            "writer": {"package": PACKAGE, "version": __version__},
        }
        return record_type().validate_python(
            {name: value for name, value in envelope.items() if value not in (None, (), {})}
        )

    def _remember(self, record: Record[Body], path: Path) -> None:
        """Take the new record into what was loaded, so that it is not read back."""
        folder = self._folders.setdefault(record.task, _Folder())
        folder.ids[path.name] = record.id
        folder.inodes[path.name] = path.stat().st_ino
        self._paths[record.id] = f"{record.task}/{path.name}"
        self._ledger = self._ledger.append(record)

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
        path = folder / f"{record.id}.json"
        try:
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                _sync_folder(self.root)
            publish_new(path, record_bytes(record))
        except OSError as error:
            raise StoreError(path, f"cannot be written ({error.strerror})") from None
        return path


def _whole_milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """No garbage collection meanwhile, and none of what was made at once afterwards.

    Every object that reading makes is kept; the collector, which is called for by their number,
    would double the time and find nothing. Freezing and thawing hands them to the oldest
    generation, as the collector would have done after looking at each.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


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


def read_record(path: str, shown: str) -> Record[Body]:
    """The record in a file; UnreadableRecord naming the file as `shown`, and the field at fault."""
    try:
        record = record_type().validate_json(_content(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field_path = ".".join(str(part) for part in first["loc"]) or None
        reason = first["msg"][:1].lower() + first["msg"][1:]
        raise UnreadableRecord(shown, field_path, reason) from None
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UnreadableRecord(shown, None, f"it cannot be read ({error.strerror})") from None
    try:
        record.key  # noqa: B018 - the place where a stamp that names no moment is found out
    except ValueError:
        raise UnreadableRecord(shown, "recorded_at", "it is no RFC 3339 stamp in UTC") from None
    return record


def _content(path: str) -> bytes:
    """The bytes of a file; without a file object, which for a file this small is half the cost."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return b"".join(iter(partial(os.read, handle, 65_536), b""))
    finally:
        os.close(handle)
