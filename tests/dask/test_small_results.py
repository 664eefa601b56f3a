"""The client never holds all rows: what comes to it while workers explain is small beside the table."""

import pickle
from collections.abc import Callable
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import dask
import glasswood as gw
import glasswood.dask as gwd

N_ROWS, N_FEATURES, N_PARTS = 8000, 12, 40
TABLE = 8 * N_ROWS * N_FEATURES  # bytes


def examples(model: Any, X: Any, y: Any) -> Any:
    return gwd.examples(model, X).nearest(X.partitions[3].compute(), k=2).rows()


CALLS: dict[str, Callable[..., Any]] = {
    "effects": lambda model, X, y: gwd.effects(model, X),
    "observed effects": lambda model, X, y: gwd.effects(model, X, method="observed"),
    "interactions": lambda model, X, y: gwd.interactions(model, X, pairs=[("x0", "x1")]),
    "weights": lambda model, X, y: gwd.effects(model, X, sample_weight=y**2),
    "ledger": lambda model, X, y: gwd.ledger(model, X),
    "examples": examples,
    "rules": lambda model, X, y: gwd.rules(model, X, y),
    "compare": lambda model, X, y: gwd.compare(model, model.ensemble_.cut(1), X, y),
    "background": lambda model, X, y: gwd.attributions(model, X.partitions[2], background=X),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_comes_to_the_client_is_small(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{j}": rng.normal(size=N_ROWS).round(2) for j in range(N_FEATURES)})
    y = X["x0"] * X["x1"] + X["x2"]
    model = gw.BoostingRegressor(n_estimators=3, max_depth=3).fit(X, y)
    rows, target = (dd.from_pandas(table, npartitions=N_PARTS) for table in (X, y))
    sizes, compute = [], dask.compute

    def watched(*given: Any, **options: Any) -> Any:
        found = compute(*given, **options)
        sizes.append(len(pickle.dumps(found)))
        return found

    monkeypatch.setattr(dask, "compute", watched)
    monkeypatch.setattr(dask.base, "compute", watched)  # of the methods of collections
    rows.compute()
    assert sizes.pop() > TABLE
    CALLS[name](model, rows, target)
    assert sizes and max(sizes) < TABLE / 4
