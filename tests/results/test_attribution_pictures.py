"""Pictures of attributions: each kind is drawn, names its unit, and refuses what it cannot draw."""

import io
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from glasswood.errors import OptionError
from tests.results.attribution_cases import CLASSES, REGRESSION, SOME, TWO_CLASSES

KINDS = ("beeswarm", "bar", "scatter", "heat", "lines", "pairs")


def captions(ax: Any) -> str:
    return " ".join(text.get_text() for text in ax.texts)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_takes_axes_and_gives_them_back(kind: str) -> None:
    ax = Figure().add_subplot()
    assert REGRESSION.plot(kind, ax) is ax
    fresh = CLASSES.plot(kind, output="2")
    try:
        fresh.figure.savefig(io.BytesIO(), format="png")
    finally:
        plt.close(fresh.figure)


@pytest.mark.parametrize("kind", KINDS)
def test_several_outputs_need_one(kind: str) -> None:
    with pytest.raises(OptionError, match="say which to show with output="):
        CLASSES.plot(kind, Figure().add_subplot())


def test_axes_are_in_raw_and_the_baseline_has_its_probability() -> None:
    swarm = TWO_CLASSES.plot("beeswarm", Figure().add_subplot())
    assert "raw (log-odds)" in swarm.get_xlabel() and "probability" in captions(swarm)
    assert "raw (log-odds)" in TWO_CLASSES.plot("bar", Figure().add_subplot()).get_xlabel()
    lines = TWO_CLASSES.plot("lines", Figure().add_subplot())
    assert lines.get_xlabel() == "raw (log-odds)" and "probability" in captions(lines)
    assert "probability" in captions(TWO_CLASSES.plot("heat", Figure().add_subplot()))
    assert "raw (log-odds)" in TWO_CLASSES.scatter("size", Figure().add_subplot()).get_ylabel()


def test_few_features_leave_the_rest_as_one() -> None:
    ax = REGRESSION.plot("lines", Figure().add_subplot(), most=2)
    assert "2 other features" in [label.get_text() for label in ax.get_yticklabels()]
    swarm = REGRESSION.plot("beeswarm", Figure().add_subplot(), most=2)
    assert "the first 2 of 4 features" in captions(swarm)
    pairs = REGRESSION.plot("pairs", Figure().add_subplot(), most=2)
    assert "the first 2 of 4 features" in captions(pairs)


def test_features_that_were_not_kept_are_drawn_as_one() -> None:
    ax = SOME.plot("lines", Figure().add_subplot(), output=1)
    assert ax.get_yticklabels()[0].get_text() == "2 other features"
    ends = [segment[-1][0] for segment in ax.collections[0].get_segments()]
    np.testing.assert_allclose(ends, SOME.raw[:, 1], rtol=0, atol=1e-12)
    heat = SOME.plot("heat", Figure().add_subplot(), output=1, most=1)
    assert heat.get_yticklabels()[0].get_text() == "3 other features"
    for kind in ("beeswarm", "bar", "pairs"):
        assert "without 2 other features" in captions(SOME.plot(kind, Figure().add_subplot(), output=1))


def test_a_scatter_is_coloured_by_the_strongest_partner() -> None:
    figure = Figure()
    REGRESSION.scatter("wood", figure.add_subplot())
    assert REGRESSION.interactions is not None
    strongest = int(np.abs(REGRESSION.interactions[:, 1]).mean(axis=0)[[0, 2, 3]].argmax())
    assert figure.axes[1].get_ylabel() == ("size", "age", "idle")[strongest]
    figure = Figure()
    REGRESSION.scatter("size", figure.add_subplot(), colour="wood")
    legend = figure.axes[0].get_legend()
    assert legend is not None and legend.get_title().get_text() == "wood"
    figure = Figure()
    REGRESSION.scatter("wood", figure.add_subplot(), colour="age")
    assert figure.axes[1].get_ylabel() == "age"
    figure = Figure()
    TWO_CLASSES.scatter("size", figure.add_subplot())  # no interactions: no partner
    assert len(figure.axes) == 1 and figure.axes[0].get_legend() is None
    with pytest.raises(KeyError):
        REGRESSION.scatter("size", Figure().add_subplot(), colour="nobody")


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(OptionError, match="interactions=True"):
        TWO_CLASSES.plot("pairs", Figure().add_subplot())
    with pytest.raises(OptionError, match="kind must be one of"):
        TWO_CLASSES.plot("pie", Figure().add_subplot())
    with pytest.raises(OptionError, match="feature= belongs to kind='scatter'"):
        TWO_CLASSES.plot("bar", Figure().add_subplot(), feature="size")
    with pytest.raises(OptionError, match="most must be"):
        TWO_CLASSES.plot("bar", Figure().add_subplot(), most=0)
    with pytest.raises(OptionError, match="most= is a number of features"):
        TWO_CLASSES.plot("scatter", Figure().add_subplot(), most=3)
    with pytest.raises(OptionError, match="is a group"):
        TWO_CLASSES.grouped({"g": ["size", "age"]}).scatter("g", Figure().add_subplot())
    with pytest.raises(OptionError, match="to colour by"):
        TWO_CLASSES.grouped({"g": ["size", "age"]}).scatter("wood", Figure().add_subplot(), colour="g")
    nothing = gw.attributions(gw.TreeRegressor().fit(np.eye(2), [0.0, 1.0]), np.zeros((0, 2)))
    for kind in KINDS:
        with pytest.raises(OptionError):
            nothing.plot(kind, Figure().add_subplot())


def test_groups_are_drawn_without_colours() -> None:
    grouped = REGRESSION.grouped({"both": ["size", "age"]})
    assert grouped.plot("beeswarm", Figure().add_subplot()) is not None
    assert grouped.scatter("wood", Figure().add_subplot()) is not None


def test_the_waterfall_of_a_row_is_drawn_from_either_side() -> None:
    assert REGRESSION.waterfall(3, Figure().add_subplot()).get_xlabel() == "raw"
    assert REGRESSION.heat(Figure().add_subplot()) is not None
