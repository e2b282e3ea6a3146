"""A table on a terminal: numbers to the right, units in the heads, wide tables folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from majordomus_reasoning.core.records import canonical
from majordomus_reasoning.core.redaction import strip_controls
from majordomus_reasoning.frames import Table, table_rows

if TYPE_CHECKING:
    from pandas import DataFrame

WIDEST_CELL = 48
PADDING = 3  # a space on each side, and the line between


def print_table(table: Table, frame: DataFrame, console: Console | None = None) -> None:
    """Print a table; where the terminal is too narrow, its columns stand in several blocks.

    Each block begins with the number of the row, so that its rows can be told.
    """
    console = console or Console(highlight=False, soft_wrap=False)
    names = [str(name) for name in frame.columns]
    rows = table_rows(frame)
    cells = {name: [_cell(row[name]) for row in rows] for name in names}
    heads = {name: _head(table, name) for name in names}
    widths = {name: _width(heads[name], cells[name]) for name in names}
    for block in _blocks(widths, console.width - len(str(len(rows))) - PADDING - 2):
        grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        grid.add_column("#", justify="right")
        for name in block:
            number = table.column(name).dtype.name in {"Int64", "Float64"}
            grid.add_column(
                Text(heads[name]), justify="right" if number else "left", overflow="fold"
            )
        for place in range(len(rows)):
            grid.add_row(str(place), *(Text(cells[name][place]) for name in block))
        console.print(grid)
    console.print("1 row" if len(rows) == 1 else f"{len(rows)} rows")


def _head(table: Table, name: str) -> str:
    """The name of a column, its unit apart: `duration_ms` is `duration [ms]`."""
    unit = table.column(name).unit
    if not unit:
        return name
    return f"{name.removesuffix(f'_{unit}').removeprefix(f'{unit}_')} [{unit}]"


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        value = canonical(value)
    return "" if value is None else strip_controls(str(value))


def _width(head: str, cells: Sequence[str]) -> int:
    return min(WIDEST_CELL, max(map(len, (head, *cells))))


def _blocks(widths: Mapping[str, int], room: int) -> Iterator[list[str]]:
    block: list[str] = []
    for name in widths:
        if block and sum(widths[each] + PADDING for each in (*block, name)) > room:
            yield block
            block = []
        block.append(name)
    if block:
        yield block
