"""Trees are drawn without overlapping nodes."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
from matplotlib.patches import Rectangle

from glasswood.plots import draw_tree

mpl.use("Agg")


def test_nodes_of_one_depth_do_not_overlap() -> None:
    # A full tree of depth 3 in pre-order, with long labels.
    left = np.array([1, 2, 3, -1, -1, 6, -1, -1, 9, 10, -1, -1, 13, -1, -1])
    right = np.array([8, 5, 4, -1, -1, 7, -1, -1, 12, 11, -1, -1, 14, -1, -1])
    depth = np.array([0, 1, 2, 3, 3, 2, 3, 3, 1, 2, 3, 3, 2, 3, 3])
    label = ["a rather long feature name (cm) <= 0.12345"] * 15
    ax = draw_tree(left, right, depth, label, ["1.5"] * 15, np.ones(15), np.linspace(0, 1, 15), None)
    frames = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_height() > 0.3]
    assert len(frames) == 15
    for y in {round(f.get_y(), 6) for f in frames}:
        row = sorted((f for f in frames if round(f.get_y(), 6) == y), key=lambda f: f.get_x())
        assert all(a.get_x() + a.get_width() <= b.get_x() for a, b in pairwise(row))
    assert any("<= 0.12345" in text.get_text() for text in ax.texts)
