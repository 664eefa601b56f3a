from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

import glasswood as gw
from tests.web.examples import EIGHT, FIRST, SAME, explored, first_tree, moons_page, titanic_like


def test_the_first_fixture_is_what_one_computes_by_hand() -> None:
    tree = first_tree(explored(FIRST))
    assert tree["impurity"] == [0.46875, 0.1875, 0.125, 0.0]
    assert tree["label"][:4] == ["x0 <= 3.5", "Leaf", "x0 <= 5.5", "x0 <= 4.5"]
    assert tree["detail"][:4] == [
        "5 and 3 rows, predicts 0",
        "4 and 0 rows, predicts 0",
        "1 and 3 rows, predicts 1",
        "1 and 1 rows, predicts 0",
    ]
    shown = [f"{k} of 8 rows correct" for k in (5, 7, 7, 8)]
    assert all(text in caption for text, caption in zip(shown, tree["caption"], strict=True))


def test_the_second_fixture_says_that_a_depth_changes_no_colour() -> None:
    tree = first_tree(explored(SAME))
    np.testing.assert_allclose(tree["impurity"], [0.21875, 1 / 6, 0], atol=1e-15)
    assert tree["same"][0] == 1
    assert tree["caption"][1].endswith("1 new split, which leaves the colours unchanged")


def test_the_third_fixture_stops_above_zero() -> None:
    tree = first_tree(moons_page())
    assert len(tree["left"]) == 37
    np.testing.assert_allclose(tree["impurity"], [0.5, 0.301, 0.174, 0.152, 0.126, 0.082, 0.061, 0.044], atol=5e-4)
    assert "6 regions" in tree["caption"][3] and "both of which leave the colours unchanged" in tree["caption"][3]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert moons_page().html() == moons_page().html()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_profile_is_that_of_tree_profile(criterion: str) -> None:
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    tree, profile = first_tree(gw.explore(model, X, y)), gw.tree_profile(model, X, y)
    np.testing.assert_allclose(tree["impurity"], profile.impurity, atol=1e-12)
    assert tree["label"] == list(profile.tree.label)
    assert tree["detail"] == [profile.tree.detail(node) for node in range(len(tree["label"]))]


def test_a_forest_is_shown_tree_by_tree_with_each_tree_s_own_classes() -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    page = gw.explore(forest, X, y)
    data = page.sections[0].data
    assert len(data["trees"]) == 5 and data["classes"] == ["0", "1", "2"]
    for k, tree in enumerate(data["trees"]):
        predicted = np.array(tree["predicted"])[tree["leaf"]]
        np.testing.assert_array_equal(predicted, forest.estimators_[k].predict(X))


def test_a_tree_of_a_booster_says_what_it_adds() -> None:
    X, y = load_iris(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=2, max_depth=2, random_state=0).fit(X[50:], y[50:])
    tree = first_tree(gw.explore(model, X[50:], y[50:]))
    assert tree["predicted"] is None and max(np.abs(tree["shade"])) == 1
    assert tree["detail"][0].startswith("adds ")
    assert tree["detail"][0].endswith(" to the log-odds of 2; 50 rows of 1, 50 rows of 2")
    assert tree["impurity"][0] == 0.5


def test_numbers_are_shown_with_their_variance() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = gw.TreeRegressor(max_depth=2).fit(X, y)
    page = gw.explore(model, X, y)
    data, tree = page.sections[0].data, first_tree(page)
    assert data["classes"] is None and len(data["rows"]["shade"]) == len(y)
    np.testing.assert_allclose(tree["impurity"][0], y.var())
    assert tree["detail"][0] == f"{len(y)} rows, predicts {y.mean():.6g}"
    assert "adds" in first_tree(gw.explore(RandomForestRegressor(2, random_state=0).fit(X, y), X, y))["detail"][0]


def test_categories_and_missing_values_are_worded() -> None:
    X, y = titanic_like()
    page = gw.explore(gw.TreeClassifier(max_depth=4).fit(X, y), X, y)
    features = {feature["name"]: feature for feature in page.sections[0].data["features"]}
    assert features["sex"]["levels"] == ["female", "male"] and not features["sex"]["missing"]
    assert features["age"]["missing"] and -1 in features["age"]["cells"]
    tree = first_tree(page)
    assert any(label == "sex in {male}" for label in tree["label"])
    assert "sex in {male} and (age > 10 or missing)" in tree["rule"]


def test_targets_are_needed() -> None:
    with pytest.raises(gw.TableError, match="pass y"):
        gw.explore(gw.TreeClassifier().fit(EIGHT, FIRST), EIGHT, None)


def test_a_large_model_stays_within_the_budget_of_a_page() -> None:
    X, y = np.random.RandomState(0).rand(20_000, 12), np.random.RandomState(1).randint(0, 3, 20_000)
    forest = gw.ForestClassifier(n_estimators=60, max_depth=9, random_state=0, n_jobs=-1).fit(X, y)
    page = gw.explore(forest, X, y)
    assert len(page.html()) < 2_000_000
    assert any("are shown, of trees 0 to 59" in note for note in page.sections[0].data["notes"])
    deep = gw.explore(gw.TreeClassifier().fit(X, y), X, y)
    assert len(deep.html()) < 2_000_000
    assert any("is shown to depth" in note for note in deep.sections[0].data["notes"])


def test_long_names_stay_within_the_budget(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1500, 3)), columns=["a" * 600, "b" * 600, "c" * 600])
    y = rng.integers(0, 2, 1500)
    gw.explore(gw.ForestClassifier(8, random_state=0).fit(X, y), X, y).save(tmp_path / "tree.html")
    assert (tmp_path / "tree.html").stat().st_size < 2_000_000


def test_a_bar_counts_the_trees(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = load_iris(return_X_y=True)
    page = gw.explore(gw.ForestClassifier(3, max_depth=2, random_state=0).fit(X, y), X, y, progress=True)
    assert page.title == "ForestClassifier, tree by tree"
    assert "3/3" in capsys.readouterr().err


def test_a_page_is_called_by_what_was_read(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    for model in (tree, gw.read(tree)):
        assert gw.explore(model, X, y).title == "DecisionTreeClassifier (scikit-learn), depth by depth"
