"""Long kernels of the explanations stop at Ctrl-C, and can be called again."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood import _native
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._row_sums import FREE, roles

pytestmark = pytest.mark.serial

N = 100_000
RNG = np.random.default_rng(0)
ControlC = Callable[[int], None]


@pytest.fixture(scope="module")
def case() -> Any:
    few = RNG.normal(size=(4_000, 16))
    y = few[:, 0] * few[:, 1] + few[:, 2] * few[:, 3] + few.sum(axis=1)
    # trees that are not symmetric have more thresholds, so that every kernel below has several chunks of work
    model = gw.BoostingRegressor(n_estimators=80, max_depth=6, symmetric=False).fit(few, y).ensemble_
    grid = make_grid(model)
    codes = _native.Codes(grid.paths)
    codes.append(np.tile(few, (N // len(few), 1)), None, 2)
    codes.fix(None)
    pairs = np.array([[j, k] for j in range(16) for k in range(j + 1, 16)], dtype=np.int32)
    return grid, codes, pairs


@pytest.mark.parametrize("n_threads", [1, 2])
def test_sums_over_rows_stop(case: Any, control_c: ControlC, n_threads: int) -> None:
    grid, codes, pairs = case
    failing = _native.RowShares(grid.paths, roles(grid, pairs, FREE), 2)
    control_c(3)
    with pytest.raises(KeyboardInterrupt):
        failing.add(codes, 0, N, n_threads)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_counts_of_cells_stop(case: Any, control_c: ControlC, n_threads: int) -> None:
    grid, codes, pairs = case
    weight = np.zeros(int(grid.n_cells(pairs).sum()), dtype=np.int64)
    control_c(3)
    with pytest.raises(KeyboardInterrupt):
        codes.count(pairs, 0, N, weight, n_threads)
    assert 0 <= weight.sum() < N * len(pairs)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_tables_of_pairs_stop(case: Any, control_c: ControlC, n_threads: int) -> None:
    grid, codes, pairs = case
    failing = _native.RowShares(grid.paths, roles(grid, pairs, FREE), 2)
    failing.add(codes, 0, 4096, 2)
    shares = failing.shares()
    out = np.full(int(grid.n_cells(pairs).sum()), np.nan)
    counts = np.ones(len(out))
    control_c(3)
    with pytest.raises(KeyboardInterrupt):
        _native.pair_tables(grid.paths, shares, pairs, counts, out, None, n_threads)
    assert np.isnan(out).any()


def test_a_table_that_is_made_additive_stops(control_c: ControlC) -> None:
    value = RNG.normal(size=(2_500, 2_500))
    control_c(3)
    with pytest.raises(KeyboardInterrupt):
        _native.purify(value, np.ones_like(value))


@pytest.mark.parametrize("use", [gw.ledger, gw.interactions, gw.effects])
def test_what_is_stopped_can_be_asked_again(case: Any, control_c: ControlC, use: Any) -> None:
    model = case[0].ensemble
    X = RNG.normal(size=(60_000, 16))
    control_c(5)
    with pytest.raises(KeyboardInterrupt):
        use(model, X, n_jobs=2)
    np.testing.assert_array_equal(gw.ledger(model, X[:99]).effects, gw.ledger(model, X[:99], n_jobs=2).effects)
