"""Rows: one table or many, the same result."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import glasswood as gw
from glasswood.errors import TableError
from glasswood.explain.effects import _row_stream
from tests.ensemble.examples import two_trees
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_ensemble

MODEL = built(random_ensemble(np.random.default_rng(0), Recipe(n_trees=8, n_features=3, n_leaves=12, odd=False)))
RNG = np.random.default_rng(1)
X = RNG.normal(size=(9_000, 3))
WEIGHT = RNG.random(9_000) * (RNG.random(9_000) > 0.1)


def pieces(array: NDArray[np.float64], ends: list[int]) -> Iterator[NDArray[np.float64]]:
    return iter(np.split(array, ends))


@pytest.mark.parametrize("method", ["interventional", "observed", "path"])
@pytest.mark.parametrize("ends", [[1], [4096], [100, 5000, 5001, 8999], []])
@pytest.mark.parametrize("weighted", [False, True])
def test_results_do_not_depend_on_how_rows_are_cut(method: str, ends: list[int], weighted: bool) -> None:
    whole = gw.interactions(MODEL, X, method=method, sample_weight=WEIGHT if weighted else None)
    weights = pieces(WEIGHT, ends) if weighted else None
    cut = gw.interactions(MODEL, pieces(X, ends), method=method, sample_weight=weights)
    for key in whole:
        np.testing.assert_array_equal(whole[key].value, cut[key].value)
        np.testing.assert_array_equal(whole[key].weight, cut[key].weight)
        np.testing.assert_array_equal(whole[key].h2, cut[key].h2)


def test_a_large_table_is_read_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gw.effects(MODEL, X, sample_weight=WEIGHT)
    monkeypatch.setattr(_row_stream, "_CHUNK_ROWS", 1000)
    cut = gw.effects(MODEL, X, sample_weight=WEIGHT)
    for name in whole:
        np.testing.assert_array_equal(whole[name].value, cut[name].value)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_results_are_equal_to_the_bit_for_any_number_of_threads(n_jobs: int) -> None:
    for method in ("interventional", "observed", "path", "treemind"):
        one = gw.interactions(MODEL, X, method=method, sample_weight=WEIGHT)
        many = gw.interactions(MODEL, X, method=method, sample_weight=WEIGHT, n_jobs=n_jobs)
        for key in one:
            np.testing.assert_array_equal(one[key].value, many[key].value)
            np.testing.assert_array_equal(one[key].weight, many[key].weight)
    one_ledger, many_ledger = (gw.ledger(MODEL, X, sample_weight=WEIGHT, n_jobs=n) for n in (1, n_jobs))
    np.testing.assert_array_equal(one_ledger.effects_and_pairs, many_ledger.effects_and_pairs)


@pytest.mark.parametrize(
    ("tables", "weights", "message"),
    [
        (iter([]), None, "without a table"),
        (iter([np.zeros((2, 2))]), np.ones(2), "must be an iterator"),
        (iter([np.zeros((2, 2))] * 2), iter([np.ones(2)]), "sample_weight ends before"),
        (iter([np.zeros((2, 2))]), iter([np.ones(2)] * 2), "X ends before"),
        (iter([np.zeros((2, 2))]), iter([None]), "found None"),
        (iter([np.zeros((2, 2))]), iter([np.ones(3)]), "3"),
    ],
)
def test_tables_and_weights_must_pair_up(tables: object, weights: object, message: str) -> None:
    with pytest.raises(TableError, match=message):
        gw.effects(two_trees(), tables, sample_weight=weights)  # type: ignore[arg-type]


def test_a_list_of_tables_is_distinguished_from_a_table() -> None:
    for tables in ([X, X], (X, X)):
        with pytest.raises(TableError, match=r"of tables; pass iter\(X\)"):
            gw.effects(two_trees(), tables)


def test_weights_must_have_a_sum() -> None:
    with pytest.raises(TableError, match="sum of sample_weight is infinite; divide the weights by a constant"):
        gw.effects(two_trees(), np.zeros((2, 2)), sample_weight=[1e308, 1e308])
    for wrong, said in ((1e200, "2e.200"), (1e-200, "2e-200")):
        with pytest.raises(TableError, match=f"sum of sample_weight is {said}; scale the weights"):
            gw.effects(two_trees(), np.zeros((2, 2)), sample_weight=[wrong, wrong])


def test_a_column_called_kind_is_a_column_and_nothing_else() -> None:
    rows = pd.DataFrame({"kind": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]})
    model = gw.TreeRegressor(max_depth=1).fit(rows, rows["kind"])
    assert gw.effects(model, rows)["kind"].weight.sum() == len(rows)
