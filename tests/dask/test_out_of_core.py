"""A collection larger than the memory a worker may use is fitted and explained, with the bits of a table in memory."""

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest

import dask
import glasswood as gw
import glasswood.dask as gwd
from glasswood.train.boosting import _binning
from tests.dask.clusters import cluster_of

N_ROWS, N_FEATURES, N_PARTS = 180_000, 120, 60
TABLE = N_ROWS * N_FEATURES * 8  # bytes
ALLOWED = TABLE * 3 // 4
SAMPLE = 20_000  # rows that determine the edges
NAMES = ["x0", "x1"]  # features to explain
OPTIONS: dict[str, Any] = {"n_estimators": 2, "max_depth": 3, "subsample": 0.5, "random_state": 0}


def make_part(block_info: Any = None) -> Any:
    """Rows of one partition, always the same."""
    rng = np.random.default_rng(block_info[None]["chunk-location"][0])
    return rng.normal(size=(N_ROWS // N_PARTS, N_FEATURES))


def collection() -> Any:
    chunks = ((N_ROWS // N_PARTS,) * N_PARTS, (N_FEATURES,))
    return da.map_blocks(make_part, chunks=chunks, dtype=np.float64, meta=np.empty((0, 0)))


def set_limit() -> None:
    """From now on this process may take so many bytes more."""
    used = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
    limit = int(used.split()[1]) * 1024 + ALLOWED
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def draw_fewer(n: int) -> None:
    _binning._MAX_ROWS = n


def effects_of(of: Any, model: Any, X: Any) -> list[Any]:
    found = [of.effects(model, X, features=NAMES, method=method) for method in ("interventional", "observed")]
    return [effects[name].effect for effects in found for name in NAMES]


def explained_in_here(model: Any) -> Any:
    X = collection()
    with dask.config.set(scheduler="synchronous"):
        near = gwd.examples(model, X).nearest(X.blocks[0].compute()[:3], k=4)
        return [*effects_of(gwd, model, X), near.row, near.similarity]


@pytest.fixture
def client() -> Iterator[Any]:
    spill = {"target": 0.1, "spill": False, "pause": False, "terminate": False}
    with (
        dask.config.set({f"distributed.worker.memory.{name}": share for name, share in spill.items()}),
        cluster_of(1, processes=True, memory_limit=str(ALLOWED)) as client,
    ):
        client.run(__import__, "glasswood.dask")
        client.run(draw_fewer, SAMPLE)
        client.run(set_limit)
        yield client


def test_a_table_larger_than_memory_is_fitted_and_explained(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_binning, "_MAX_ROWS", SAMPLE)
    with pytest.raises(MemoryError):
        client.submit(np.ones, TABLE // 8).result()
    X = collection()
    model = gwd.DaskBoostingRegressor(**OPTIONS).fit(X, X[:, 0] + X[:, 1] ** 2, client=client).to_local()
    whole = X.compute(scheduler="synchronous")
    one = gw.BoostingRegressor(**OPTIONS).fit(whole, whole[:, 0] + whole[:, 1] ** 2)
    assert model.ensemble_ == one.ensemble_ and model.history_.values.tobytes() == one.history_.values.tobytes()
    found = client.submit(explained_in_here, model).result()
    near = gw.examples(one, whole).nearest(whole[:3], k=4)
    wanted = [*effects_of(gw, one, whole), near.row, near.similarity]
    for own, of_table in zip(found, wanted, strict=True):
        assert own.tobytes() == of_table.tobytes()
