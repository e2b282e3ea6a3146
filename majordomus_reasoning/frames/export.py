"""A table as a file: CSV, JSON, Parquet or a workbook, whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from majordomus_reasoning.core.records import canonical
from majordomus_reasoning.core.redaction import strip_controls
from majordomus_reasoning.errors import NotFound, Refusal, StoreError

if TYPE_CHECKING:
    from pandas import DataFrame

# What a spreadsheet takes for the beginning of a formula, the wide forms of the signs included.
FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
LONGEST_CELL = 32_767
MOST_ROWS = 1_048_575


def write_table(frame: DataFrame, path: Path | str) -> Path:
    """Write a table to a file in the format of its suffix, one of `FORMATS`; returns the path.

    A file of that name is replaced in one step, so that nobody finds half a table. In CSV and
    workbooks, control characters are left out of text, and text that a spreadsheet would take for
    a formula is written with an apostrophe before it. Stamps are RFC 3339 text in UTC, but in
    Parquet, which has a type for them; the bodies of records are JSON text, but in JSON.

    Raises NotFound for a suffix without a format, or a format whose package is not installed;
    Refusal for a table that a workbook cannot hold; StoreError where the file cannot be written.
    """
    path = Path(path)
    form = FORMATS.get(path.suffix.lower())
    if form is None:
        raise NotFound(f"a format for {path.name!r}", f"name a file in {', '.join(FORMATS)}")
    _publish(form(frame), path)
    return path


def _csv(frame: DataFrame) -> bytes:
    flat = _texts(_flat(frame), _harmless)
    return flat.to_csv(index=False, lineterminator="\n").encode("utf-8")


def table_rows(frame: DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as JSON holds them: stamps as RFC 3339 text, what is missing as null."""
    cells = _stamps_as_text(frame).astype("object")
    rows = cells.where(cells.notna(), None).to_dict(orient="records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _json(frame: DataFrame) -> bytes:
    return (json.dumps(table_rows(frame), ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _parquet(frame: DataFrame) -> bytes:
    _need("pyarrow")
    content = BytesIO()
    _bodies_as_text(frame).to_parquet(content, engine="pyarrow", index=False)
    return content.getvalue()


def _xlsx(frame: DataFrame) -> bytes:
    _need("openpyxl")
    if len(frame) > MOST_ROWS:
        message = f"the table has {len(frame)} rows and a workbook at most {MOST_ROWS}: filter it."
        raise Refusal("invalid_value", message, "rows")
    content = BytesIO()
    _texts(_flat(frame), _cell).to_excel(content, engine="openpyxl", index=False)
    return content.getvalue()


FORMATS: Mapping[str, Callable[[DataFrame], bytes]] = MappingProxyType(
    {".csv": _csv, ".json": _json, ".parquet": _parquet, ".xlsx": _xlsx}
)


def _need(package: str) -> None:
    try:
        import_module(package)
    except ImportError:
        remedy = "`pip install 'majordomus_reasoning[lake]'` installs it"
        raise NotFound(f"the package {package}", remedy) from None


def _flat(frame: DataFrame) -> DataFrame:
    return _bodies_as_text(_stamps_as_text(frame))


def _stamps_as_text(frame: DataFrame) -> DataFrame:
    stamps = frame.select_dtypes("datetimetz")
    texts = {str(name): stamps[name].dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ") for name in stamps}
    return frame.assign(**texts)


def _bodies_as_text(frame: DataFrame) -> DataFrame:
    bodies = frame[[name for name, dtype in frame.dtypes.items() if dtype == "object"]]
    return _changed(frame, bodies, lambda cell: canonical(cell) if isinstance(cell, dict) else cell)


def _texts(frame: DataFrame, change: Callable[[str], str]) -> DataFrame:
    """The frame with every text changed, those of its head too; numbers stay as they are."""
    cells = frame.select_dtypes(exclude=["number", "bool", "datetimetz"])
    changed = _changed(frame, cells, lambda cell: change(cell) if isinstance(cell, str) else cell)
    return changed.rename(columns=change)


def _changed(frame: DataFrame, cells: DataFrame, change: Callable[[Any], Any]) -> DataFrame:
    changed = {str(name): cells[name].astype("object").map(change) for name in cells}
    return frame.assign(**changed)


def _harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula, and no reader for the end of its row.

    >>> _harmless("=1+1"), _harmless("a=1")
    ("'=1+1", 'a=1')
    """
    plain = strip_controls(text)
    return f"'{plain}" if plain.lstrip()[:1] in FORMULA or plain[:1] in {"\t", "\n"} else plain


def _cell(text: str) -> str:
    """A harmless text that a cell of a workbook can hold: cut with an ellipsis."""
    held = _harmless(text)
    return held if len(held) <= LONGEST_CELL else held[: LONGEST_CELL - 1] + "…"


def _publish(content: bytes, path: Path) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(path, f"cannot be written ({error.strerror})") from None
