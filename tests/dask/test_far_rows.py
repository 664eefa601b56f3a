"""FarRows: rows of a collection are fetched in the order in which they are asked for."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd

from glasswood.dask._far_rows import FarAttributedRows, FarRows, FarSource

X = pd.DataFrame({"a": np.arange(10.0), "b": list("abcdefghij")}, index=np.arange(10) * 3)
FRAME = dd.from_pandas(X, npartitions=3)
FAR = FarRows(FRAME, tuple(FRAME.map_partitions(len).compute()))


def test_rows_come_in_the_order_asked_for() -> None:
    rows = np.array([9, 0, 4, 0])
    assert FAR.pick(rows).equals(FRAME.compute().iloc[rows])
    assert FarSource(table=FAR, order=(1, 0)).values(rows)[0] == ["j", 9.0]
    assert FarAttributedRows(table=FAR, order=(0, None)).values(4) == [4.0, None]
    assert len(FAR.pick(np.empty(0, dtype=np.int64))) == 0


def test_all_rows_and_the_index_are_fetched_where_a_picture_needs_them() -> None:
    rows = FarAttributedRows(table=FAR, order=(0,))
    assert rows.index().equals(X.index)
    (column,) = rows.columns()
    assert column is not None and column.values.tolist() == X["a"].tolist()


def test_rows_of_an_array_have_no_index() -> None:
    far = FarRows(da.arange(12, chunks=5).reshape(6, 2).rechunk((4, 2)), (4, 2))
    assert far.index() is None
    assert far.pick(np.array([5, 0])).tolist() == [[10, 11], [0, 1]]
