"""Waterfall: bars are connected, and small ones are merged."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from glasswood.plots import Waterfall, draw_waterfall


def picture(steps: list[float], most: int = 10) -> Waterfall:
    names = [f"f{j}" for j in range(len(steps))]
    return Waterfall(names=names, steps=np.array(steps), start=1.0, start_label="low", end_label="high", most=most)


def test_each_bar_begins_where_the_last_one_ended() -> None:
    ax = draw_waterfall(picture([2.0, -3.0, 0.5]), xlabel="raw $", ax=Figure().add_subplot())
    bars = sorted(ax.patches, key=lambda bar: -bar.get_y())
    starts = [bar.get_x() for bar in bars]
    ends = [bar.get_x() + bar.get_width() for bar in bars]
    np.testing.assert_allclose(starts, [1.0, 3.0, 0.0])
    np.testing.assert_allclose(ends, [3.0, 0.0, 0.5])
    assert "low" in ax.get_title(loc="left") and "high" in ax.get_title(loc="left")
    assert ax.get_xlabel() == r"raw \$"


def test_the_rest_is_one_bar() -> None:
    ax = draw_waterfall(picture([3.0, -2.0, 1.0, 0.5, 0.25], most=3), xlabel="raw", ax=Figure().add_subplot())
    assert len(ax.patches) == 3
    assert "3 other features" in [label.get_text() for label in ax.get_yticklabels()]
    assert min(ax.patches, key=lambda bar: bar.get_y()).get_width() == pytest.approx(1.75)


def test_what_was_left_out_before_joins_the_rest() -> None:
    names = ["a", "b", "c"]
    for most, n_bars, label, width in ((4, 4, "1 other feature", 0.5), (3, 3, "2 other features", 1.5)):
        picture = Waterfall(
            names=names, steps=np.array([3.0, -2.0, 1.0]), start=0.0, start_label="", end_label="", most=most,
            rest=0.5, n_rest=1,
        )  # fmt: skip
        ax = draw_waterfall(picture, xlabel="raw", ax=Figure().add_subplot())
        last = min(ax.patches, key=lambda bar: bar.get_y())
        assert len(ax.patches) == n_bars and last.get_width() == pytest.approx(width)
        assert label in [text.get_text() for text in ax.get_yticklabels()]


def test_steps_are_written_as_axes_write_numbers() -> None:
    ax = draw_waterfall(picture([2.0, -3.0]), xlabel="raw", ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.texts] == ["+2", "−3"]


def test_an_empty_waterfall_is_drawn_too() -> None:
    assert draw_waterfall(picture([0.0, 0.0]), xlabel="raw", ax=Figure().add_subplot()) is not None


@pytest.mark.parametrize("scale", [1.0, -1.0])
def test_numbers_beside_long_bars_stay_inside_the_axes(scale: float) -> None:
    big = Waterfall(
        names=["a rather long name of a feature = 0.125"],
        steps=np.array([scale * 1.875e6]),
        start=1e6,
        start_label="",
        end_label="",
    )
    ax = draw_waterfall(big, xlabel="raw")
    try:
        ax.figure.canvas.draw()
        number, frame = ax.texts[0].get_window_extent(), ax.get_window_extent()
        assert frame.x0 <= number.x0 and number.x1 <= frame.x1
    finally:
        plt.close(ax.figure)
