"""LocalTrees grows, refits and adds trees; the rules for growing follow from the options."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train.boosting import BoostingOptions, BoostingTable
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._boosted_table import BoostedTable, start_table
from glasswood.train.boosting._constraints import make_constraints
from glasswood.train.boosting._losses import make_loss
from glasswood.train.boosting._tree_source import LocalTrees, make_rules
from tests.train.examples import columns_of, fit

N = 40
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 2))
Y = X[:, 0] + RNG.normal(size=N)
ALL = np.arange(N, dtype=np.uint32)


def source(loss: str = "squared_error", weight: Any = None, **options: Any) -> tuple[LocalTrees, BoostedTable]:
    weight = np.empty(0) if weight is None else weight
    table = BoostingTable(name="train", rows=AlignedRows(N, X), y=Y, weight=weight)
    features = FeatureSchema.numeric(FeatureSchema.positions(2), named=False)
    binning = make_binning(table.rows, features, weight, max_bins=255, seed=0, n_threads=1)
    bins, by_column = binning.apply_both(table.rows, 1)
    train = start_table(table, bins, np.zeros(1), None, 1)
    rules = make_rules(
        binning,
        make_loss(loss, quantile=0.5, power=1.5),
        BoostingOptions(**options),
        make_constraints(None, None, features),
        weighted=len(weight) > 0,
    )
    return LocalTrees(train, by_column, rules, exact=True, seed=0), train


def grow(trees: LocalTrees, rows: Any = ALL) -> Any:
    return trees.grow(-Y, np.ones(N), rows, np.arange(2, dtype=np.uint32), 0, 1)


def test_a_leaf_is_the_newton_step_of_its_rows() -> None:
    trees, _ = source(min_weight_leaf=N, l2=1.0)
    arrays = grow(trees).arrays()
    assert arrays["feature"].tolist() == [-1]
    assert arrays["value"][0] == pytest.approx(Y.sum() / (N + 1))


def test_values_are_added_to_the_rows_a_tree_was_grown_on() -> None:
    trees, train = source()
    tree = grow(trees, ALL[::2])
    trees.add(tree, train.raw_by_output[0], 1)
    walked = np.zeros(N)
    tree.add_to_rows(train.bins, ALL[::2], walked, 1)
    assert np.any(walked != 0)
    np.testing.assert_array_equal(train.raw_by_output[0], walked)


def test_leaves_are_refitted_to_quantiles_of_residuals() -> None:
    trees, train = source(min_weight_leaf=N)
    tree = grow(trees)
    trees.refit_leaves(tree, train.raw_by_output[0], 0.5, 1)
    assert tree.arrays()["value"][0] == np.sort(Y)[N // 2 - 1]


@pytest.mark.parametrize("weight", [None, np.full(N, 2.0)])
def test_a_leaf_has_enough_rows_with_and_without_weights(weight: Any) -> None:
    trees, train = source(weight=weight, min_samples_leaf=15, min_weight_leaf=0.0)
    leaf = np.zeros(N)
    grow(trees).add_to_rows(train.bins, ALL, leaf, 1)
    _, counts = np.unique(leaf, return_counts=True)
    assert len(counts) > 1 and counts.min() >= 15


def test_steps_on_a_log_scale_are_limited() -> None:
    far, _ = source("poisson", min_weight_leaf=N, l2=0.0)
    value = far.grow(np.full(N, -1e9), np.ones(N), ALL, np.arange(2, dtype=np.uint32), 0, 1).arrays()["value"]
    assert abs(value[0]) <= 13.8


def exclusive_table(rng: np.random.Generator, n: int, n_groups: int) -> tuple[Any, list[Any]]:
    """Columns of which no row has two away from their usual value, beside a number and a category."""
    columns: list[Any] = [rng.normal(size=n).round(1), rng.integers(0, 4, n).astype(float)]
    labels: list[Any] = [None, ("a", "b", "c", "d")]
    for _ in range(n_groups):
        chosen = rng.integers(0, 7, n)
        for k in range(6):
            usual, others = rng.choice([0.0, 2.0, np.nan, 5.0]), rng.choice([1.0, 3.0, 4.0, np.nan], n)
            column = np.where(chosen == k, others, usual)
            columns.append(np.where(np.isnan(column), np.nan, column))
            labels.append(None)
    return np.column_stack(columns), labels


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([5, 80, 900]),
    weighted=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "gain": st.sampled_from(["newton", "cred_std", "welch"]),
            "statistics": st.sampled_from(["exact", "quantised"]),
            "max_leaf_nodes": st.sampled_from([None, 9]),
            "colsample": st.sampled_from([1.0, 0.5]),
            "min_samples_leaf": st.sampled_from([1, 4]),
            "symmetric": st.sampled_from([None, False]),
        }
    ),
)
@example(seed=0, n=900, weighted=True, options={"min_samples_leaf": 4, "colsample": 0.5})
def test_features_that_share_columns_give_the_same_trees(
    seed: int, n: int, weighted: bool, options: dict[str, Any]
) -> None:
    rng = np.random.default_rng(seed)
    table, labels = exclusive_table(rng, n, n_groups=2)
    data, features = columns_of(table, labels)
    y = np.where(np.isnan(table[:, 4]), 1.0, table[:, 4]) + rng.normal(size=n)
    ways = {"features": features, "weight": rng.integers(0, 3, n) + 0.5 if weighted else np.empty(0)}
    models = [
        fit(data, y, n_estimators=3, make_trees=partial(LocalTrees, **how), **ways, **options).ensemble
        for how in ({"bundles": False}, {}, {"least_rows": 0})
    ]
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("n_threads", [2, 3])
def test_trees_of_several_outputs_grow_side_by_side(n_threads: int) -> None:
    rng = np.random.default_rng(n_threads)
    table, y = rng.normal(size=(500, 4)).round(1), rng.integers(0, 6, 500).astype(float)
    options: dict[str, Any] = {
        "loss": "softmax",
        "outputs": tuple("abcdef"),
        "weight": rng.integers(0, 3, 500).astype(float),
        "n_estimators": 4,
        "subsample": 0.8,
        "colsample": 0.6,
    }
    cpus = _native.pretend_cpus(n_threads)
    try:
        together = fit(table, y, n_threads=n_threads, **options)
    finally:
        _native.pretend_cpus(cpus)
    assert together.ensemble == fit(table, y, n_threads=1, **options).ensemble
