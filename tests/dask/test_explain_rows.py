"""Rules, examples and comparisons of collections are those of the same rows in memory."""

from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import glasswood as gw
import glasswood.dask as gwd
from glasswood.errors import TableError


def problem() -> tuple[pd.DataFrame, pd.Series, pd.Series, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120), "town": rng.choice(["Ayr", "Bath"], 120)})
    y = X["a"] * X["b"] + (X["town"] == "Ayr")
    return X, y, pd.Series(rng.gamma(1.0, size=120)), gw.BoostingRegressor(n_estimators=5, max_depth=3).fit(X, y)


def parts(*tables: Any) -> list[Any]:
    return [dd.from_pandas(table, npartitions=4) for table in tables]


def test_rules_are_those_of_the_table() -> None:
    X, y, weight, model = problem()
    rows, target, weights = parts(X, y, weight)
    found = gwd.rules(model, rows, target, sample_weight=weights, max_rules=6)
    assert found.to_dict() == gw.rules(model, X, y, sample_weight=weight, max_rules=6).to_dict()


def test_examples_are_those_of_the_table() -> None:
    X, y, weight, model = problem()
    rows, target, weights = parts(X, y, weight)
    found, wanted = (
        gwd.examples(model, rows, target, sample_weight=weights),
        gw.examples(model, X, y, sample_weight=weight),
    )
    query = X.iloc[:7]
    one, other = found.nearest(query, k=5), wanted.nearest(query, k=5)
    assert one.to_dict() == other.to_dict()


def test_comparisons_are_those_of_the_table() -> None:
    X, y, weight, model = problem()
    small = gw.BoostingRegressor(n_estimators=2).fit(X, y)
    rows, target, weights = parts(X, y, weight)
    found = gwd.compare(model, small, rows, target, sample_weight=weights)
    assert found.to_dict() == gw.compare(model, small, X, y, sample_weight=weight).to_dict()
    assert gwd.compare(model, small, rows).to_dict() == gw.compare(model, small, X).to_dict()


def test_tables_in_memory_and_other_partitions_are_refused() -> None:
    X, y, _, model = problem()
    rows, target = parts(X, y)
    with pytest.raises(TableError, match=r"y is a Series, not a Dask .* use glasswood\.rules for it"):
        gwd.rules(model, rows, y)
    with pytest.raises(TableError, match="X_train has 4 partitions and y_train has 2"):
        gwd.examples(model, rows, da.from_array(y.to_numpy(), chunks=60))
    with pytest.raises(TableError, match="X has 120 rows and y has 60"):
        gwd.compare(model, model, rows, target.map_partitions(lambda part: part.iloc[::2]))
