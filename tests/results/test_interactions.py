"""Interactions: a mapping by tuples, and a ranking."""

import json

import pytest
from matplotlib.figure import Figure

import glasswood as gw
from tests.results.examples import interactions, two_outputs


def test_what_is_not_there_is_named() -> None:
    ix = gw.interactions(two_outputs(), pairs=[(0, 1)])
    for key, message in ((("x0", "x2"), "not asked for"), ("x0", "name 2 features"), ((0, 9), "no feature 9")):
        with pytest.raises(KeyError, match=message):
            ix[key]
    assert ("x1", "x0") in ix
    assert len(ix) == 1


def test_the_ranking_names_outputs_where_there_are_several() -> None:
    frame = gw.interactions(two_outputs()).ranking("polars")
    assert frame.columns == ["feature_0", "feature_1", "strength", "h2", "output"]
    assert len(frame) == 6
    assert interactions().to_frame("polars").columns == ["feature_0", "feature_1", "strength", "h2"]


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(interactions().to_dict(), allow_nan=False))
    assert len(found["tables"]) == 1
    assert repr(interactions()) == "Interactions(1 tables of degree 2, method='interventional')"


def test_the_ranking_is_drawn_and_shown() -> None:
    ax = interactions().plot(Figure().add_subplot())
    assert [text.get_text() for text in ax.get_yticklabels()] == ["f1 × f2"]
    assert "f1" in interactions()._repr_html_()
    assert "output" in gw.interactions(two_outputs())._repr_html_()
