"""Trees grown natively equal those of the slow reference, node for node."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError, TableError
from glasswood.tables import read_table
from glasswood.train import NumberTarget, training_table
from glasswood.train.forest import ForestOptions, TreeOptions, drawn_counts, grow_forest
from tests.reference.random import Random, draw_rows
from tests.reference.trees import Feature, Grower, Limits, Node, prune, quantile_cuts
from tests.train.examples import SOURCE, Problem, members, problems

CRITERIA = {0: ["squared_error"], 1: ["gini", "entropy"], 2: ["gini", "entropy"], 3: ["gini", "entropy"]}


def assert_same(ensemble: Ensemble, tree: int, nodes: list[Node], problem: Problem, n_trees: int = 1) -> None:
    first, last = ensemble.tree_start[tree : tree + 2]
    assert last - first == len(nodes)
    for i, node in enumerate(nodes, start=first):
        np.testing.assert_allclose(ensemble.weight[i], node.weight)
        if node.split is None:
            assert ensemble.feature[i] == -1
            np.testing.assert_allclose(ensemble.value[i], node.value / n_trees, rtol=1e-12, atol=1e-12)
            continue
        assert ensemble.feature[i] == node.split.feature
        assert (ensemble.left[i], ensemble.right[i]) == (first + node.left, first + node.right)
        assert ensemble.missing_left[i] == node.split.missing_left
        np.testing.assert_allclose(ensemble.gain[i], node.split.gain, rtol=1e-8, atol=1e-9)
        levels = problem.features[node.split.feature].n_levels
        if levels:
            present = set(problem.features[node.split.feature].values[node.rows].astype(int).tolist())
            assert members(ensemble, i) & present == node.split.levels
            assert ensemble.unseen_left[i] == node.split.unseen_left
        else:
            assert ensemble.threshold[i] == node.split.threshold


def limits_of(options: TreeOptions, n_features: int) -> Limits:
    return Limits(
        criterion=options.criterion,
        max_depth=np.inf if options.max_depth is None else options.max_depth,
        min_samples_split=int(options.min_samples_split),
        min_samples_leaf=int(options.min_samples_leaf),
        min_weight_leaf=options.min_weight_leaf,
        max_leaf_nodes=options.max_leaf_nodes,
        max_features=options.n_features_drawn(n_features),
        needs_gain=options.needs_gain,
    )


@settings(max_examples=150)
@given(st.data(), problems())
def test_a_tree_is_that_of_the_reference(data: st.DataObject, problem: Problem) -> None:
    options = TreeOptions(
        criterion=data.draw(st.sampled_from(CRITERIA[problem.n_classes])),
        max_depth=data.draw(st.sampled_from([None, 1, 3])),
        min_samples_split=data.draw(st.sampled_from([2, 4])),
        min_samples_leaf=data.draw(st.sampled_from([1, 2])),
        min_weight_leaf=data.draw(st.sampled_from([0.0, 2.0])),
        max_leaf_nodes=data.draw(st.sampled_from([None, 2, 4])),
        max_features=data.draw(st.sampled_from([None, 1, 2])),
        needs_gain=data.draw(st.booleans()),
    )
    seed = data.draw(st.integers(0, 2**64 - 1))
    ensemble = grow_forest(problem.table(), problem.target(), problem.weight, options, seed=seed, source=SOURCE)
    limits = limits_of(options, len(problem.features))
    reference = Grower(problem.features, problem.y, problem.weight, problem.n_classes, limits)
    assert_same(ensemble, 0, reference.grow(Random(seed, 1)), problem)


@settings(max_examples=40)
@given(st.data(), problems(max_rows=150))
def test_larger_tables_are_sorted_by_radix_and_give_the_same_tree(data: st.DataObject, problem: Problem) -> None:
    options = TreeOptions(criterion=data.draw(st.sampled_from(CRITERIA[problem.n_classes])), max_depth=2)
    for feature in problem.features:
        if not feature.n_levels:
            # values at the limits of float64
            feature.values *= data.draw(st.sampled_from([1.0, -1e200, 1e-300]))
    ensemble = grow_forest(problem.table(), problem.target(), problem.weight, options, seed=0, source=SOURCE)
    limits = limits_of(options, len(problem.features))
    reference = Grower(problem.features, problem.y, problem.weight, problem.n_classes, limits)
    assert_same(ensemble, 0, reference.grow(Random(0, 1)), problem)


@settings(max_examples=60)
@given(st.data(), problems(), st.sampled_from([0.003, 0.03, 0.3]))
def test_a_pruned_tree_is_that_of_the_reference(data: st.DataObject, problem: Problem, alpha: float) -> None:
    # an irrational cost, so that no split is worth exactly as much
    alpha *= 2**0.5
    criterion = data.draw(st.sampled_from(CRITERIA[problem.n_classes]))
    limits = Limits(criterion)
    reference = Grower(problem.features, problem.y, problem.weight, problem.n_classes, limits)
    nodes = reference.grow(Random(0, 1))
    pruned = prune(nodes, [reference.mass(node.rows) for node in nodes], alpha)
    options = TreeOptions(criterion=criterion, ccp_alpha=alpha)
    ensemble = grow_forest(problem.table(), problem.target(), problem.weight, options, seed=0, source=SOURCE)
    assert_same(ensemble, 0, pruned, problem)


@settings(max_examples=100)
@given(st.data(), problems())
def test_a_forest_is_that_of_the_reference(data: st.DataObject, problem: Problem) -> None:
    bootstrap = data.draw(st.booleans())
    options = ForestOptions(
        criterion=data.draw(st.sampled_from(CRITERIA[problem.n_classes])),
        max_depth=data.draw(st.sampled_from([None, 2])),
        min_samples_leaf=data.draw(st.sampled_from([1, 2])),
        max_features=data.draw(st.sampled_from([None, 1])),
        n_estimators=3,
        bootstrap=bootstrap,
        max_samples=data.draw(st.sampled_from([None, 0.5])) if bootstrap else None,
        splits=data.draw(st.sampled_from(["exact", "quantile"])),
        n_quantiles=data.draw(st.sampled_from([2, 3])),
    )
    seed = data.draw(st.integers(0, 2**64 - 1))
    ensemble = grow_forest(problem.table(), problem.target(), problem.weight, options, seed=seed, source=SOURCE)
    if options.splits == "quantile":
        fix_splits(problem, options.n_quantiles)
    limits, n_rows = limits_of(options, len(problem.features)), len(problem.y)
    for tree in range(3):
        weight = problem.weight
        if options.bootstrap:
            weight = np.array(draw_rows(seed, tree, options.n_rows_drawn(n_rows), weight.tolist()), dtype=np.float64)
        reference = Grower(problem.features, problem.y, weight, problem.n_classes, limits)
        assert_same(ensemble, tree, reference.grow(Random(seed, 2 * tree + 1)), problem, n_trees=3)


def fix_splits(problem: Problem, n_quantiles: int) -> None:
    """Give every feature the cuts and orders of the whole table."""
    whole = Grower(problem.features, problem.y, problem.weight, problem.n_classes, Limits("gini"))
    counted = np.flatnonzero(problem.weight > 0)
    for feature in problem.features:
        if not feature.n_levels:
            feature.cuts = quantile_cuts(feature.values, problem.weight, n_quantiles)
            continue
        present = sorted({int(v) for v in feature.values[counted] if v >= 0})
        present.sort(key=lambda level: whole.place(counted[feature.values[counted] == level], counted))
        feature.order = {level: rank for rank, level in enumerate(present)}


@given(st.integers(0, 2**64 - 1), st.integers(0, 10), st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=1))
@settings(max_examples=100)
def test_rows_are_drawn_as_the_reference_draws_them(seed: int, tree: int, weight: list[float]) -> None:
    weight[0] = 1.0
    counts = _native.draw_rows(seed, tree, 20, np.array(weight))
    assert counts.tolist() == draw_rows(seed, tree, 20, weight)


@pytest.mark.parametrize("splits", ["exact", "quantile"])
def test_trees_are_equal_to_the_bit_for_any_number_of_threads(splits: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3_000, 8)), rng.normal(size=3_000)
    options = ForestOptions(criterion="squared_error", n_estimators=7, max_features=3, splits=splits, max_depth=6)
    table = training_table(read_table(X))
    one, two = (grow_forest(table, NumberTarget(y), None, options, seed=3, source=SOURCE, n_jobs=n) for n in (1, 2))
    assert one == two


@pytest.mark.parametrize("splits", ["exact", "quantile"])
def test_every_tree_is_reported_and_reports_change_no_bit(splits: str) -> None:
    rng = np.random.default_rng(0)
    table, target = training_table(read_table(rng.normal(size=(50, 2)))), NumberTarget(rng.normal(size=50))
    for n_trees in (1, 63, 200):  # a thread takes one tree at a time, or several
        options = ForestOptions(criterion="squared_error", n_estimators=n_trees, splits=splits)
        plain = grow_forest(table, target, None, options, seed=3, source=SOURCE)
        for n_jobs in (1, 2):
            counts: list[int] = []
            watched = grow_forest(
                table, target, None, options, seed=3, source=SOURCE, on_trees=counts.append, n_jobs=n_jobs
            )
            assert watched == plain
            assert sum(counts) == n_trees and min(counts) > 0


@pytest.mark.serial
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_trees_are_reported_while_others_still_grow(control_c: Callable[[int], None], n_jobs: int) -> None:
    rng = np.random.default_rng(0)
    table, target = training_table(read_table(rng.normal(size=(200, 2)))), NumberTarget(rng.normal(size=200))
    options = ForestOptions(criterion="squared_error", n_estimators=2_000)
    counts: list[int] = []
    control_c(20_000)  # about the hundredth tree; the kernel waits there until it is stopped
    with pytest.raises(KeyboardInterrupt):
        grow_forest(table, target, None, options, seed=3, source=SOURCE, on_trees=counts.append, n_jobs=n_jobs)
    assert 0 < sum(counts) < 2_000


def test_an_error_in_a_report_ends_the_growing() -> None:
    table, target = training_table(read_table(np.arange(4.0)[:, None])), NumberTarget(np.arange(4.0))

    def refuse(n_trees: int) -> None:
        raise RuntimeError(f"{n_trees} trees too many")

    with pytest.raises(RuntimeError, match="trees too many"):
        grow_forest(
            table, target, None, ForestOptions(criterion="squared_error"), seed=3, source=SOURCE, on_trees=refuse
        )


def test_one_tree_is_equal_to_the_bit_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 50, size=(20_000, 9)).astype(np.float64), rng.normal(size=20_000)
    options = TreeOptions(criterion="squared_error", max_depth=5)
    table = training_table(read_table(X))
    one, two = (grow_forest(table, NumberTarget(y), None, options, seed=3, source=SOURCE, n_jobs=n) for n in (1, 2))
    assert one == two


@settings(max_examples=100)
@given(st.data(), problems(max_rows=60), st.sampled_from([0.1, 1e-12, 1e9]))
def test_the_order_of_the_rows_does_not_matter(data: st.DataObject, problem: Problem, spread: float) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    problem.weight = problem.weight * np.exp(rng.normal(size=len(problem.weight)))
    if problem.n_classes == 0:
        problem.y = problem.y + spread * rng.normal(size=len(problem.y)) ** 3
    options = ForestOptions(
        criterion=data.draw(st.sampled_from(CRITERIA[problem.n_classes])),
        max_depth=data.draw(st.sampled_from([None, 3])),
        splits=data.draw(st.sampled_from(["exact", "quantile"])),
        n_quantiles=3,
        n_estimators=2,
        max_features=data.draw(st.sampled_from([None, 1])),
        bootstrap=False,
    )
    order = np.array(data.draw(st.permutations(range(len(problem.y)))))
    features = [Feature(feature.values[order], feature.n_levels) for feature in problem.features]
    other = Problem(features, problem.y[order], problem.weight[order], problem.n_classes)
    first, second = (
        grow_forest(one.table(), one.target(), one.weight, options, seed=5, source=SOURCE)._arrays()
        for one in (problem, other)
    )
    for name, array in first.items():
        np.testing.assert_array_equal(second[name], array, err_msg=name)


def test_a_row_keeps_a_weight_and_its_own_leaf_however_light_it_is() -> None:
    problem = Problem([Feature(np.arange(8.0), 0)], np.arange(8.0) ** 2, 10.0 ** -np.arange(0, 40, 5), 0)
    ensemble = grow_forest(
        problem.table(), problem.target(), problem.weight, TreeOptions(criterion="squared_error"), seed=0, source=SOURCE
    )
    leaves = ensemble.feature == -1
    np.testing.assert_array_equal(np.sort(ensemble.value[leaves, 0]), np.arange(8.0) ** 2)
    np.testing.assert_allclose(np.sort(ensemble.weight[leaves])[::-1], problem.weight, rtol=1e-15)


def test_weights_of_zero_in_every_row_are_refused() -> None:
    problem = Problem([], np.zeros(2), np.zeros(2), 0)
    with pytest.raises(TableError, match="zero in every row"):
        grow_forest(
            problem.table(),
            problem.target(),
            problem.weight,
            TreeOptions(criterion="squared_error"),
            seed=0,
            source=SOURCE,
        )


def test_a_criterion_must_fit_the_target() -> None:
    problem = Problem([], np.zeros(2), np.ones(2), 0)
    with pytest.raises(OptionError, match=r"criterion must be one of 'squared_error'; got 'gini'"):
        grow_forest(problem.table(), problem.target(), None, TreeOptions(criterion="gini"), seed=0, source=SOURCE)


def test_without_bootstrap_the_counts_are_the_weights() -> None:
    options = ForestOptions(criterion="gini", bootstrap=False)
    assert drawn_counts(None, 3, options, seed=0, tree=0).tolist() == [1.0, 1.0, 1.0]
