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
