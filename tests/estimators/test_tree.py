"""Trees equal those of scikit-learn, node for node, if the best split is unique."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw
from glasswood.errors import OptionError
from tests.reference.random import Random
from tests.reference.trees import Feature, Grower, Limits


def assert_same_tree(ours: gw.Ensemble, theirs: object) -> None:
    leaf = theirs.children_left < 0
    np.testing.assert_array_equal(ours.feature, np.where(leaf, -1, theirs.feature))
    np.testing.assert_array_equal(ours.left, theirs.children_left)
    np.testing.assert_array_equal(ours.right, theirs.children_right)
    np.testing.assert_array_equal(ours.threshold[~leaf], theirs.threshold[~leaf])
    np.testing.assert_array_equal(ours.missing_left[~leaf], theirs.missing_go_to_left[~leaf].astype(bool))
    np.testing.assert_allclose(ours.weight, theirs.weighted_n_node_samples)


@settings(max_examples=120)
@given(st.data(), st.integers(0, 2**32 - 1), st.integers(2, 50))
def test_a_tree_is_that_of_scikit_learn(data: st.DataObject, seed: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3)).astype(np.float32)
    if data.draw(st.booleans(), label="missing"):
        X[rng.random(X.shape) < 0.15] = np.nan
    n_classes = data.draw(st.sampled_from([0, 2, 3]), label="classes")
    y = rng.integers(0, n_classes, n_rows) if n_classes else rng.normal(size=n_rows)
    weight = rng.uniform(0.5, 2, n_rows) if data.draw(st.booleans(), label="weights") else None
    given_options = {
        "criterion": data.draw(st.sampled_from(["gini", "entropy"] if n_classes else ["squared_error"])),
        "max_depth": data.draw(st.sampled_from([None, 2])),
        "min_samples_split": data.draw(st.sampled_from([6, 10])),
        "min_samples_leaf": data.draw(st.sampled_from([1, 3])),
        "max_leaf_nodes": data.draw(st.sampled_from([None, 3])),
    }
    limits = Limits(**{**given_options, "max_depth": given_options["max_depth"] or np.inf})
    features = [Feature(column.astype(np.float64)) for column in X.T]
    reference = Grower(features, y.astype(np.float64), np.ones(n_rows) if weight is None else weight, n_classes, limits)
    assume(all(node.gap > 1e-9 for node in reference.grow(Random(0, 1))))
    ccp_alpha = data.draw(st.sampled_from([0.0, 0.0, 0.01, 0.05]))
    ours, theirs = (
        (gw.TreeClassifier, DecisionTreeClassifier) if n_classes else (gw.TreeRegressor, DecisionTreeRegressor)
    )
    tree = ours(**given_options, ccp_alpha=ccp_alpha).fit(X, y, weight)
    peer = theirs(**given_options, ccp_alpha=ccp_alpha).fit(X, y, weight)
    # with weights the impurity of a pure node may be 3e-16, and scikit-learn then divides it
    assume(not ((peer.tree_.impurity > 0) & (peer.tree_.impurity < 1e-12)).any())
    # scikit-learn counts rows if nothing is missing; we do the same if all rows have equal weight
    if weight is not None:
        peer.tree_.missing_go_to_left[:] = tree.ensemble_.missing_left
    assert_same_tree(tree.ensemble_, peer.tree_)
    np.testing.assert_allclose(tree.predict(X), peer.predict(X), rtol=1e-10)
    np.testing.assert_array_equal(tree.apply(X)[:, 0], peer.apply(X))


@pytest.mark.parametrize("n_rows", [300, 3_000, 30_000])
def test_large_tables_give_the_tree_of_scikit_learn(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    X, y = rng.normal(size=(n_rows, 4)).astype(np.float32), rng.normal(size=n_rows)
    options = {"min_samples_split": 40, "min_samples_leaf": 5, "max_depth": 9}
    tree = gw.TreeRegressor(**options, n_jobs=2).fit(X, y)
    peer = DecisionTreeRegressor(**options).fit(X, y)
    assert_same_tree(tree.ensemble_, peer.tree_)


def test_exclusive_or_needs_a_split_without_gain() -> None:
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    tree = gw.TreeClassifier().fit(X, y)
    assert tree.predict(X).tolist() == y
    assert tree.ensemble_.feature.tolist() == [0, 1, -1, -1, 1, -1, -1]
    assert tree.ensemble_.gain[0] == 0.0


def test_ties_go_to_the_first_feature_and_the_lowest_threshold() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    tree = gw.TreeRegressor(max_depth=1).fit(np.column_stack([-x, x]), [0.0, 1.0, 1.0, 0.0])
    assert (tree.ensemble_.feature[0], tree.ensemble_.threshold[0]) == (0, -2.5)


def test_the_threshold_is_the_left_value_where_no_number_lies_between() -> None:
    left, right = 1.0, np.nextafter(1.0, 2.0)
    tree = gw.TreeRegressor().fit([[left], [right]], [0.0, 1.0])
    assert tree.ensemble_.threshold[0] == left
    assert tree.predict([[left], [right]]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_the_scale_of_features_and_target_does_not_matter(scale: float) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    plain = gw.TreeRegressor(max_depth=3).fit(X, y)
    scaled = gw.TreeRegressor(max_depth=3).fit(X * scale, y * scale)
    np.testing.assert_array_equal(plain.ensemble_.feature, scaled.ensemble_.feature)
    np.testing.assert_allclose(scaled.predict(X * scale), scale * plain.predict(X), rtol=1e-9)
    assert np.isfinite(scaled.feature_importances_).all()
    shifted = gw.TreeRegressor(max_depth=3).fit(X, y + 1e9)
    np.testing.assert_array_equal(plain.ensemble_.feature, shifted.ensemble_.feature)


def test_infinities_are_values() -> None:
    X = np.array([[-np.inf], [0.0], [np.inf], [np.nan]])
    tree = gw.TreeRegressor().fit(X, [1.0, 2.0, 3.0, 4.0])
    assert tree.predict(X).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_missing_values_alone_can_be_split_off() -> None:
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    tree = gw.TreeRegressor().fit(X, [0.0, 0.0, 5.0, 5.0])
    assert tree.ensemble_.threshold[0] == np.inf
    assert tree.predict([[-1e300], [1e300], [np.nan]]).tolist() == [0.0, 0.0, 5.0]


def test_levels_a_node_has_not_seen_go_to_the_heavier_side() -> None:
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "b", "b"], categories=["a", "b", "never"])})
    tree = gw.TreeRegressor().fit(X, [0.0, 1.0, 1.0, 1.0])
    asked = pd.DataFrame({"c": pd.Categorical(["a", "b", "never", "unknown", None])})
    assert tree.predict(asked).tolist() == [0.0, 1.0, 1.0, 1.0, 1.0]


def test_many_levels_are_divided_exactly() -> None:
    rng = np.random.default_rng(0)
    code, value = rng.integers(0, 20_000, 30_000), rng.normal(size=20_000)
    X = pd.DataFrame({"c": pd.Categorical.from_codes(code, categories=[str(k) for k in range(20_000)])})
    tree = gw.TreeRegressor(max_depth=4).fit(X, value[code])
    assert tree.score(X, value[code]) > 0.95


def test_an_invalid_parameter_is_named_when_fitting() -> None:
    with pytest.raises(OptionError, match="max_depth must be a whole number"):
        gw.TreeClassifier(max_depth=0).fit([[0.0]], [0])


@pytest.mark.serial
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("at", [1, 100])
def test_control_c_ends_a_long_fit(control_c: Callable[[int], None], at: int, n_jobs: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 10)), rng.normal(size=20_000)
    control_c(at)
    with pytest.raises(KeyboardInterrupt):
        gw.ForestRegressor(5_000, n_jobs=n_jobs).fit(X, y)
