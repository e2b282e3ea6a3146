"""The records as pandas tables: each declared once as data, read by one builder.

`TABLES` lists them by name; each is also a function of that name that takes the history of a store,
or those of several, and gives a DataFrame. Importing this imports no pandas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar

from majordomus_reasoning.frames.export import FORMATS, table_rows, write_table
from majordomus_reasoning.frames.history import History
from majordomus_reasoning.frames.table import Column, Table
from majordomus_reasoning.frames.tables import TABLES

P = ParamSpec("P")
R = TypeVar("R")


def _docstring(table: Table) -> str:
    lines = (f"    {column.name} ({column.type}): {column.sentence}" for column in table.columns)
    first = f"{table.name.capitalize()} as a DataFrame: a row is {table.row}."
    last = "The parameters and errors are those of `Table.frame`."
    return "\n".join([first, "", "Columns:", *lines, "", last])


def _functions(method: Callable[Concatenate[Table, P], R]) -> Callable[[Table], Callable[P, R]]:
    """What makes a table's function: its name and declaration, and the parameters of a method."""

    def make(table: Table) -> Callable[P, R]:
        def read(*args: P.args, **kwargs: P.kwargs) -> R:
            return method(table, *args, **kwargs)

        update_wrapper(read, table.frame)
        read.__module__, read.__name__, read.__qualname__ = __name__, table.name, table.name
        read.__doc__ = _docstring(table)
        return read

    return make


_function = _functions(Table.frame)
records = _function(TABLES["records"])
timeline = _function(TABLES["timeline"])
assessments = _function(TABLES["assessments"])
consultations = _function(TABLES["consultations"])
advisor_states = _function(TABLES["advisor_states"])
selections = _function(TABLES["selections"])
disagreements = _function(TABLES["disagreements"])
positions = _function(TABLES["positions"])
conclusions = _function(TABLES["conclusions"])
due = _function(TABLES["due"])
evidence = _function(TABLES["evidence"])
failures = _function(TABLES["failures"])
circuits = _function(TABLES["circuits"])
unreadable = _function(TABLES["unreadable"])

__all__ = [
    "FORMATS",
    "TABLES",
    "Column",
    "History",
    "Table",
    "advisor_states",
    "assessments",
    "circuits",
    "conclusions",
    "consultations",
    "disagreements",
    "due",
    "evidence",
    "failures",
    "positions",
    "records",
    "selections",
    "table_rows",
    "timeline",
    "unreadable",
    "write_table",
]
