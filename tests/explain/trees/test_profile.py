"""The profile of a tree by depth: the web app's fixtures, and the regions of every cut."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris, make_moons
from sklearn.tree import DecisionTreeClassifier

import glasswood as gw
from glasswood.errors import TableError, UnsupportedModelError

EIGHT = np.column_stack([np.arange(8.0), np.zeros(8)])


def test_the_first_fixture() -> None:
    y = [0, 0, 0, 0, 1, 0, 1, 1]
    profile = gw.tree_profile(gw.TreeClassifier().fit(EIGHT, y), EIGHT, y)
    assert profile.impurity.tolist() == [0.46875, 0.1875, 0.125, 0.0]
    assert profile.score.tolist() == [5 / 8, 7 / 8, 7 / 8, 1.0]
    assert (profile.tree.label[0], profile.tree.detail(0)) == ("x0 <= 3.5", "5 and 3 rows, predicts 0")


def test_the_second_fixture_is_the_same_at_depths_0_and_1() -> None:
    y = [1, 1, 0, 1, 1, 1, 1, 1]
    profile = gw.tree_profile(gw.TreeClassifier().fit(EIGHT, y), EIGHT, y)
    np.testing.assert_allclose(profile.impurity, [0.21875, 1 / 6, 0.0])
    assert {profile.tree.predicted[node] for d in (0, 1) for node in profile.frontier[d]} == {"1"}


def test_moons() -> None:
    X, y = make_moons(200, noise=0.3, random_state=7)
    tree = gw.TreeClassifier(max_depth=7).fit(X, y)
    profile = gw.tree_profile(tree, X, y)
    assert tree.ensemble_.n_nodes == 37
    np.testing.assert_allclose(profile.impurity, [0.5, 0.301, 0.174, 0.152, 0.126, 0.082, 0.061, 0.044], atol=5e-4)
    peer = DecisionTreeClassifier(max_depth=7, random_state=0).fit(X, y)
    np.testing.assert_allclose(gw.tree_profile(peer, X, y).impurity, profile.impurity)


@pytest.mark.parametrize("load", [load_iris, load_diabetes])
def test_every_cut_is_the_tree_cut_there(load: object) -> None:
    X, y = load(return_X_y=True)
    estimator = gw.TreeClassifier() if load is load_iris else gw.TreeRegressor(max_depth=5)
    tree = estimator.fit(X, y)
    profile = gw.tree_profile(tree, X, y)
    assert np.all(np.diff(profile.impurity) <= 1e-12)
    assert profile.score[-1] == pytest.approx(tree.score(X, y))
    for depth in range(profile.n_depths):
        cut = tree.ensemble_.cut(depth)
        np.testing.assert_allclose(cut.value[cut.feature < 0], tree.ensemble_.value[profile.frontier[depth]])
        # the boxes cover the rows: each row is in exactly one, to which the cut tree sends it
        inside = np.ones((len(X), len(profile.frontier[depth])), dtype=bool)
        place = {node: k for k, node in enumerate(profile.frontier[depth].tolist())}
        for side in profile.boxes[depth]:
            values = X[:, int(side.feature[1:])]
            inside[:, place[side.node]] &= (values > side.lower) & (values <= side.upper)
        leaves = np.flatnonzero(cut.feature < 0)
        np.testing.assert_array_equal(inside, cut.apply(X) == leaves)


def test_printed_thresholds_divide_the_rows_as_the_tree_does() -> None:
    X, y = load_diabetes(return_X_y=True)
    tree = gw.TreeRegressor(max_depth=6).fit(X, y)
    ensemble, profile = tree.ensemble_, gw.tree_profile(tree, X, y)
    for node in np.flatnonzero(ensemble.feature >= 0):
        name, _, printed = profile.tree.label[node].partition(" <= ")
        assert float(printed) == ensemble.stated_threshold[node]
        values = X[:, int(name[1:])]
        threshold = ensemble.threshold[node]
        rows = np.flatnonzero(values <= threshold) if node == 0 else None
        if rows is not None:
            np.testing.assert_array_equal(rows, np.flatnonzero(values <= float(printed)))


def test_categories_and_missing_values_are_worded() -> None:
    X = pd.DataFrame({"c": ["a", "b", "a", "b", None, "c"], "x": [1.0, 2.0, 3.0, np.nan, 5.0, 6.0]})
    y = [0.0, 9.0, 0.0, 9.0, 9.0, 0.0]
    profile = gw.tree_profile(gw.TreeRegressor(max_depth=1).fit(X, y), X, y)
    assert profile.tree.label[0] == "c in {a, c}"
    assert profile.boxes[1][0].levels == ("a", "c")
    assert profile.score.tolist() == [0.0, 1.0]
    assert profile.to_frame().columns.tolist() == ["depth", "impurity", "r2", "n_nodes"]


def test_the_result_is_json() -> None:
    y = ["no", "no", "no", "no", "yes", "no", "yes", "yes"]
    profile = gw.tree_profile(gw.TreeClassifier(criterion="entropy").fit(EIGHT, y), EIGHT, y)
    document = json.loads(json.dumps(profile.to_dict(), allow_nan=False))
    assert document["tree"]["classes"] == ["no", "yes"]
    assert document["boxes"][0] == []
    assert document["criterion"] == "entropy"
    assert "Tree by depth" in profile._repr_html_() and "impurity" in profile._repr_html_()


def test_weights_count() -> None:
    y = [0, 0, 0, 0, 1, 0, 1, 1]
    weight = np.array([1, 2, 0, 1, 3, 1, 1, 1])
    tree = gw.TreeClassifier(max_depth=2).fit(EIGHT, y, weight)
    weighted = gw.tree_profile(tree, EIGHT, y, sample_weight=weight)
    repeated = gw.tree_profile(tree, np.repeat(EIGHT, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.impurity, repeated.impurity)
    np.testing.assert_allclose(weighted.score, repeated.score)


def test_what_does_not_fit_is_refused() -> None:
    forest = gw.ForestClassifier(3).fit(EIGHT, [0, 1] * 4)
    with pytest.raises(UnsupportedModelError, match="the model has 3"):
        gw.tree_profile(forest, EIGHT, [0, 1] * 4)
    tree = gw.TreeClassifier().fit(EIGHT, [0, 1] * 4)
    with pytest.raises(TableError, match="the class 7"):
        gw.tree_profile(tree, EIGHT, [7, 1] * 4)
    with pytest.raises(TableError, match="the class 2, which the model does not know"):
        gw.tree_profile(tree.ensemble_, EIGHT, [0, 1, 2, 0, 0, 0, 0, 0])
    with pytest.raises(TableError, match="must be numbers"):
        gw.tree_profile(gw.TreeRegressor().fit(EIGHT, np.arange(8)), EIGHT, list("abcdefgh"))


def test_a_tree_of_one_class_predicts_it() -> None:
    X = np.array([[0.0], [1.0]])
    tree = gw.TreeClassifier().fit(X, [3, 3])
    profile = gw.tree_profile(tree, X, [3, 3])
    assert profile.tree.detail(0) == "2 rows, predicts 3" and profile.score.tolist() == [1.0]
    assert tree.to_text() == "Leaf   2 rows, predicts 3"


def test_a_boosted_tree_does_not_hold_shares() -> None:
    from sklearn.ensemble import GradientBoostingClassifier

    X, y = np.arange(8.0).reshape(-1, 1), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    model = GradientBoostingClassifier(n_estimators=1, max_depth=1).fit(X, y)
    assert gw.tree_profile(model, X, y).criterion == "squared_error"


@pytest.mark.parametrize("passes", [2, 3])
def test_a_bar_counts_the_nodes_whose_rows_are_added_up(passes: int, capsys: pytest.CaptureFixture[str]) -> None:
    y = [0, 0, 0, 0, 1, 0, 1, 1]
    tree = (gw.TreeClassifier if passes == 2 else gw.TreeRegressor)(max_depth=2).fit(EIGHT, y)
    silent = gw.tree_profile(tree, EIGHT, y).to_dict()
    assert capsys.readouterr().err == ""
    assert gw.tree_profile(tree, EIGHT, y, progress=True).to_dict() == silent
    n = passes * tree.ensemble_.n_nodes
    assert f"{n}/{n}" in capsys.readouterr().err
