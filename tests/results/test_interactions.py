"""Interactions: a mapping by tuples, and a ranking."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from glasswood.errors import OptionError
from tests.results.examples import interactions, two_outputs


def test_unknown_keys_are_named() -> None:
    ix = gw.interactions(two_outputs(), pairs=[(0, 1)])
    for key, message in (
        (("x0", "x2"), "'x0' and 'x2': it was not asked for"),
        ("x0", "belongs to 2 features, as in ix\\['x0', 'x1'\\]"),
        ((0, 9), "no feature 9"),
        (("x0", "age"), "no feature 'age'; it has 'x0'"),
        ((0, "x0"), "twice"),
    ):
        with pytest.raises(gw.KeyNotFoundError, match=message):
            ix[key]
    assert ("x1", "x0") in ix
    assert len(ix) == 1


def test_the_ranking_names_outputs_where_there_are_several() -> None:
    frame = gw.interactions(two_outputs()).ranking().to_frame("polars")
    assert frame.columns == ["feature_0", "feature_1", "strength", "h2", "output"]
    assert len(frame) == 6
    assert interactions().ranking().to_frame("polars").columns == ["feature_0", "feature_1", "strength", "h2"]


def test_it_is_json_ready() -> None:
    found = json.loads(json.dumps(interactions().to_dict(), allow_nan=False))
    assert len(found["tables"]) == 1
    assert repr(interactions()) == "Interactions(1 tables of degree 2, method='interventional')"


def test_the_ranking_is_drawn_and_shown() -> None:
    ax = interactions().plot(Figure().add_subplot())
    assert [text.get_text() for text in ax.get_yticklabels()] == ["f1 × f2"]
    assert "f1" in interactions()._repr_html_()
    assert "output" in gw.interactions(two_outputs())._repr_html_()


def test_the_ranking_goes_by_what_is_asked_for() -> None:
    ix = gw.interactions(two_outputs(), np.random.default_rng(0).integers(0, 4, (60, 3)).astype(float))
    frame = ix.ranking(by="term_sd").to_frame("polars")
    assert frame.columns == ["feature_0", "feature_1", "strength", "h2", "term_sd", "output"]
    assert frame["term_sd"].is_sorted(descending=True)
    assert ix.ranking(by="h2").to_frame("polars")["h2"].is_sorted(descending=True)
    assert "rows" in ix.plot(Figure().add_subplot(), by="term_sd").get_xlabel()
    for call in (ix.ranking, lambda by: ix.plot(Figure().add_subplot(), by=by)):
        with pytest.raises(OptionError, match="by must be one of"):
            call(by="size")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_all_tables_make_one_frame(backend: str) -> None:
    ix = gw.interactions(two_outputs())
    frame = ix.to_frame(backend)
    assert len(frame) == sum(table.value.size for table in ix.values())
    single = ix["x0", "x1"].to_frame("polars")
    both = ix.to_frame("polars")
    assert both.columns == ["feature_0", "feature_1", *single.columns]
    part = both.filter((both["feature_0"] == "x0") & (both["feature_1"] == "x1"))
    assert part["interaction"].to_list() == single["interaction"].to_list()
