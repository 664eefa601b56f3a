"""DaskParts: partitions with rows, functions of each, and results merged on the workers."""

from operator import add
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from glasswood.dask._dask_parts import DaskParts
from glasswood.errors import TableError

X = pd.DataFrame({"a": np.arange(12.0)})


def numbers(part: Any) -> list[float]:
    values: list[float] = part[0]["a"].tolist()
    return values


def refuse_ten(part: Any) -> None:
    if 10.0 in part[0]["a"].tolist():
        raise TableError("there is a ten")


def test_results_come_in_the_order_of_the_partitions() -> None:
    frame = dd.from_pandas(X, npartitions=4)
    parts = DaskParts.of_collections(X=frame[frame["a"] > 4], y=None)
    assert parts.n_rows == (0, 1, 3, 3) and len(parts) == 3
    assert parts.merged(add, numbers) == list(np.arange(5.0, 12.0))
    assert parts.ask(numbers)[0] == [5.0]
    assert parts.keep(numbers).ask(sum) == [5.0, 21.0, 30.0]
    assert parts.first()[0]["a"].tolist() == [5.0] and parts.first()[1] is None


def test_pieces_lie_beside_the_rows_they_belong_to() -> None:
    parts = DaskParts.of_collections(X=da.arange(7, chunks=((3, 0, 4),)))
    pieces = parts.cut(np.arange(7) * 2)
    assert [piece.tolist() for piece in pieces] == [[0, 2, 4], [6, 8, 10, 12]]
    assert [(2 * part[0] == piece).all() for part, piece in parts.beside(pieces).ask(tuple)] == [True, True]


def test_an_error_names_the_partition() -> None:
    with pytest.raises(TableError, match="partition 3: there is a ten"):
        DaskParts.of_collections(X=dd.from_pandas(X, npartitions=4)).ask(refuse_ten)


def test_other_rows_are_refused() -> None:
    frame = dd.from_pandas(X, npartitions=4)
    with pytest.raises(TableError, match="X has 4 partitions and y has 1"):
        DaskParts.of_collections(X=frame, y=da.zeros(12, chunks=12))
    with pytest.raises(TableError, match="X has 12 rows and y has 10"):
        DaskParts.of_collections(X=frame, y=da.zeros(10, chunks=((3, 3, 3, 1),)))
    with pytest.raises(TableError, match="partition 2 of X has 3 rows, that of y has 2"):
        DaskParts.of_collections(X=frame, y=da.zeros(12, chunks=((3, 3, 2, 4),)))
    with pytest.raises(TableError, match="no partition of X has a row"):
        DaskParts.of_collections(X=frame[frame["a"] > 99])
