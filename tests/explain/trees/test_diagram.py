"""A tree as text, without any rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import glasswood as gw
from glasswood.errors import UnsupportedModelError
from glasswood.explain.trees import tree_diagram


def test_a_tree_knows_the_counts_of_its_nodes() -> None:
    X, y = load_iris(return_X_y=True)
    diagram = gw.TreeClassifier(max_depth=2).fit(X, y).diagram()
    np.testing.assert_allclose(diagram.counts[0], [50, 50, 50])
    assert diagram.predicted[0] == "0"
    assert diagram.label[0] == "x2 <= 2"


def test_a_tree_of_scikit_learn_is_shown_as_it_prints_itself() -> None:
    tree = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    diagram = tree_diagram(gw.read(tree))
    assert diagram.label == ("x0 <= 1.5", "Leaf", "Leaf")
    assert diagram.classes == ("not 1", "1")


def test_levels_are_listed() -> None:
    X = pd.DataFrame({"c": ["a", "b", "c"]})
    assert gw.TreeRegressor(max_depth=1).fit(X, [0.0, 9.0, 0.0]).diagram().label[0] == "c in {a, c}"


def test_a_forest_is_not_a_tree() -> None:
    with pytest.raises(UnsupportedModelError, match="single tree"):
        tree_diagram(gw.ForestRegressor(2).fit([[0.0], [1.0]], [0.0, 1.0]).ensemble_)
