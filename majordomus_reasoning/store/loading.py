"""What lies in the folder of a store, read as it comes: records, and files that are none.

A record is the file `<task>/<id>.json`. A file of another name or in another folder is read too,
since other hands keep stores; of several files with one id, the one in its place is the record.
Whatever cannot be read is listed with its path and the reason, and hides nothing else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from majordomus_reasoning.core.collector import collector_paused
from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import Body, Record, record_type
from majordomus_reasoning.errors import UnreadableRecord
from majordomus_reasoning.store.reading import MIB, read_bounded

LARGEST_RECORD = 16 * MIB
_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")
Found = tuple[str, Record[Body]]


@dataclass
class _Listing:
    """What lies in a store: the inode of each file by task and name, 0 for what is no file.

    `leftovers` are temporary files, of a writer at work or of one that was killed.
    """

    files: dict[str, dict[str, int]] = field(default_factory=dict)
    faults: list[Unreadable] = field(default_factory=list)
    leftovers: list[Path] = field(default_factory=list)


def place(record: Record[Body]) -> str:
    """Where the file of a record belongs in its store."""
    return f"{record.task}/{record.id}.json"


class Records:
    """The records of a store as far as they were read.

    A record's file is never changed once it is published; so a file is read again only when it is
    another file (its inode differs), or was no record the last time.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._forget()

    def _forget(self) -> None:
        self._inodes: dict[str, dict[str, int]] = {}
        self.paths: dict[str, str] = {}
        self.ledger = Ledger()
        self.faults: list[Unreadable] = []
        self.leftovers: list[Path] = []

    def load(self) -> Ledger:
        """All records, in order; OSError where the store itself cannot be listed."""
        listing = _list(self._root)
        if self._lost(listing.files):
            self._forget()
        self.faults, self.leftovers = listing.faults, listing.leftovers
        with collector_paused():
            found = sorted(self._read_new(listing.files), key=_claim)
            if any(self._is_overtaken(each) for each in found):
                self._forget()
                return self.load()
            self.ledger = self.ledger.append(*self._accepted(found, listing.files))
        return self.ledger

    def add(self, record: Record[Body], path: Path) -> None:
        """Take in a record that was just written, so that it is not read back."""
        self._inodes.setdefault(record.task, {})[path.name] = path.stat().st_ino
        self.paths[record.id] = place(record)
        self.ledger = self.ledger.append(record)

    def _lost(self, files: Mapping[str, Mapping[str, int]]) -> bool:
        """Whether a file that gave a record is gone or has become another file."""
        for task, known in self._inodes.items():
            present = files.get(task, {})
            if any(present.get(name) != inode for name, inode in known.items()):
                return True
        return False

    def _read_new(self, files: Mapping[str, Mapping[str, int]]) -> Iterator[Found]:
        for task in sorted(files):
            known = self._inodes.setdefault(task, {})
            for name in sorted(files[task].keys() - known.keys()):
                shown = f"{task}/{name}"
                try:
                    yield shown, self._read(shown, regular=files[task][name] != 0)
                except FileNotFoundError:
                    continue
                except UnreadableRecord as fault:
                    self.faults.append(Unreadable(fault.path, fault.field, fault.reason))

    def _read(self, shown: str, *, regular: bool) -> Record[Body]:
        if not regular:
            raise UnreadableRecord(shown, None, "it is no regular file")
        return read_record(f"{self._root}/{shown}", shown)

    def _is_overtaken(self, found: Found) -> bool:
        """Whether a new file has a better claim to its id than the one that was read before."""
        _, record = found
        known = self.ledger.get(record.id)
        return known is not None and _claim(found) < _claim((self.paths[record.id], known))

    def _accepted(
        self, found: list[Found], files: Mapping[str, Mapping[str, int]]
    ) -> Iterator[Record[Body]]:
        for shown, record in found:
            other = self.paths.setdefault(record.id, shown)
            if other != shown:
                reason = f"its id {record.id} is the id of {other} too"
                self.faults.append(Unreadable(shown, "id", reason))
                continue
            task, name = shown.split("/")
            self._inodes[task][name] = files[task][name]
            yield record


def _claim(found: Found) -> tuple[bool, str]:
    """What decides between files with one id, the least first: its place, then the path."""
    shown, record = found
    return shown != place(record), shown


def _list(root: Path) -> _Listing:
    listing = _Listing()
    try:
        with os.scandir(root) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return listing
    for entry in entries:
        try:
            if entry.is_dir():
                listing.files[entry.name] = _files(Path(entry.path), listing)
            elif entry.name.endswith(".json"):
                reason = "it lies in the folder of no task"
                listing.faults.append(Unreadable(entry.name, None, reason))
        except FileNotFoundError:  # gone meanwhile
            continue
        except OSError as error:
            reason = f"it cannot be read ({error.strerror})"
            listing.faults.append(Unreadable(entry.name, None, reason))
    return listing


def _files(folder: Path, listing: _Listing) -> dict[str, int]:
    files = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(".json"):
                try:
                    files[name] = entry.inode() if entry.is_file() else 0
                except OSError:  # a loop of links
                    files[name] = 0
            elif _TEMPORARY.fullmatch(name):
                listing.leftovers.append(folder / name)
    return files


def read_record(path: str, shown: str) -> Record[Body]:
    """The record in a file; UnreadableRecord naming the file as `shown`, and the field at fault.

    Raises FileNotFoundError where the file is gone.
    """
    try:
        record = record_type().validate_json(read_bounded(path, LARGEST_RECORD))
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
