"""Impurity by depth."""

import matplotlib as mpl
import numpy as np

from glasswood.plots import draw_depths

mpl.use("Agg")


def test_every_depth_has_its_score_beside_it() -> None:
    ax = draw_depths(np.array([0.5, 0.0]), np.array([0.25, 1.0]), "gini", "accuracy")
    assert [text.get_text() for text in ax.texts] == ["accuracy 0.25", "1"]
    assert ax.get_xlabel() == "Gini impurity"
    assert draw_depths(np.zeros(1), np.ones(1), "squared_error", "r2").get_xlabel() == "mean squared error"
