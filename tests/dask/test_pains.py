"""What users of other libraries complain about on clusters, and the test that shows it does not happen here.

The numbers are those of the table of complaints in the specification of distributed boosting.
"""

import ast
import asyncio
import pickle
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import distributed
import numpy as np
import pandas as pd
import pytest

import glasswood.dask as gwd
from glasswood import BoostingRegressor
from tests.dask.clusters import cluster_of

ROOT = Path(__file__).parents[2]
SHOWN = {
    "1 a lost worker makes the fit hang": "dask/test_attempt.py::test_a_stopped_worker_is_given_up_after_the_silence",
    "2 a lost worker costs all rounds": "dask/test_attempt.py::test_a_worker_killed_in_a_round_costs_at_most_a_tree",
    "3 not reproducible": "dask/test_estimators.py::test_a_column_of_row_numbers_makes_the_order_of_rows_indifferent",
    "4 another model than on one machine": "dask/test_estimators.py::test_a_frame_gives_the_model_of_one_process",
    "5 early stopping hangs": "dask/test_estimators.py::test_an_array_gives_the_classifier_of_one_process",
    "6 metrics of one worker's share": "dask/test_estimators.py::test_a_frame_gives_the_model_of_one_process",
    "7 empty partitions or workers": "dask/test_pains.py::test_empty_partitions_change_nothing",
    "8 categories differ by partition": "dask/test_estimators.py::test_a_frame_gives_the_model_of_one_process",
    "9 ports": "dask/test_pains.py::test_ports_come_from_the_given_range",
    "10 two fits at once deadlock": "dask/test_fit.py::test_two_fits_at_once_both_end",
    "11 out of memory": "dask/test_out_of_core.py::test_a_table_larger_than_memory_is_fitted_and_explained",
    "12 the graph is too large": "dask/test_pains.py::test_a_model_is_sent_once_and_not_with_every_partition",
    "13 all rows on one worker": "dask/test_fit.py::test_partitions_that_lie_apart_are_brought_together_and_balanced",
    "14 which client": "dask/test_pains.py::test_the_current_client_is_the_default_and_an_asynchronous_one_is_refused",
    "15 a new Dask breaks it": "dask/test_pains.py::test_few_and_public_functions_of_the_client_are_used",
}
# of a distributed.Client; all are documented
CLIENT = {
    "asynchronous", "cancel", "compute", "gather", "map", "nthreads", "run", "run_on_scheduler", "submit", "sync",
    "wait_for_workers", "who_has",
}  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster_of(2) as client:
        yield client


def problem() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=80), "b": rng.normal(size=80)})
    return X, X["a"] + rng.normal(size=80)


@pytest.mark.parametrize("complaint", SHOWN)
def test_every_complaint_has_a_test(complaint: str) -> None:
    file, _, name = SHOWN[complaint].partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_empty_partitions_change_nothing(client: Any) -> None:
    X, y = problem()
    options: dict[str, Any] = {"n_estimators": 3, "subsample": 0.5, "random_state": 0}
    kept = (X["a"] < -1) | (X["a"] > -0.5)
    X, y = X[kept], y[kept]
    parts = [dd.from_pandas(table.sort_index(), npartitions=8) for table in (X, y)]
    parts = [part.map_partitions(lambda p: p[p.index >= 30]) for part in parts]  # the first partitions have no rows
    model = gwd.DaskBoostingRegressor(**options).fit(*parts, client=client)
    assert 0 in client.gather([client.submit(len, part) for part in client.compute(parts[0].to_delayed())])
    assert model.ensemble_ == BoostingRegressor(**options).fit(X[X.index >= 30], y[y.index >= 30]).ensemble_


def test_ports_come_from_the_given_range(client: Any) -> None:
    X, y = (dd.from_pandas(table, npartitions=4) for table in problem())
    model = gwd.DaskBoostingRegressor(n_estimators=2).fit(X, y, client=client, ports=(40_000, 40_900))
    assert model.ensemble_ == BoostingRegressor(n_estimators=2).fit(*problem()).ensemble_
    with pytest.raises(ValueError, match="ports must be a port or the first and last of a range"):
        gwd.DaskBoostingRegressor(n_estimators=2).fit(X, y, client=client, ports=(9, 2))


def test_a_model_is_sent_once_and_not_with_every_partition() -> None:
    X, y = problem()
    model = BoostingRegressor(n_estimators=200).fit(X, y)
    size = len(pickle.dumps(model.ensemble_))
    lazy = gwd.predict(model, dd.from_pandas(X, npartitions=40))
    assert len(pickle.dumps(dict(lazy.__dask_graph__()))) < 3 * size


def test_the_current_client_is_the_default_and_an_asynchronous_one_is_refused(client: Any) -> None:
    X, y = (dd.from_pandas(table, npartitions=2) for table in problem())
    with client.as_current():
        assert gwd.DaskBoostingRegressor(n_estimators=1).fit(X, y).ensemble_.n_trees == 1

    async def fit_with_another() -> None:
        async with distributed.Client(client.scheduler.address, asynchronous=True, set_as_default=False) as other:
            gwd.DaskBoostingRegressor(n_estimators=1).fit(X, y, client=other)

    # in a thread of its own: the browser tests leave an event loop running in the thread of the tests
    with ThreadPoolExecutor(1) as thread, pytest.raises(ValueError, match="not asynchronous"):
        thread.submit(asyncio.run, fit_with_another()).result()


def test_few_and_public_functions_of_the_client_are_used() -> None:
    used = set()
    for path in (ROOT / "src" / "glasswood" / "dask").glob("*.py"):
        used |= set(re.findall(r"\bclient\.(\w+)", path.read_text(encoding="utf-8")))
    assert used <= CLIENT
