"""RowSums: the sums that effects are finished from. Chunking and threads are tested with the rows."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import glasswood as gw
from glasswood.errors import PrecisionWarning
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._row_sums import FREE, REPLACED, ObservedSums, RowSums, largest_change, roles
from tests.ensemble.examples import two_trees


def test_roles_are_given_to_the_features_asked_for() -> None:
    grid = make_grid(two_trees())
    assert roles(grid, np.array([[1]], dtype=np.int32), FREE).tolist() == [0, FREE]
    assert roles(grid, np.array([[0, 1]], dtype=np.int32), REPLACED).tolist() == [REPLACED, REPLACED]


def test_cells_count_the_weight_of_their_rows() -> None:
    sums = RowSums(make_grid(two_trees()), np.array([[0], [1]], dtype=np.int32), exact=False, n_threads=1)
    sums.add(np.array([[0.0, 0.0], [9.0, np.nan]]), np.array([2.0, 3.0]))
    found = sums.finish()
    assert found.shares == []
    assert found.weight.tolist() == [2, 0, 3, 0, 2, 0, 0, 3]


def test_raw_is_never_further_from_the_baseline() -> None:
    model = two_trees()
    raw = model.predict_raw(np.random.default_rng(0).normal(size=(200, 2)) * 5)
    assert np.abs(raw - model.baseline[0]).max() <= largest_change(model)


def table(weighted: bool) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64] | None]:
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(9001, 4)), 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.nansum(X, axis=1) + 0.3 * rng.normal(size=len(X))
    return X, y, np.exp(3 * rng.normal(size=len(X))) * (rng.random(len(X)) > 0.1) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["interventional", "observed", "path"])
def test_neither_the_order_nor_the_cut_of_the_rows_matters(method: str, weighted: bool) -> None:
    X, y, w = table(weighted)
    model = gw.BoostingRegressor(n_estimators=8, max_depth=4).fit(X, y).ensemble_
    order = np.random.default_rng(0).permutation(len(X))

    def bits(X: Any, w: Any) -> list[bytes]:
        effects = gw.effects(model, X, sample_weight=w, method=method)
        return [part.tobytes() for name in effects.names for part in (effects[name].value, effects[name].weight)]

    def parts(values: Any) -> Any:
        return None if values is None else iter([values[:10], values[10:5000], values[5000:]])

    whole = bits(X, w)
    assert whole == bits(X[order], None if w is None else w[order])
    assert whole == bits(parts(X), parts(w))


@pytest.mark.parametrize("weighted", [False, True])
def test_interactions_and_the_ledger_do_not_depend_on_the_order_of_the_rows(weighted: bool) -> None:
    X, y, w = table(weighted)
    model = gw.BoostingRegressor(n_estimators=8, max_depth=4).fit(X, y).ensemble_
    order = np.random.default_rng(0).permutation(len(X))
    found = []
    for rows, weight in ((X, w), (X[order], None if w is None else w[order])):
        pairs, ledger = gw.interactions(model, rows, sample_weight=weight), gw.ledger(model, rows, sample_weight=weight)
        tables = [part.tobytes() for t in pairs.tables for part in (t.value, t.weight, np.array([t.h2, t.term_sd]))]
        found.append([*tables, ledger.mean.tobytes(), ledger.effects.tobytes(), ledger.effects_and_pairs.tobytes()])
    assert found[0] == found[1]


def test_rows_of_equal_raw_have_no_spread() -> None:
    X = np.array([[0.0], [0.0], [0.0], [9.0], [9.0]])
    model = gw.TreeRegressor().fit(X, [0.1, 0.1, 0.1, 0.7, 0.7])
    effect = gw.effects(model, X, method="observed", sample_weight=[0.3, 0.7, 0.11, 1.0, 2.0])["x0"]
    np.testing.assert_array_equal(effect.spread[:2], [0.0, 0.0])
    np.testing.assert_allclose(effect.value[:2], [0.1, 0.7], rtol=1e-15)


def test_the_error_of_a_mean_counts_effective_rows() -> None:
    grid = make_grid(two_trees())
    sums = ObservedSums(grid, np.array([[0]], dtype=np.int32), exact=False, n_threads=1, unit=0.125)
    X, weight = np.array([[0.0, 0.0], [0.0, 9.0], [0.0, 0.0]]), np.array([1.0, 2.0, 0.5])
    sums.add(X, weight)
    found = sums.finish()
    raw = two_trees().predict_raw(X)
    mean = np.average(raw, weights=weight)
    variance = np.average((raw - mean) ** 2, weights=weight)
    assert found.mean[0, 0] == pytest.approx(mean, rel=1e-14)
    assert found.error[0, 0] == pytest.approx(np.sqrt(variance / (3.5**2 / 5.25 - 1)), rel=1e-12)


def test_weights_lost_beside_larger_ones_cause_a_warning() -> None:
    X = np.array([[0.0], [1.0]])
    model = gw.TreeRegressor().fit(X, [0.0, 1.0])
    with pytest.warns(PrecisionWarning, match="1 rows weigh less"):
        gw.effects(model, X, sample_weight=[1e20, 1e-20])
