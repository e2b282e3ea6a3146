"""What the tables cost, from a ledger of 100,000 records that is loaded.

Measured for each table: making its DataFrame with all columns (`Table.frame`), and making a
DataFrame of the same rows when they lie ready as plain dictionaries. That is `pandas.DataFrame` of
a list with one dictionary for each row (texts, numbers, `datetime` and None, read back from the
table itself) followed by `astype` with the declared dtypes. Making the dictionaries is not part of
the time. The first may cost three times the second; and the same table of 100,000 records at most
2.4 times that of 50,000.

`circuits` gets the same measure, although each of its rows is computed from all outcomes of an
advisor. `unreadable` is made of a list of files beside the ledger, one for each hundred records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from measure import Ratio, fastest
from synthetic import records

from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import record_type
from majordomus_reasoning.frames import TABLES, History, Table

RECORDS = 100_000
COST, GROWTH = 3, 2.4


def history(count: int) -> History:
    """The history of so many synthetic records, each record's sort key known as after loading."""
    parsed = [record_type().validate_python(each, strict=False) for each in records(count)]
    files = [Unreadable(f"task/record-{n}.json", None, "no JSON") for n in range(count // 100)]
    return History(Ledger(parsed), tuple(files))


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as dictionaries of plain values, None where one is missing."""
    cells = frame.astype("object")
    return cells.where(cells.notna(), None).to_dict(orient="records")


def dtypes(table: Table) -> Mapping[str, Any]:
    """The declared dtypes as pandas takes them."""
    return {
        column.name: pd.CategoricalDtype(list(column.dtype.levels), column.dtype.ordered)
        if column.dtype.levels
        else column.dtype.name
        for column in table.columns
    }


def ratios(table: Table, whole: History, half: History) -> Iterator[Ratio]:
    """One table against its rows as dictionaries, and against half of the records."""
    frame = table.frame(whole)
    rows, declared = plain_rows(frame), dtypes(table)
    plain = fastest(lambda: pd.DataFrame(rows).astype(declared))
    seconds = fastest(lambda: table.frame(whole))
    yield Ratio(f"{table.name}, {len(frame):,} rows / from dictionaries", seconds, plain, COST)
    smaller = fastest(lambda: table.frame(half))
    yield Ratio(f"{table.name} of {RECORDS:,} records / of half", seconds, smaller, GROWTH)


def tables() -> Iterator[Ratio]:
    """Every table."""
    whole, half = history(RECORDS), history(RECORDS // 2)
    for table in TABLES.values():
        yield from ratios(table, whole, half)
