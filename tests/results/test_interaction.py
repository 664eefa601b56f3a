"""Interaction: a joint table and its purified part."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

import glasswood as gw
from tests.results.examples import interactions, two_outputs

COLUMNS = [f"{name}_{d}" for d in (0, 1) for name in ("lower", "upper", "category", "missing")]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_the_frame_has_one_row_per_cell(backend: str) -> None:
    frame = interactions()["f1", "f2"].to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == [*COLUMNS, "value", "effect", "interaction", "weight"]
    assert len(frame) == 16


def test_several_outputs_follow_each_other() -> None:
    table = gw.interactions(two_outputs())["x0", "x2"]
    frame = table.to_frame("polars")
    assert frame.columns[-1] == "output"
    np.testing.assert_array_equal(
        frame["interaction"].to_numpy()[: table.value[..., 0].size], table.interaction[..., 0].ravel()
    )
    assert table.strength.shape == (2,)
    turned = table.transpose(("x2", "x0"))
    np.testing.assert_array_equal(turned.interaction, table.interaction.transpose(1, 0, 2))
    np.testing.assert_array_equal(turned.transpose(("x0", "x2")).interaction, table.interaction)


def test_the_effect_is_measured_from_the_baseline() -> None:
    table = interactions()["f1", "f2"]
    assert (table.effect * table.weight).sum() == pytest.approx(0, abs=1e-12)
    assert table.degree == 2


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(interactions()["f1", "f2"].to_dict(), allow_nan=False))
    assert found["features"] == ["f1", "f2"]
    assert repr(interactions()["f1", "f2"]) == "Interaction('f1', 'f2', 4 × 4 cells, method='interventional')"


def test_the_margins_of_the_map_are_the_main_terms_of_the_pair() -> None:
    table = interactions()["f1", "f2"]
    terms = dict(zip(table.features, table.margins(), strict=True))
    total = terms["f1"][:, None] + terms["f2"] + table.interaction
    np.testing.assert_allclose(total, table.effect, atol=1e-12)
    ax = table.plot(Figure().add_subplot())
    _, top, side, _ = ax.figure.axes
    for axes, name in ((top, "f1"), (side, "f2")):
        (steps,) = (patch for patch in axes.patches if isinstance(patch, StepPatch))
        np.testing.assert_allclose(steps.get_data().values, terms[name][:3])


def test_a_pair_is_drawn_as_a_map() -> None:
    figure = Figure()
    ax = interactions()["f1", "f2"].plot(figure.add_subplot())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("f1", "f2")
    assert len(figure.axes) == 4
    interactions()["f1", "f2"].plot(Figure().add_subplot(), table="effect")
    with pytest.raises(gw.GlasswoodError, match="table must be"):
        interactions()["f1", "f2"].plot(Figure().add_subplot(), table="joint")
    assert "H²" in interactions()["f1", "f2"]._repr_html_()


def test_three_features_cannot_be_drawn() -> None:
    triple = gw.interactions(two_outputs(), degree=3, pairs=[(0, 1, 2)])[0, 1, 2]
    with pytest.raises(gw.GlasswoodError, match="cannot be drawn"):
        triple.plot(Figure().add_subplot())


@pytest.mark.parametrize("features", [["f1"], ["f1", "zz"], ["f1", "f1"], ["f1", "f2", "f2"]])
def test_only_its_own_features_are_put_in_another_order(features: list[str]) -> None:
    with pytest.raises(KeyError, match="the table is of 'f1', 'f2'"):
        interactions()["f1", "f2"].transpose(features)
