"""Every tree of boosting on a sparse table against the slow reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows
from glasswood.tables import SparseColumn
from glasswood.train.boosting._binning import make_binning
from tests.reference.boosting import check_tree
from tests.sparse_forms import target_of
from tests.train.examples import asked_of, columns_of, fit

Floats = NDArray[np.float64]
OPTIONS = {
    "gain": st.sampled_from(["newton", "cred_var", "cred_std", "welch"]),
    "l2": st.sampled_from([0.0, 1.0]),
    "min_weight_leaf": st.sampled_from([0.0, 1.0, 4.0]),
    "min_samples_leaf": st.sampled_from([1, 1, 3]),
    "max_depth": st.integers(1, 4),
    "max_leaf_nodes": st.sampled_from([None, 6]),
}


def sparse_table(seed: int, n: int, n_columns: int, filled: float) -> Floats:
    """Columns that are mostly one value, which need not be the smallest; some rows of some columns are missing."""
    rng = np.random.default_rng(seed)
    usual = rng.choice([0.0, 0.0, 0.0, 2.0, np.nan], n_columns)
    others = rng.choice([1.0, 1.0, 2.0, 3.0, -1.0], (n, n_columns))
    others[:, rng.random(n_columns) < 0.3] = 1.0
    others[rng.random((n, n_columns)) < 0.02] = np.nan
    return np.where(rng.random((n, n_columns)) < filled * rng.random(n_columns), others, usual)


def sparse_columns(X: Floats) -> list[SparseColumn]:
    """Columns that store all but their most frequent value, as a frame may hold them."""
    found = []
    for x in X.T:
        values, counts = np.unique(x, return_counts=True)
        fill = float(values[counts.argmax()])
        rows = np.flatnonzero(~np.isclose(x, fill, equal_nan=True)).astype(np.int32)
        found.append(SparseColumn(rows, x[rows], fill, len(x)))
    return found


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=100)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(10, 150),
    n_columns=st.integers(2, 25),
    filled=st.sampled_from([0.1, 0.5, 1.0]),
    weighted=st.booleans(),
    options=st.fixed_dictionaries(OPTIONS),
)
def test_every_tree_on_a_sparse_table_is_the_one_of_the_slow_reference(
    seed: int, n: int, n_columns: int, filled: float, weighted: bool, options: dict[str, Any]
) -> None:
    X = sparse_table(seed, n, n_columns, filled)
    y = target_of(X, seed)
    weight = np.random.default_rng(seed).integers(0, 3, n) + 0.5 if weighted else np.empty(0)
    dense, features = columns_of(X, [None] * n_columns)
    options = {"n_estimators": 2, "learning_rate": 1.0, "symmetric": False, **options}
    more: dict[str, Any] = {"features": features, "weight": weight, **options}
    model = fit(sparse_columns(X), y, **more).ensemble
    assert model == fit(dense, y, **more).ensemble == fit(sparse_columns(X), y, n_threads=2, **more).ensemble
    binning = make_binning(AlignedRows(n, dense), features, weight, max_bins=255, seed=0, n_threads=1)
    w = weight if weighted else np.ones(n)
    raw = np.full(n, model.baseline[0])
    for tree in range(model.n_trees):
        problem = asked_of(X, binning, w * (raw - y), w, w, options)
        rows_of = check_tree(problem, model, tree, limited=options["max_leaf_nodes"] is not None)
        for node, rows in rows_of.items():
            if model.feature[node] < 0:
                raw[rows] += model.value[node, 0]
