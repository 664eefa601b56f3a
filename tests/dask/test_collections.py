"""Collections: partitions in order; anything else is refused by name."""

from pathlib import Path

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import dask
from glasswood.dask._collections import check_collection, check_same_partitions, is_collection, pieces_of, tables_of
from glasswood.errors import TableError


def test_partitions_come_in_order_and_empty_ones_are_left_out() -> None:
    frame = dd.from_pandas(pd.DataFrame({"a": range(6)}), npartitions=3)
    assert [list(part["a"]) for part in tables_of(frame[frame["a"] != 2])] == [[0, 1], [3], [4, 5]]
    assert [part.tolist() for part in tables_of(da.arange(4, chunks=2))] == [[0, 1], [2, 3]]
    assert not list(tables_of(frame[frame["a"] > 9]))


def test_columns_of_a_parquet_table_keep_its_partitions(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": range(8), "b": range(8), "c": range(8), "y": range(8)})
    for k in range(4):
        frame[2 * k : 2 * k + 2].to_parquet(tmp_path / f"{k}.parquet")
    table = dd.read_parquet(tmp_path)
    assert len(table["y"].to_delayed()) < 4  # Dask joins them
    for part in (table["y"], table.drop(columns="y"), table[["a"]]):
        assert [len(piece) for piece in dask.compute(*pieces_of(part))] == [2, 2, 2, 2]


def test_what_is_no_collection_is_refused_with_what_takes_it() -> None:
    for table in (np.zeros((2, 2)), pd.DataFrame({"a": [1]}), None):
        assert not is_collection(table)
        with pytest.raises(TableError, match=r"X is a .*, not a Dask frame, series or array; use BoostingRegressor"):
            check_collection(table, "X", "BoostingRegressor")


def test_arrays_are_cut_by_rows_only() -> None:
    with pytest.raises(TableError, match=r"X is cut into 2 pieces by column; give X.rechunk"):
        check_collection(da.zeros((4, 4), chunks=2), "X", "BoostingRegressor")


def test_numbers_of_partitions_that_differ_are_named() -> None:
    with pytest.raises(TableError, match="X has 2 partitions and y has 4"):
        check_same_partitions({"X": da.zeros((4, 2), chunks=(2, 2)), "y": da.zeros(4, chunks=1)})
