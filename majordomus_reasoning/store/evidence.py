"""`file` evidence on disk: pinned when a record is made, compared later to show drift."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from majordomus_reasoning.core.records import Body, Pin
from majordomus_reasoning.core.redaction import clean_text, mask_private_keys
from majordomus_reasoning.store.repository import last_commit

LARGEST_PINNED = 16 * 1024 * 1024
LONGEST_PINNED_LINE = 400
EXCERPT_AROUND = 20

DriftStatus = Literal[
    "unchanged", "line_unchanged", "line_moved", "line_changed", "changed", "gone"
]


class FileReference(NamedTuple):
    """A `file` reference taken apart: `src/x.py:42` is the path `src/x.py` and the line 42."""

    path: str
    line: int | None


def parse_reference(reference: str) -> FileReference:
    """The path and the line of a `file` reference; a range or a column counts from its line.

    >>> parse_reference("src/x.py:42"), parse_reference("README.md").line
    (FileReference(path='src/x.py', line=42), None)
    """
    match = re.fullmatch(r"(.+?):(\d{1,9})(?:[-:]\d{1,9})?", reference, re.DOTALL)
    return FileReference(match[1], int(match[2])) if match else FileReference(reference, None)


def file_in(checkout: Path, path: str) -> Path | None:
    """The file of a path that lies within a checkout, links followed; None for any other."""
    try:
        root = checkout.resolve()
        found = (root / path).resolve()
        inside = found.is_relative_to(root) and found.is_file()
        return found if inside and found.stat().st_size <= LARGEST_PINNED else None
    except (OSError, ValueError):
        return None


def pins(checkout: Path, body: Body) -> tuple[Pin, ...]:
    """A pin for each `file` evidence of a body whose file exists in the checkout."""
    references = [each.reference for each in getattr(body, "evidence", ()) if each.kind == "file"]
    found = (_pin(checkout, reference) for reference in dict.fromkeys(references))
    return tuple(pin for pin in found if pin)


def _pin(checkout: Path, reference: str) -> Pin | None:
    path, line = parse_reference(reference)
    found = _read(checkout, path)
    if found is None:
        return None
    file, content = found
    facts = {
        "reference": reference,
        "sha256": hashlib.sha256(content).hexdigest(),
        "line": _line(_lines(content), line),
        "commit": last_commit(checkout, file),
    }
    return Pin.model_validate({name: value for name, value in facts.items() if value is not None})


def _read(checkout: Path, path: str) -> tuple[Path, bytes] | None:
    file = file_in(checkout, path)
    try:
        return (file, file.read_bytes()) if file else None
    except OSError:
        return None


def _lines(content: bytes) -> list[str]:
    return mask_private_keys(content.decode("utf-8", errors="replace")).split("\n")


def _line(lines: list[str], number: int | None) -> str | None:
    """A line as it is kept: cleaned of secrets and escapes, and bounded."""
    if number is None or not 1 <= number <= len(lines):
        return None
    return clean_text(lines[number - 1].rstrip("\r"))[0][:LONGEST_PINNED_LINE]


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of pinned evidence; `line` is where the pinned line stands now, if it does."""

    record: str
    reference: str
    status: DriftStatus
    line: int | None = None


def drift(checkout: Path, record: str, pin: Pin) -> Drift:
    """How the file of a pin differs now from what it was when the record was made."""
    path, number = parse_reference(pin.reference)
    found = _read(checkout, path)
    if found is None:
        return Drift(record, pin.reference, "gone")
    _, content = found
    if hashlib.sha256(content).hexdigest() == pin.sha256:
        return Drift(record, pin.reference, "unchanged", number)
    if pin.line is None or number is None:
        return Drift(record, pin.reference, "changed")
    lines = _lines(content)
    if _line(lines, number) == pin.line:
        return Drift(record, pin.reference, "line_unchanged", number)
    places = [place for place in range(1, len(lines) + 1) if _line(lines, place) == pin.line]
    if len(places) == 1:
        return Drift(record, pin.reference, "line_moved", places[0])
    return Drift(record, pin.reference, "line_changed")


def excerpt(checkout: Path, reference: str) -> str | None:
    """The piece of a file that a `file` reference is about: its line with 20 around it, or its top.

    Secrets are replaced; None where the checkout has no such file.
    """
    path, number = parse_reference(reference)
    found = _read(checkout, path)
    if found is None:
        return None
    lines = _lines(found[1])
    middle = number or EXCERPT_AROUND + 1
    piece = lines[max(0, middle - 1 - EXCERPT_AROUND) : middle + EXCERPT_AROUND]
    return clean_text("\n".join(piece))[0]
