"""Nodes of a booster show the class towards which they move the prediction, and what the tree adds to."""

import lightgbm
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestRegressor

import glasswood as gw
from tests.web.examples import first_tree


def test_a_node_has_the_colour_of_the_class_it_moves_the_answer_towards() -> None:
    """Nine of ten rows are of class 0: no node may look like class 1 only because that class comes second."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = np.where(X[:, 0] + rng.normal(0, 0.3, 2000) > 1.3, "yes", "no")
    model = lightgbm.LGBMClassifier(n_estimators=2, num_leaves=5, verbose=-1, n_jobs=1).fit(X, y)
    tree = first_tree(gw.explore(model, X, y))
    assert tree["towards"][0] == -1 and tree["shade"][0] == 0
    share = np.array([counts[1] / sum(counts) for counts in tree["counts"]])
    np.testing.assert_array_equal(np.array(tree["towards"][1:]), (share[1:] > share[0]).astype(int))
    assert max(tree["shade"]) == 1 and min(tree["shade"]) == 0
    assert tree["serves"] == "the log-odds of yes"
    counted = ", ".join(f"{n:,} rows of {name}" for n, name in zip(tree["counts"][0], ("no", "yes"), strict=True))
    assert tree["detail"][0].endswith(f" to the log-odds of yes; {counted}")


def test_a_tree_of_many_classes_says_to_which_it_adds() -> None:
    X, y = load_iris(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=2, max_depth=2, random_state=0).fit(X, y)
    trees = gw.explore(model, X, y).sections[0].data["trees"]
    assert [tree["output"] for tree in trees] == ["0", "1", "2", "0", "1", "2"]
    for k, tree in enumerate(trees):
        assert set(tree["towards"]) <= {-1, k % 3}
        assert tree["serves"] == f"the raw score before softmax of {k % 3}"


def test_a_tree_with_an_output_per_class_raises_one_most() -> None:
    X, y = load_iris(return_X_y=True)
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=2, depth=2, verbose=False, allow_writing_files=False, thread_count=1)
    tree = first_tree(gw.explore(model.fit(X, y), X, y))
    assert set(tree["towards"]) <= {-1, 0, 1, 2} and len(set(tree["towards"])) > 2
    assert tree["serves"].endswith("of every class")


def test_trees_that_predict_add_to_nothing_else() -> None:
    X, y = load_iris(return_X_y=True)
    assert first_tree(gw.explore(gw.TreeClassifier(max_depth=2).fit(X, y), X, y))["serves"] == ""
    alone = first_tree(gw.explore(gw.TreeRegressor(max_depth=2).fit(X, y), X, X[:, 0]))
    assert alone["serves"] == "" and alone["towards"] is None
    forest = RandomForestRegressor(2, max_depth=2, random_state=0).fit(X, X[:, 0])
    assert first_tree(gw.explore(forest, X, X[:, 0]))["serves"] == "the prediction"


def test_what_a_node_says_is_in_few_digits() -> None:
    X = np.arange(8.0)[:, None]
    y = np.array([1e6, 2e6, 3e6, 4e6] * 2)
    tree = first_tree(gw.explore(gw.TreeRegressor(max_depth=1).fit(X, y), X, y))
    assert tree["impurity_text"][0] == "1.25 tn" and "e+" not in "".join(tree["caption"] + tree["note"])
