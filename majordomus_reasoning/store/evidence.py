"""`file` evidence on disk: pinned when a record is made, compared later to show drift."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from majordomus_reasoning.core.records import Input, Pin
from majordomus_reasoning.core.redaction import clean_text, mask_private_keys, strip_controls
from majordomus_reasoning.store.reading import MIB, read_bounded, resolved
from majordomus_reasoning.store.repository import blob_id, last_commits

LARGEST_PINNED = 16 * MIB
LONGEST_PINNED_LINE = 400
EXCERPT_AROUND = 20
# What a line is cleaned with: more white space than a shape allows between a name and its value,
# and more text than any shape but a private key is long.
LINES_BEFORE = 24
CHARACTERS_BEFORE = 4_096
LONGEST_CLEANED_LINE = 65_536

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
        root = resolved(checkout)
        found = resolved(root / path)
        inside = found.is_relative_to(root) and found.is_file()
        return found if inside and found.stat().st_size <= LARGEST_PINNED else None
    except (OSError, ValueError):
        return None


def pins(checkout: Path, body: Input) -> tuple[Pin, ...]:
    """A pin for each `file` evidence of a body whose file exists in the checkout.

    However often a file is cited, it is read once.
    """
    cited = [each.reference for each in getattr(body, "evidence", ()) if each.kind == "file"]
    references = list(dict.fromkeys(cited))
    lines: dict[Path, set[int | None]] = {}
    places = {}
    for reference in references:
        path, line = parse_reference(reference)
        file = file_in(checkout, path)
        if file:
            places[reference] = (file, line)
            lines.setdefault(file, set()).add(line)
    kept = {file: found for file in lines if (found := _read_kept(file, lines[file]))}
    commits = last_commits(checkout, {file: each.blob for file, each in kept.items()})
    return tuple(
        _pin(reference, kept[file], line, commits.get(file))
        for reference, (file, line) in places.items()
        if file in kept
    )


class _Kept(NamedTuple):
    """What is kept of a cited file: its digest, its name in git, and the lines that are cited."""

    sha256: str
    blob: str
    lines: Mapping[int | None, str | None]


def _read_kept(file: Path, numbers: Iterable[int | None]) -> _Kept | None:
    content = _read(file)
    if content is None:
        return None
    lines = _lines(content)
    kept = {number: _line(lines, number) for number in numbers}
    return _Kept(hashlib.sha256(content).hexdigest(), blob_id(content), kept)


def _pin(reference: str, kept: _Kept, line: int | None, commit: str | None) -> Pin:
    facts = {
        "reference": reference,
        "sha256": kept.sha256,
        "line": kept.lines[line],
        "commit": commit,
    }
    return Pin.model_validate({name: value for name, value in facts.items() if value is not None})


def _read(file: Path | None) -> bytes | None:
    try:
        return read_bounded(file, LARGEST_PINNED) if file else None
    except OSError:
        return None


def _lines(content: bytes) -> list[str]:
    return mask_private_keys(content.decode("utf-8", errors="replace")).split("\n")


def _line(lines: Sequence[str], number: int | None) -> str | None:
    """A line as it is kept: bounded, and cleaned together with the lines before it.

    The name that makes a value a secret may stand on the line before.
    """
    if number is None or not 1 <= number <= len(lines):
        return None
    before = "\n".join(lines[max(0, number - 1 - LINES_BEFORE) : number - 1])
    line = lines[number - 1][:LONGEST_CLEANED_LINE]
    context = [*before[-CHARACTERS_BEFORE:].split("\n"), line]
    return _cleaned(context)[-1][:LONGEST_PINNED_LINE]


def _cleaned(lines: Sequence[str]) -> list[str]:
    """Neighbouring lines, cleaned of secrets and escapes; as many as were given.

    Escapes go line by line, and a key leaves a mark on each of its lines: only they span lines.
    """
    text = "\n".join(strip_controls(line) for line in lines)
    return clean_text(mask_private_keys(text))[0].split("\n")


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
    content = _read(file_in(checkout, path))
    if content is None:
        return Drift(record, pin.reference, "gone")
    if hashlib.sha256(content).hexdigest() == pin.sha256:
        return Drift(record, pin.reference, "unchanged", number)
    if pin.line is None or number is None:
        return Drift(record, pin.reference, "changed")
    lines = _lines(content)
    if _line(lines, number) == pin.line:
        return Drift(record, pin.reference, "line_unchanged", number)
    places = _places(lines, pin.line)
    if len(places) == 1:
        return Drift(record, pin.reference, "line_moved", places[0])
    return Drift(record, pin.reference, "line_changed")


def _places(lines: Sequence[str], kept: str) -> list[int]:
    """The numbers of the lines that would be kept as that text."""
    cleaned = enumerate(_cleaned(lines), 1)
    return [number for number, line in cleaned if line[:LONGEST_PINNED_LINE] == kept]


def excerpt(checkout: Path, reference: str) -> str | None:
    """The piece of a file that a `file` reference is about: its line with 20 around it, or its top.

    Secrets are replaced; None where the checkout has no such file.
    """
    path, number = parse_reference(reference)
    content = _read(file_in(checkout, path))
    if content is None:
        return None
    middle = number or EXCERPT_AROUND + 1
    first = max(0, middle - 1 - EXCERPT_AROUND)
    before = max(0, first - LINES_BEFORE)
    lines = [line[:LONGEST_CLEANED_LINE] for line in _lines(content)]
    cleaned = _cleaned(lines[before : middle + EXCERPT_AROUND])
    return "\n".join(cleaned[first - before :])
