"""Rows of tables of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.errors import TableError
from glasswood.tables import frame_kind, n_rows_of, pick_rows, read_table, replayable, take_rows

DATA = {"n": [1.0, 2.0, 3.0, 4.0], "t": ["a", "b", "c", "d"]}


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(DATA),
        pd.DataFrame(DATA, index=[7, 7, 7, 7]),
        pl.DataFrame(DATA),
        pa.table(DATA),
        pa.record_batch(DATA),
        list(zip(*DATA.values(), strict=True)),
        np.array(list(zip(*DATA.values(), strict=True)), dtype=object),
        np.array(list(zip(*DATA.values(), strict=True)), dtype=[("n", float), ("t", "U1")]),
        read_table(pd.DataFrame(DATA)),
    ],
    ids=lambda X: type(X).__module__.partition(".")[0],
)
def test_a_slice_of_rows_is_a_table_of_the_same_kind(X):
    assert n_rows_of(X) == 4
    part = take_rows(X, 1, 3)
    assert n_rows_of(part) == 2
    assert frame_kind(part) is frame_kind(X)
    table = part if type(part) is type(read_table(np.zeros((1, 1)))) else read_table(part)
    assert table.column(0).tolist() == [2, 3]
    assert [table.column(1).labels[code] for code in table.column(1).codes] == ["b", "c"]
    assert n_rows_of(take_rows(X, 3, 9)) == 1


def test_rows_of_a_matrix_are_a_view():
    X = np.arange(6.0).reshape(3, 2)
    assert np.shares_memory(take_rows(X, 1, 2), X)
    assert np.shares_memory(take_rows(read_table(X), 1, 2).matrix, X)


def test_what_is_not_a_table_has_no_rows():
    for X in (np.zeros(3), None, "text", pd.Series([1])):
        with pytest.raises(TableError):
            n_rows_of(X)


@pytest.mark.parametrize(
    "X",
    [pd.DataFrame(DATA, index=[7, 7, 7, 7]), pl.DataFrame(DATA), pa.table(DATA), np.array(DATA["n"])[:, None]],
    ids=lambda X: type(X).__module__.partition(".")[0],
)
def test_rows_are_picked_by_number(X):
    part = pick_rows(X, np.array([3, 0, 3]))
    assert frame_kind(part) is frame_kind(X)
    assert read_table(part).column(0).tolist() == [4, 1, 4]
    assert n_rows_of(pick_rows(X, np.array([], dtype=np.int64))) == 0


def test_a_one_shot_stream_can_be_read_twice() -> None:
    table = pa.table({"a": [1.0, 2.0]})
    assert replayable(table.to_reader()).equals(table)
    assert replayable(table) is table


def test_rows_of_a_read_table_are_picked_by_number():
    frame = pd.DataFrame({**DATA, "i": pd.array([2**60 + 1, 2, 3, 4], dtype="Int64")})
    whole = read_table(frame)
    part = pick_rows(whole, np.array([3, 0, 3]))
    assert part.n_rows == 3
    assert part.column(0).tolist() == [4, 1, 4]
    assert [part.column(1).labels[code] for code in part.column(1).codes] == ["d", "a", "d"]
    assert [part.category(2).labels[code] for code in part.category(2).codes] == [4, 2**60 + 1, 4]
    matrix = pick_rows(read_table(np.arange(6.0).reshape(3, 2)), np.array([2]))
    assert matrix.matrix.tolist() == [[4.0, 5.0]]


def test_a_table_that_was_read_is_given_back_as_it_is():
    table = read_table(pd.DataFrame(DATA))
    assert read_table(table) is table
