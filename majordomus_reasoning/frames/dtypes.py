"""The dtypes that columns are declared with, and how lists of values become arrays of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

if TYPE_CHECKING:
    import pandas as pd
    from pandas.api.extensions import ExtensionArray


class Dtype(NamedTuple):
    """A dtype as pandas spells it; words have their levels, in order where the words have one."""

    name: str
    levels: tuple[str, ...] = ()
    ordered: bool = False


TEXT = Dtype("string")
COUNT = Dtype("Int64")
RATIO = Dtype("Float64")
FLAG = Dtype("boolean")
STAMP = Dtype("datetime64[us, UTC]")
JSON = Dtype("object")


def words(literal: Any, *, ordered: bool = False) -> Dtype:
    """The dtype of the words that a `Literal` lists.

    >>> from typing import Literal
    >>> words(Literal["low", "high"], ordered=True)
    Dtype(name='category', levels=('low', 'high'), ordered=True)
    """
    return Dtype("category", get_args(literal), ordered)


def array(dtype: Dtype, values: Sequence[Any]) -> ExtensionArray | pd.Series[Any]:
    """Values, None where one is missing, as an array of the declared dtype."""
    import pandas as pd

    if dtype.name == "category":
        codes: Mapping[str | None, int] = {
            None: -1,
            **{word: code for code, word in enumerate(dtype.levels)},
        }
        declared = pd.CategoricalDtype(list(dtype.levels), dtype.ordered)
        return pd.Categorical.from_codes([codes[word] for word in values], dtype=declared)
    if dtype.name == "object":
        return pd.Series(values, dtype="object")
    return pd.array(values, dtype=dtype.name)  # type: ignore[call-overload,no-any-return]
