"""FeatureEffect: one row per cell."""

import dataclasses
import json

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from tests.results.examples import effects, two_outputs

COLUMNS = ["lower", "upper", "category", "missing", "value", "effect", "spread", "weight"]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_the_frame_has_one_row_per_cell(backend: str) -> None:
    frame = effects()["f1"].to_frame(backend)
    assert frame.shape == (4, 8)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == COLUMNS


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_several_outputs_follow_each_other(backend: str) -> None:
    fx = gw.effects(two_outputs())
    for name in fx:
        frame = fx[name].to_frame(backend)
        assert len(frame) == 2 * len(fx[name])
        values = np.asarray(frame["value"])
        np.testing.assert_array_equal(values[len(fx[name]) :], fx[name].value[:, 1])


def test_frames_come_back_in_the_callers_kind() -> None:
    import polars as pl

    X = pl.DataFrame({"f1": [0.0], "f2": [0.0]})
    from tests.ensemble.examples import two_trees

    assert isinstance(gw.effects(two_trees(), X)["f1"].to_frame(), pl.DataFrame)


def test_the_effect_has_weighted_mean_0() -> None:
    fx = effects()["f1"]
    assert fx.effect @ fx.weight == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(fx.value - fx.baseline, fx.effect)


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(effects()["f1"].to_dict(), allow_nan=False))
    assert found["spread"] == [None] * 4
    assert found["cells"]["feature"] == "f1"
    assert repr(effects()["f1"]) == "FeatureEffect('f1', 4 cells, method='interventional')"


def test_the_baseline_below_the_plot_has_a_minus_sign() -> None:
    effect = dataclasses.replace(effects()["f1"], baseline=-0.5)
    assert any("baseline −0.5" in text.get_text() for text in effect.plot(Figure().add_subplot()).texts)


def test_the_plot_names_feature_method_and_outputs() -> None:
    ax = effects()["f1"].plot(Figure().add_subplot())
    assert ax.get_xlabel() == "f1"
    assert any("interventional; baseline" in text.get_text() for text in ax.texts)
    several = gw.effects(two_outputs())["x0"]
    assert len(several.plot(Figure().add_subplot()).get_legend().get_texts()) == 2
    assert several.plot(Figure().add_subplot(), output=1).get_legend() is None
    with pytest.raises(gw.KeyNotFoundError, match="there is no output 'third'"):
        several.plot(Figure().add_subplot(), output="third")


def test_html_lists_the_cells() -> None:
    assert "Effect of f1 (interventional)" in effects()["f1"]._repr_html_()
    assert gw.effects(two_outputs())["x0"]._repr_html_().count("<tr>") > 2
