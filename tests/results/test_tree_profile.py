"""A profile becomes a frame and a picture."""

import matplotlib as mpl
import numpy as np

import glasswood as gw

mpl.use("Agg")
X, Y = np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 0, 1, 1]
PROFILE = gw.tree_profile(gw.TreeClassifier().fit(X, Y), X, Y)


def test_a_frame_has_a_row_per_depth() -> None:
    frame = PROFILE.to_frame("pandas")
    assert frame["accuracy"].tolist() == [0.625, 0.875, 0.875, 1.0]
    assert frame["n_nodes"].tolist() == [1, 2, 3, 4]


def test_depth_grows_downward_in_the_picture() -> None:
    ax = PROFILE.plot()
    bottom, top = ax.get_ylim()
    assert bottom > top
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), PROFILE.impurity)


def test_the_text_is_that_of_the_tree() -> None:
    assert PROFILE.to_text() == PROFILE.tree.to_text()
