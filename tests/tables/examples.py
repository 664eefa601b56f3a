"""Tables of every kind, for the tests of this folder."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.tables import CategoryColumn, Columns


class OnlyStream:
    """An object with only an Arrow C stream."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OnlyArray:
    """An object that only converts to numpy."""

    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array


def arrow_backed(table):
    return table.to_pandas(types_mapper=pd.ArrowDtype)


FROM_ARROW = {
    "pyarrow": lambda table: table,
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "chunked pyarrow": lambda table: pa.concat_tables([table.slice(0, 1), table.slice(1)]),
    "polars": pl.DataFrame,
    "pandas on Arrow": arrow_backed,
    "stream of pyarrow": OnlyStream,
}
if hasattr(pl.DataFrame, "__arrow_c_stream__"):  # since polars 1.3
    FROM_ARROW["stream of polars"] = lambda table: OnlyStream(pl.DataFrame(table))


every_arrow_kind = pytest.mark.parametrize("convert", FROM_ARROW.values(), ids=FROM_ARROW.keys())


def plain(column):
    """Column in a form that `==` and assert can show."""
    if isinstance(column, CategoryColumn):
        assert column.codes.dtype == np.int32
        return [None if code < 0 else column.labels[code] for code in column.codes], column.labels
    return column.dtype.name, [None if np.isnan(value) else value for value in column.tolist()]


def plain_table(table: Columns):
    return table.n_rows, table.names, [plain(table.column(j)) for j in range(table.n_columns)]
