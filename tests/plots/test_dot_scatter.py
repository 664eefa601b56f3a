"""Dot scatter: missing values have their own tick, categories are apart."""

import numpy as np
from matplotlib.figure import Figure

from glasswood.plots import DotColumn, DotScatter, draw_dot_scatter

ADDED = np.linspace(-1, 1, 6)
NUMBERS = DotColumn(np.array([0.0, 1.0, 2.0, 3.0, 4.0, np.nan]), None)
LEVELS = DotColumn(np.array([0.0, 1.0, 2.0, 0.0, 1.0, np.nan]), ("a level", "b", "c"))


def draw(**parts: object) -> Figure:
    figure = Figure()
    draw_dot_scatter(DotScatter(feature="f", added=ADDED, ylabel="raw", **parts), ax=figure.add_subplot())  # type: ignore[arg-type]
    return figure


def test_missing_has_its_tick_beyond_the_numbers() -> None:
    ax = draw(column=NUMBERS).axes[0]
    labels = [text.get_text() for text in ax.get_xticklabels()]
    assert labels[-1] == "missing" and ax.get_xticks()[-1] > 4.0
    dots = np.asarray(ax.collections[-1].get_offsets())
    np.testing.assert_array_equal(dots[:5, 0], NUMBERS.values[:5])
    assert abs(dots[5, 0] - ax.get_xticks()[-1]) < 0.2


def test_levels_are_drawn_apart() -> None:
    ax = draw(column=LEVELS).axes[0]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a level", "b", "c", "missing"]
    dots = np.asarray(ax.collections[-1].get_offsets())
    assert (np.abs(dots[:5, 0] - LEVELS.values[:5]) <= 0.3).all()


def test_a_partner_colours_the_dots() -> None:
    by_number = draw(column=LEVELS, partner="age", partner_column=NUMBERS)
    assert by_number.axes[1].get_ylabel() == "age"
    by_level = draw(column=NUMBERS, partner="wood", partner_column=LEVELS)
    legend = by_level.axes[0].get_legend()
    assert legend is not None and [t.get_text() for t in legend.get_texts()] == ["a level", "b", "c", "missing"]


def test_many_levels_of_the_partner_have_a_legend_beside_the_dots() -> None:
    many = DotColumn(np.arange(6.0) + 3.0, tuple(f"level {k}" for k in range(9)))
    figure = draw(column=NUMBERS, partner="wood", partner_column=many)
    (ax,) = figure.axes
    legend = ax.get_legend()
    assert legend is not None and len(ax.collections) == 2  # two shapes
    looks = {(handle.get_color(), handle.get_marker()) for handle in legend.legend_handles}
    assert len(looks) == 6


def test_a_short_legend_stands_above_the_dots() -> None:
    figure = draw(column=NUMBERS, partner="wood", partner_column=LEVELS)
    figure.set_layout_engine("constrained")
    figure.draw_without_rendering()
    (ax,) = figure.axes
    legend = ax.get_legend()
    assert legend is not None
    assert legend.get_window_extent().y0 >= ax.get_window_extent().y1
    assert legend.get_window_extent().y1 <= figure.bbox.y1


def test_long_names_are_cut() -> None:
    name = "a very long name of a feature " * 6
    by_number = draw(column=NUMBERS, partner=name, partner_column=NUMBERS)
    by_level = draw(column=NUMBERS, partner=name, partner_column=LEVELS)
    legend = by_level.axes[0].get_legend()
    assert legend is not None
    for text in (by_number.axes[1].get_ylabel(), legend.get_title().get_text()):
        assert len(text) <= 48 and "…" in text
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    picture = DotScatter(feature=name, column=NUMBERS, added=ADDED, ylabel=name)
    ax = draw_dot_scatter(picture, ax=figure.add_subplot())
    figure.draw_without_rendering()
    for label in (ax.xaxis.label, ax.yaxis.label):
        box = label.get_window_extent()
        assert "…" in label.get_text() and box.y0 >= 0 and box.y1 <= figure.bbox.y1 and box.x1 <= figure.bbox.x1


def test_levels_that_do_not_fit_the_axis_share_a_place_with_their_number() -> None:
    levels = DotColumn(np.arange(60.0), tuple(f"level {k}" for k in range(60)))
    ax = draw_dot_scatter(DotScatter(feature="f", column=levels, added=np.zeros(60)), ax=Figure().add_subplot())
    assert [text.get_text() for text in ax.get_xticklabels()][-2:] == ["level 29", "30 other levels (30 rows)"]
    assert len(ax.get_xticks()) == 31 and np.asarray(ax.collections[-1].get_offsets())[:, 0].max() < 30.5


def test_whole_numbers_have_whole_ticks() -> None:
    column = DotColumn(np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0]), None)
    figure = draw(column=column, partner="rooms", partner_column=column)
    assert all(float(t).is_integer() for ax in figure.axes for t in (*ax.get_xticks(), *figure.axes[1].get_yticks()))


def test_nothing_but_missing_values_is_drawn() -> None:
    assert draw(column=DotColumn(np.full(6, np.nan), None)).axes[0] is not None


def test_dates_have_dates_on_the_axis_and_beside_the_colours() -> None:
    days = DotColumn(np.array([0.0, 1.0, 2.0, 3.0, 400.0, np.nan]) * 86_400e6, None, is_date=True)
    ax = draw(column=days).axes[0]
    assert [text.get_text() for text in ax.get_xticklabels()][-2:] == ["1971-01", "missing"]
    bar = draw(column=NUMBERS, partner="day", partner_column=days).axes[1]
    assert "1970-07" in [text.get_text() for text in bar.get_yticklabels()]
