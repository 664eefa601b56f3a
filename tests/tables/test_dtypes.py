"""Dtypes as the library names them."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse

from glasswood.tables import date_columns, dtypes_of, names_and_dtypes


def test_every_kind_of_table_says_its_dtypes() -> None:
    assert dtypes_of(np.zeros((1, 2), dtype=">f8")) == (">f8", ">f8")
    assert dtypes_of(np.zeros(1, dtype=[("a", "f4"), ("b", "i8")])) == ("float32", "int64")
    assert dtypes_of(pd.DataFrame({"a": [1], "b": pd.Categorical(["x"])})) == ("int64", "category")
    assert dtypes_of(pl.DataFrame({"a": [1], "b": [True]})) == ("Int64", "Boolean")
    assert dtypes_of(pa.table({"a": [1.0]})) == ("double",)


def test_names_come_with_the_dtypes_where_the_table_has_names() -> None:
    frame = pd.DataFrame({"a": [1.0], "b": ["x"]})
    assert names_and_dtypes(frame) == (("a", "b"), dtypes_of(frame))
    assert names_and_dtypes(frame[["a"]].to_numpy()) == (None, ("float64",))
    assert names_and_dtypes([[1.0, 2.0]])[0] is None


def test_labels_of_categories_are_part_of_how_a_table_is_read() -> None:
    known, other = (
        pd.DataFrame({"a": pd.Categorical(["x"], categories=labels)}) for labels in (["x", "y"], ["x", "z"])
    )
    assert names_and_dtypes(known) != names_and_dtypes(other)
    assert dtypes_of(known) == dtypes_of(other) == ("category",)


def test_columns_of_dates_are_found_in_every_frame() -> None:
    day = np.array(["2014-03-01", "NaT"], dtype="datetime64[ns]")
    frame = pd.DataFrame({"day": day, "wait": day - day, "n": [1, 2], "as objects": [date(2014, 3, 1), None]})
    assert date_columns(frame) == (("day", "wait", "n", "as objects"), (True, False, False, True))
    assert date_columns(pl.DataFrame({"day": [date(2014, 3, 1)], "n": [1]})) == (("day", "n"), (True, False))
    assert date_columns(pa.table({"day": pa.array([0], pa.timestamp("s")), "n": [1]})) == (("day", "n"), (True, False))
    assert date_columns(day.astype("datetime64[D]")[:, None]) == (None, (True,))
    assert date_columns(np.zeros(1, dtype=[("day", "M8[D]"), ("n", "i8")])) == (None, (True, False))
    assert date_columns(scipy.sparse.csr_array(np.eye(2))) == (None, (False, False))
