"""The page on the tables, made from their declarations.

`python -m majordomus_reasoning.frames.document > docs/tables.md` writes the page anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from majordomus_reasoning.frames import TABLES, Table

INTRODUCTION = """\
# Tables

Made from the declarations by `python -m majordomus_reasoning.frames.document`; do not edit.

Every table is a DataFrame. It has the columns and dtypes listed here whatever the store holds, an
empty store too. The id of the record that a row is read from comes first, then the ids of records
that it refers to; the last column is the record's file. Rows stand by time, then by id. Stamps are
UTC. A list stands as one text, its items parted by commas. A duration counts whole units, the rest
dropped. What is not known, or does not apply, is missing.

Each table takes `columns` (only these), `as_of` (what was known at a moment, or when the last
record was made on a commit, and nothing later), `since`, `task`, `advisor`, `assessment` (only such
rows, where the table has the column) and `errors="raise"` (an unreadable file is an error).
"""


def page(tables: Iterable[Table]) -> str:
    """The page on all tables as Markdown."""
    return "\n".join([INTRODUCTION, *(line for table in tables for line in _section(table))])


def _section(table: Table) -> Iterator[str]:
    yield f"## `{table.name}`"
    yield ""
    yield f"A row is {table.row}."
    yield ""
    yield "| column | dtype | unit | meaning | from |"
    yield "|---|---|---|---|---|"
    for column in table.columns:
        cells = (
            f"`{column.name}`",
            column.type,
            column.unit or "",
            column.sentence,
            column.source,
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def main() -> None:
    """Write the page to standard output."""
    sys.stdout.write(page(TABLES.values()))


if __name__ == "__main__":
    main()
