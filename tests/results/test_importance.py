"""Importance: the size of effects, largest first."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from tests.results.examples import effects, two_outputs


def test_importance_is_the_weighted_spread_of_the_effect() -> None:
    fx = effects()
    found = fx.importance()
    for name, sd, size in zip(found.features, found.sd, found.mean_abs, strict=True):
        share = fx[name].weight / fx[name].weight.sum()
        assert sd == pytest.approx(np.sqrt(share @ fx[name].effect ** 2))
        assert size == pytest.approx(share @ np.abs(fx[name].effect))
    assert (np.diff(found.sd) <= 0).all()


def test_importance_makes_a_frame_and_a_dict() -> None:
    frame = effects().importance().to_frame("polars")
    assert frame.columns == ["feature", "sd", "mean_abs"]
    several = gw.effects(two_outputs()).importance()
    assert several.to_frame("polars").shape == (6, 4)
    assert set(several.to_dict()) == {"features", "sd", "mean_abs", "method", "outputs"}


def test_importance_is_drawn_and_shown() -> None:
    ax = effects().importance().plot(Figure().add_subplot())
    assert {text.get_text() for text in ax.get_yticklabels()} == {"f1", "f2"}
    assert "Importance of the effects" in effects()._repr_html_()
    assert effects().plot(Figure().add_subplot()).get_xlabel() == ax.get_xlabel()
    gw.effects(two_outputs()).importance().plot(Figure().add_subplot(), output=1)
