import inspect
from pathlib import Path

import pandas as pd
import pytest
from frame_samples import history

from majordomus_reasoning import frames
from majordomus_reasoning.frames import TABLES
from majordomus_reasoning.frames.document import page

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
PAGE = Path(__file__).parents[2] / "docs" / "tables.md"


@EVERY_TABLE
def test_each_table_is_a_function_of_its_name(table):
    function = getattr(frames, table.name)
    assert function.__name__ == table.name
    assert table.name in frames.__all__
    pd.testing.assert_frame_equal(function(history()), table.frame(history()))


@EVERY_TABLE
def test_the_docstring_of_a_function_defines_every_column(table):
    text = getattr(frames, table.name).__doc__
    for column in table.columns:
        meaning = column.meaning[0].upper() + column.meaning[1:]
        assert f"    {column.name} ({column.dtype.name}" in text
        assert meaning in text


@EVERY_TABLE
def test_a_function_takes_what_the_frame_of_its_table_takes(table):
    assert inspect.signature(getattr(frames, table.name)) == inspect.signature(table.frame)


@EVERY_TABLE
def test_no_two_columns_of_a_table_have_one_name_and_each_says_what_it_means(table):
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names)
    assert all(column.meaning and column.source for column in table.columns)


def test_the_page_on_the_tables_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(TABLES.values())
