"""Frames made for the user."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables import FrameKind, _make_frame, frame_kind, make_frame, read_table

every_kind = pytest.mark.parametrize("kind", list(FrameKind))


@every_kind
def test_a_frame_that_was_made_reads_back_the_same(kind):
    data = {
        "number": np.array([1.5, np.nan, -np.inf]),
        "single": np.array([1.5, 2.5, 3.5], dtype=np.float32),
        "count": np.array([1, 2, 3]),
        "flag": np.array([True, False, True]),
        "text": ["b", None, "a"],
        "objects": np.array(["b", None, "a"], dtype=object),
        "fixed": np.array(["b", "c", "a"]),
    }
    frame = make_frame(data, kind)
    table = read_table(frame)
    assert frame_kind(frame) is kind is table.kind
    assert table.names == tuple(data)
    assert np.array_equal(table.column(0), data["number"], equal_nan=True)
    assert np.array_equal(table.column(1), data["single"])
    assert table.column(1).dtype == np.float32
    assert table.column(2).tolist() == [1, 2, 3]
    assert table.column(3).tolist() == [1, 0, 1]
    for j in (4, 5):
        assert table.column(j).labels == ("a", "b")
        assert table.column(j).codes.tolist() == [1, -1, 0]
    assert table.column(6).codes.tolist() == [1, 2, 0]


@every_kind
def test_frames_may_be_empty(kind):
    assert read_table(make_frame({}, kind)).n_columns == 0
    table = read_table(make_frame({"a": np.empty(0), "b": []}, kind))
    assert (table.n_rows, table.names) == (0, ("a", "b"))


def test_without_a_kind_the_first_installed_library_is_used(monkeypatch):
    assert isinstance(make_frame({"a": [1]}), pd.DataFrame)
    monkeypatch.setattr(_make_frame, "find_spec", lambda name: None if name == "pandas" else name)
    assert isinstance(make_frame({"a": [1]}), pl.DataFrame)
    monkeypatch.setattr(_make_frame, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match="pip install pandas"):
        make_frame({"a": [1]})
    with pytest.raises(MissingDependencyError, match="pip install polars"):
        make_frame({"a": [1]}, "polars")


def test_an_unknown_kind_and_ragged_columns_are_named():
    with pytest.raises(TableError, match=r"'dask'.*'pandas', 'polars', 'pyarrow'"):
        make_frame({"a": [1]}, "dask")
    with pytest.raises(TableError, match="'b': 2"):
        make_frame({"a": [1], "b": [1, 2]})
