import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.web.panels.tree._layout import columns_of, spans_of


def test_a_parent_is_in_the_middle_of_its_children() -> None:
    left, right = np.array([1, -1, 3, -1, -1], dtype=np.int32), np.array([2, -1, 4, -1, -1], dtype=np.int32)
    np.testing.assert_allclose(columns_of(left, right) * 3, [1.25, 0.5, 2.0, 1.5, 2.5])
    start, width = spans_of(left, right, np.array([10, 4, 6, 1, 5]))
    np.testing.assert_allclose(start, [0, 0, 0.4, 0.4, 0.5])
    np.testing.assert_allclose(width, [1, 0.4, 0.6, 0.1, 0.5])


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_left_is_left_and_no_two_leaves_share_a_column(seed: int) -> None:
    random = np.random.RandomState(seed)
    tree = gw.TreeClassifier().fit(random.rand(30, 2), random.randint(0, 2, 30)).ensemble_
    x = columns_of(tree.left, tree.right)
    inner = tree.left >= 0
    assert (x[tree.left[inner]] < x[inner]).all() and (x[inner] < x[tree.right[inner]]).all()
    assert len(np.unique(x[~inner])) == (~inner).sum()
    assert ((x > 0) & (x < 1)).all()
