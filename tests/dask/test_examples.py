"""examples: lists of leaves that stay on the workers find the neighbours that one index finds."""

from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import glasswood as gw
import glasswood.dask as gwd
from glasswood.errors import NoNeighbourWarning, TableError
from tests.dask.frames import make_problem


def in_parts(*tables: Any) -> list[Any]:
    return [dd.from_pandas(table, npartitions=4) for table in tables]


def test_draws_of_a_forest_are_cut_like_the_rows() -> None:
    p = make_problem()
    X = p.X[["a", "b", "c"]].fillna(0.0)
    forest = gw.ForestRegressor(5, random_state=0, max_depth=4).fit(X, p.y)
    rows, target, weights = in_parts(X, p.y, p.weight * 1e200)
    for weight, own in ((None, None), (p.weight * 1e200, weights)):
        found = gwd.examples(forest, rows, target, method="inbag", sample_weight=own)
        wanted = gw.examples(forest, X, p.y, method="inbag", sample_weight=weight)
        one, other = found.nearest(X[:9], k=20), wanted.nearest(X[:9], k=20)
        assert one.to_dict() == other.to_dict() and one.rows().equals(other.rows())
        assert found.weights(X[:9]).toarray().tobytes() == wanted.weights(X[:9]).toarray().tobytes()
        assert repr(found) == repr(wanted)


def test_equal_similarities_come_by_row_number_across_partitions() -> None:
    X = pd.DataFrame({"a": np.arange(40) % 2.0})
    model = gw.TreeRegressor(max_depth=1).fit(X, X["a"])
    index = gwd.examples(model, *in_parts(X))
    assert index.nearest(X[:2], k=7).row.tolist() == [list(range(0, 14, 2)), list(range(1, 15, 2))]
    assert len(index.nearest(X[:0]).row) == 0 and index.weights(X[:0]).shape == (0, 40)


def test_a_query_without_neighbours_is_told() -> None:
    X = pd.DataFrame({"a": np.arange(40) % 2.0})
    model = gw.TreeRegressor(max_depth=1).fit(X, X["a"])
    (rows,) = in_parts(X[X["a"] == 0.0])
    with pytest.warns(NoNeighbourWarning, match="1 of 2 queries"):
        found = gwd.examples(model, rows).nearest(X[:2], k=30)
    assert found.row[1].tolist() == [-1] * 20 and found.row[0].tolist() == list(range(20))


def test_what_is_wrong_is_told() -> None:
    p = make_problem()
    rows, weights = in_parts(p.X, p.weight.where(np.arange(240) != 100, -1.0))
    with pytest.raises(TableError, match=r"X_train is a DataFrame, not a Dask .* use glasswood\.examples for it"):
        gwd.examples(p.model, p.X)
    with pytest.raises(TableError, match="partition 1: sample_weight is negative in row 40"):
        gwd.examples(p.model, rows, sample_weight=weights)
    with pytest.raises(TableError, match="weight"):
        gwd.examples(p.model, rows, sample_weight=weights.abs() * 0)
