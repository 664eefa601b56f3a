"""Explanations of collections have the bits of those of the same table in memory."""

from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import glasswood as gw
import glasswood.dask as gwd
from glasswood.errors import TableError
from tests.dask.clusters import cluster_of


def problem() -> tuple[pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120), "c": rng.integers(0, 3, 120).astype(float)})
    model = gw.BoostingRegressor(n_estimators=4, max_depth=3).fit(X, X["a"] * X["b"] + X["c"])
    return X, model, dd.from_pandas(X, npartitions=5)


def test_effects_interactions_and_ledger_are_those_of_the_table() -> None:
    X, model, frame = problem()
    found, wanted = gwd.effects(model, frame), gw.effects(model, X)
    for name in X.columns:
        for field in ("value", "effect", "spread", "weight"):
            assert getattr(found[name], field).tobytes() == getattr(wanted[name], field).tobytes()
    pair, same = gwd.interactions(model, frame, pairs=[("a", "b")]), gw.interactions(model, X, pairs=[("a", "b")])
    assert pair["a", "b"].value.tobytes() == same["a", "b"].value.tobytes()
    assert gwd.ledger(model, frame).to_dict() == gw.ledger(model, X).to_dict()


def test_tables_in_memory_are_refused_with_what_takes_them() -> None:
    X, model, frame = problem()
    with pytest.raises(TableError, match=r"use glasswood\.effects for it"):
        gwd.effects(model, X)
    with pytest.raises(TableError, match="X has 5 partitions and sample_weight has 1"):
        gwd.ledger(model, frame, sample_weight=da.ones(120, chunks=120))


def test_rows_are_counted_with_weights_levels_and_by_every_method() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=90), "town": rng.choice(list("pqrs"), 90)})
    X["town"] = X["town"].astype(object)
    weight = pd.Series(np.exp(3 * rng.normal(size=90)) * (rng.random(90) > 0.2))
    model = gw.BoostingRegressor(n_estimators=3, max_depth=3).fit(X, X["a"] * (X["town"] == "p"))
    parts = dd.concat([dd.from_pandas(X[:30], npartitions=1), dd.from_pandas(X[30:], npartitions=2)])
    weights = dd.concat([dd.from_pandas(weight[:30], npartitions=1), dd.from_pandas(weight[30:], npartitions=2)])
    some = parts[parts["a"] > X["a"][:30].max()]  # the first partition has no rows
    assert len(some.partitions[0]) == 0
    for method in ("interventional", "observed", "path"):
        found = gwd.effects(model, parts, sample_weight=weights, method=method)
        wanted = gw.effects(model, X, sample_weight=weight, method=method)
        few, all_of_them = gwd.effects(model, some, method=method), gw.effects(model, some.compute(), method=method)
        for name in X.columns:
            for field in ("value", "weight"):
                assert getattr(found[name], field).tobytes() == getattr(wanted[name], field).tobytes()
                assert getattr(few[name], field).tobytes() == getattr(all_of_them[name], field).tobytes()
    assert isinstance(found["a"].to_frame(), pd.DataFrame)


def test_workers_count_their_own_rows() -> None:
    X, model, frame = problem()
    with cluster_of(2):
        found = gwd.effects(model, frame)
    assert found["a"].value.tobytes() == gw.effects(model, X)["a"].value.tobytes()


def test_what_is_wrong_in_a_partition_is_named() -> None:
    X, model, frame = problem()
    with pytest.raises(TableError, match="no partition of X has a row"):
        gwd.effects(model, frame[frame["a"] > 99])
    negative = dd.from_pandas(pd.Series(np.where(np.arange(120) == 100, -1.0, 1.0)), npartitions=5)
    with pytest.raises(TableError, match="sample_weight is negative in row 100"):
        gwd.effects(model, frame, sample_weight=negative)
    wrong = frame.map_partitions(_text_in_b, meta=X)
    with pytest.raises(TableError, match=r"partition 3: .*'b'"):
        gwd.interactions(model, wrong, pairs=[("a", "b")])


def _text_in_b(part: pd.DataFrame) -> pd.DataFrame:
    return part.assign(b="no number") if 80 in part.index else part
