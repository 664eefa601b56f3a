"""Partitions: what does not fit together is named by its partition before a fit begins; lost partitions come again."""

from collections.abc import Iterator
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import dask
from glasswood.dask import DaskBoostingRegressor
from glasswood.dask._partitions import Partitions
from glasswood.errors import TableError
from tests.dask.clusters import cluster_of


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster_of(2) as client:
        yield client


def frame_of(*parts: pd.DataFrame) -> Any:
    """A frame whose partitions need not be what its meta says."""
    return dd.from_delayed([dask.delayed(part) for part in parts], meta=parts[0].iloc[:0], verify_meta=False)


GOOD = pd.DataFrame({"a": [1.0, 2.0], "town": ["Ayr", "Bath"]})


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (GOOD.rename(columns={"a": "b"}), "partition 1 of X has the columns b, town; Dask knows a, town"),
        (GOOD[["a"]], "partition 1 of X has the columns a; Dask knows a, town"),
        (
            GOOD.assign(a=["x", "y"]),
            "column 'a' of X holds words or categories in partition 1 and numbers in partition 0",
        ),
        (
            GOOD.assign(a=pd.to_datetime(["2020-01-01", "2021-01-01"])),
            r"column 'a' of X holds datetime64\[.*\] in partition 1 and numbers in partition 0",
        ),
        (GOOD.assign(town=[3, 4]), "column 'town' of X holds numbers in partition 1 and words or categories in part"),
    ],
)
def test_a_partition_of_another_kind_is_named(part: pd.DataFrame, message: str, client: Any) -> None:
    y = da.from_array(np.arange(4.0), chunks=2)
    with pytest.raises(TableError, match=message):
        DaskBoostingRegressor(n_estimators=1).fit(frame_of(GOOD, part), y, client=client)


def test_a_partition_without_values_may_look_like_anything(client: Any) -> None:
    empty, missing = GOOD.iloc[:0].assign(a="x"), GOOD.assign(a=[None, None], town=[np.nan, np.nan])
    found = Partitions(client, {"X": frame_of(GOOD, empty, missing, GOOD.astype({"town": "category"}))}, 60.0)
    assert found.n_rows == [2, 0, 2, 2] and found.columns == ("a", "town")


def test_partitions_are_brought_where_they_are_needed(client: Any) -> None:
    one, other = sorted(client.nthreads())
    X = da.from_array(np.arange(12.0).reshape(6, 2), chunks=(3, 2)).persist(workers=[one])
    y = da.from_array(np.arange(6.0), chunks=3).persist(workers=[other])
    parts = Partitions(client, {"X": X, "y": y}, 60.0)
    assert parts.holders() == [[one], [one]]
    brought = parts.bring({one: [0], other: [1]})
    for worker, k in ((one, 0), (other, 1)):
        share = brought.share([k])
        assert share.starts == [3 * k] and share.n_rows == [3]
        for (key,) in share.keys.values():
            assert client.run(lambda key, dask_worker: key in dask_worker.data, key)[worker]
    nobody = brought.share([])
    assert nobody.n_rows == [] and nobody.empty["X"].shape == (0, 2) and nobody.empty["y"].shape == (0,)


def test_a_partition_that_several_workers_hold_cannot_be_deleted_during_a_fit(client: Any) -> None:
    one, other = sorted(client.nthreads())
    X = da.from_array(np.arange(12.0).reshape(6, 2), chunks=(3, 2)).persist()
    parts = Partitions(client, {"X": X}, 60.0)
    client.amm.stop()  # Dask deletes copies by itself every two seconds
    try:
        client.replicate(parts.futures["X"])
        assert parts.holders() == [[one, other], [one, other]]
        brought = parts.bring({one: [0], other: [1]})
        client.amm.run_once()
    finally:
        client.amm.start()
    for worker, k in ((one, 0), (other, 1)):
        (key,) = brought.share([k]).keys["X"]
        assert list(client.who_has()[key]) == [worker]  # the last copy is not deleted
        assert client.run(lambda key, dask_worker: key in dask_worker.data, key)[worker]


def test_partitions_that_cannot_be_computed_raise_their_own_error(client: Any) -> None:
    def fail() -> Any:
        raise ZeroDivisionError("in the user's graph")

    broken = dd.from_delayed([dask.delayed(GOOD), dask.delayed(fail)()], meta=GOOD.iloc[:0], verify_meta=False)
    with pytest.raises(ZeroDivisionError, match="in the user's graph"):
        DaskBoostingRegressor().fit(broken, da.from_array(np.arange(4.0), chunks=2), client=client)
