"""Lines: running sums from the baseline at the bottom to raw at the top."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import draw_lines


def test_lines_begin_at_the_baseline_and_end_at_raw() -> None:
    values = np.array([[1.0, 0.5], [-2.0, 0.25]])
    ax = draw_lines(["a", "b"], values, 10.0, xlabel="raw", note="n", ax=Figure().add_subplot())
    first, second = ax.collections[0].get_segments()
    np.testing.assert_allclose(first, [[10.0, 0.0], [10.5, 1.0], [11.5, 2.0]])
    np.testing.assert_allclose(second, [[10.0, 0.0], [10.25, 1.0], [8.25, 2.0]])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["b", "a"]
    low, high = ax.get_xlim()
    assert low < 8.25 and high > 11.5
