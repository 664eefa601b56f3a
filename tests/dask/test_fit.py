"""Fit: processes of their own, two fits at once, and errors."""

import threading
from typing import Any

import dask.array as da
import numpy as np
import pytest

from glasswood import BoostingRegressor
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._fit import _first_result
from glasswood.errors import TableError, TeamLostError
from tests.dask.clusters import cluster_of


def parts_of(X: Any, y: Any) -> tuple[Any, Any]:
    return da.from_array(X, chunks=(30, 3)), da.from_array(y, chunks=30)


def test_workers_in_processes_give_the_model_of_one() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    with cluster_of(2, processes=True) as client:
        model = DaskBoostingRegressor(n_estimators=3, random_state=0).fit(*parts_of(X, y), client=client)
    assert model.ensemble_ == BoostingRegressor(n_estimators=3, random_state=0).fit(X, y).ensemble_


def test_two_fits_at_once_both_end() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.normal(size=120)
    models: list[Any] = [None, None]

    def fit(seed: int, client: Any) -> None:
        model = DaskBoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed)
        models[seed] = model.fit(*parts_of(X, y), client=client)

    with cluster_of(2) as client:  # one thread each: less than two fits could hold
        threads = [threading.Thread(target=fit, args=(seed, client)) for seed in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for seed, model in enumerate(models):
        assert (
            model.ensemble_ == BoostingRegressor(n_estimators=9, subsample=0.5, random_state=seed).fit(X, y).ensemble_
        )


@pytest.mark.parametrize(
    "outcomes", [[TeamLostError("1 left"), TableError("y is text")], [None, TableError("y is text")]]
)
def test_the_error_that_says_most_is_raised(outcomes: list[Any]) -> None:
    with pytest.raises(TableError, match="y is text"):
        _first_result(outcomes)
    assert _first_result(["model", None]) == "model"
