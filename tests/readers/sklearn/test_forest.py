"""scikit-learn's trees and forests: small models whose numbers one can check by hand."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw

X = np.array([[0.0], [1.0], [2.0], [3.0]])


def test_two_classes_give_the_share_of_the_second() -> None:
    ensemble = gw.read(DecisionTreeClassifier(max_depth=1).fit(X, ["no", "no", "yes", "no"]), X)
    assert ensemble.outputs == ("yes",)
    assert ensemble.predict(X).tolist() == [0.0, 0.0, 0.5, 0.5]
    assert str(ensemble.link) == "identity"


def test_three_classes_give_three_outputs() -> None:
    ensemble = gw.read(DecisionTreeClassifier().fit(X, [5, 6, 7, 7]), X)
    assert ensemble.outputs == ("5", "6", "7")
    assert ensemble.predict(X).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]


def test_one_class_is_certain() -> None:
    ensemble = gw.read(DecisionTreeClassifier().fit(X, [1, 1, 1, 1]), X)
    assert ensemble.outputs == ("1",)
    assert ensemble.predict(X).tolist() == [1.0] * 4


def test_several_targets_follow_each_other() -> None:
    y = np.array([["a", "u"], ["b", "u"], ["c", "v"], ["c", "v"]])
    ensemble = gw.read(DecisionTreeClassifier().fit(X, y), X)
    assert ensemble.outputs == ("y0=a", "y0=b", "y0=c", "y1=v")
    assert ensemble.predict(X)[:2].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]


def test_a_regression_forest_is_the_mean_of_its_trees() -> None:
    forest = RandomForestRegressor(7, random_state=0).fit(X, [1.0, 2.0, 4.0, 8.0])
    ensemble = gw.read(forest, X)
    assert ensemble.n_trees == 7
    assert ensemble.predict(X) == pytest.approx(np.mean([tree.predict(X) for tree in forest.estimators_], axis=0))


def test_weights_are_weighted_counts_and_gains_the_impurity_decrease() -> None:
    tree = DecisionTreeRegressor(max_depth=2).fit(X, [1.0, 2.0, 4.0, 8.0], sample_weight=[1, 1, 1, 3])
    ensemble = gw.read(tree)
    assert ensemble.weight[0] == 6
    assert ensemble.source.weight_kind == "weights"
    by_feature = np.nansum(ensemble.gain)
    assert by_feature == pytest.approx(
        tree.tree_.impurity[0] * 6 - np.sum((tree.tree_.impurity * ensemble.weight)[tree.tree_.feature < 0])
    )


def test_missing_values_follow_the_learnt_side() -> None:
    holes = np.array([[np.nan], [1.0], [2.0], [3.0]])
    tree = DecisionTreeRegressor().fit(holes, [9.0, 1.0, 1.0, 9.0])
    assert gw.read(tree, holes).predict(holes).tolist() == [9.0, 1.0, 1.0, 9.0]
    assert gw.read(tree).features.missing_routed.all()


def test_values_on_a_threshold_and_one_step_beside_it_go_where_scikit_learn_sends_them() -> None:
    rng = np.random.default_rng(0)
    big = (1.7e9 + rng.integers(0, 600, size=(300, 1))).astype(np.float64)
    tree = DecisionTreeRegressor().fit(big, rng.normal(size=300))
    edges = gw.read(tree).threshold
    edges = edges[~np.isnan(edges)]
    around = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf), np.float32(edges)])
    assert gw.read(tree, around.reshape(-1, 1)).source.parity.leaves_equal


def test_frames_are_matched_by_name() -> None:
    import pandas

    frame = pandas.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [3.0, 1.0, 0.0, 2.0]})
    forest = RandomForestClassifier(5, random_state=0).fit(frame, [0, 1, 1, 0])
    ensemble = gw.read(forest, frame[["b", "a"]])
    assert ensemble.feature_names == ("a", "b")
    assert np.array_equal(ensemble.predict(frame), ensemble.predict(frame[["b", "a"]]))
    assert np.array_equal(ensemble.predict(frame), ensemble.predict(frame.to_numpy()))


def test_an_unfitted_model_and_another_kind_say_what_to_do() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(RandomForestClassifier())
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(make_pipeline(StandardScaler(), RandomForestClassifier()))
    with pytest.raises(gw.UnsupportedModelError, match="LinearRegression is not a tree model"):
        gw.read(LinearRegression().fit(X, [1, 2, 3, 4]))


def test_a_subclass_is_read_like_its_parent() -> None:
    class Mine(DecisionTreeRegressor):
        pass

    assert gw.read(Mine().fit(X, [1.0, 2.0, 3.0, 4.0]), X).source.model == "Mine"


def test_trees_with_native_categories_are_refused_until_they_can_be_read() -> None:
    tree = DecisionTreeRegressor().fit(X, [1.0, 2.0, 3.0, 4.0])
    tree.categorical_features = [0]  # as a release after 1.9 will have it
    with pytest.raises(gw.UnsupportedModelError, match="splits categories natively"):
        gw.read(tree)
