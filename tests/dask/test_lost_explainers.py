"""A worker that is killed while it explains costs what it held: Dask computes it again, with the same bits."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
import pytest

import glasswood as gw
import glasswood.dask as gwd
from tests.dask.crews import crew_of

X = np.random.default_rng(0).normal(size=(80, 3))
MODEL = gw.BoostingRegressor(n_estimators=3, max_depth=2).fit(X, X[:, 0] * X[:, 1])


def dies_at(folder: str, n: int, block: Any) -> Any:
    """The block itself; the n-th call in any process kills its process."""
    if len(block):
        calls = len(list(Path(folder).iterdir()))
        Path(folder, str(calls)).touch()
        if calls == n:
            os.kill(os.getpid(), signal.SIGKILL)
    return block


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "ledger": lambda of, rows: of.ledger(MODEL, rows),
    "examples": lambda of, rows: of.examples(MODEL, rows).nearest(X[:5], k=9),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_worker_killed_while_it_explains_changes_no_bit(name: str, tmp_path: Path) -> None:
    calls, crew = tmp_path / "calls", tmp_path / "crew"
    calls.mkdir()
    with crew_of(2, str(crew)):
        rows = da.from_array(X, chunks=(20, 3)).map_blocks(
            lambda block: dies_at(str(calls), 9, block), meta=np.empty((0, 0)), dtype=float
        )
        found = CALLS[name](gwd, rows)
    assert len(list(calls.iterdir())) > 10
    assert found.to_dict() == CALLS[name](gw, X).to_dict()
