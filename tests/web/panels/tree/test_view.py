from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.web.examples import explored, first_tree


def frontier(tree: dict[str, Any], depth: int) -> list[int]:
    return [node for node, at in enumerate(tree["depth"]) if at == depth or (at < depth and tree["left"][node] < 0)]


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_impurity_never_rises_and_ends_where_the_leaves_are(seed: int, classes: int) -> None:
    random = np.random.RandomState(seed)
    X, y = random.rand(40, 2).round(1), random.randint(0, classes, 40)
    tree = first_tree(explored(y, X, max_depth=int(random.randint(1, 6))))
    share = np.bincount(y) / 40
    np.testing.assert_allclose(tree["impurity"][0], (share * (1 - share)).sum())
    assert (np.diff(tree["impurity"]) <= 1e-15).all()
    for depth, impurity in enumerate(tree["impurity"]):
        counts = np.array(tree["counts"])[frontier(tree, depth)]
        n = counts.sum(axis=1)
        np.testing.assert_allclose(impurity, ((n / 40) * (1 - ((counts / n[:, None]) ** 2).sum(axis=1))).sum())


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_the_deepest_cut_is_the_tree(seed: int) -> None:
    random = np.random.RandomState(seed)
    X, y = random.rand(30, 2).round(1), random.randint(0, 3, 30)
    model = gw.TreeClassifier().fit(X, y)
    tree = first_tree(gw.explore(model, X, y))
    np.testing.assert_array_equal(np.array(tree["predicted"])[tree["leaf"]], model.predict(X))
    np.testing.assert_array_equal(tree["predicted"], np.argmax(tree["counts"], axis=1))


def test_identical_rows_of_two_classes_are_one_leaf() -> None:
    tree = first_tree(explored([1, 0], np.zeros((2, 2))))
    assert tree["impurity"] == [0.5] and tree["label"] == ["Leaf"]
    assert tree["detail"] == ["1 and 1 rows, predicts 0"]


def test_one_class_has_nothing_to_split() -> None:
    tree = first_tree(explored([3, 3, 3], np.arange(6.0).reshape(3, 2)))
    assert tree["impurity"] == [0.0] and tree["caption"][0].endswith("nothing to split")
    assert tree["detail"] == ["3 rows, predicts 3"]
