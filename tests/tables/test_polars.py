"""Features that only polars has."""

import polars as pl

from glasswood.tables import read_table
from tests.tables.examples import plain


def test_polars_categorical_is_read_like_text_since_its_codes_are_not_fixed():
    pl.Series(["z", "y"], dtype=pl.Categorical)
    column = read_table(pl.DataFrame({"x": pl.Series(["b", None, "a"], dtype=pl.Categorical)})).column(0)
    assert column.labels == ("a", "b")
    assert column.codes.tolist() == [1, -1, 0]
    assert not column.declared


def test_polars_object_columns_are_read_by_what_they_hold():
    frame = pl.DataFrame({"x": pl.Series([1, None, 2.5], dtype=pl.Object)})
    assert plain(read_table(frame).column(0)) == ("float64", [1.0, None, 2.5])
