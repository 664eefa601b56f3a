"""Neighbours: as a frame, as JSON, as a picture, and beside the query."""

import dataclasses
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure

from glasswood.errors import OptionError
from glasswood.results import Neighbours, RowSource

TRAIN = pd.DataFrame({"age": [20.0, 30.0, np.nan], "sex": pd.Categorical(["f", "<m>", "f"])})
QUERIES = pd.DataFrame({"sex": ["f", "f", "f", "f"], "age": [30.0, np.nan, 1.0, np.inf]})
ROW = np.array([[1, 0], [2, -1], [0, 1], [0, 1]])
FOUND = Neighbours(
    row=ROW,
    similarity=np.array([[0.75, 0.25], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]),
    target=np.ma.masked_array(np.array(["no", "yes", "no"], dtype=object)[np.maximum(ROW, 0)], mask=ROW < 0),
    method="leaf_weight",
    features=("age", "sex"),
    train=RowSource(TRAIN, (0, 1)),
    queries=RowSource(QUERIES, (1, 0)),
)


def test_a_frame_lists_only_rows_that_exist() -> None:
    frame = FOUND.to_frame("polars")
    assert frame.columns == ["query", "rank", "row", "similarity", "target"]
    assert frame.rows()[:3] == [(0, 1, 1, 0.75, "yes"), (0, 2, 0, 0.25, "no"), (1, 1, 2, 1.0, "no")]
    assert len(frame) == 7 and isinstance(FOUND.to_frame("pandas"), pd.DataFrame)


def test_rows_are_fetched_on_demand() -> None:
    assert FOUND.rows(0)["age"].tolist() == [30.0, 20.0]
    assert FOUND.rows(1)["sex"].tolist() == ["f"] and len(FOUND.rows()) == 7
    with pytest.raises(OptionError, match="query 4 does not exist; there are 4"):
        FOUND.rows(4)


def test_json_says_what_differs() -> None:
    shown = json.loads(json.dumps(FOUND.to_dict(), allow_nan=False))
    first = shown["queries"][0]
    assert first["values"] == [30.0, "f"]
    assert [n["differs"] for n in first["neighbours"]] == [[False, True], [True, False]]
    assert first["neighbours"][0] == {
        "row": 1,
        "similarity": 0.75,
        "target": "yes",
        "values": [30.0, "<m>"],
        "differs": [False, True],
    }
    assert shown["queries"][1]["neighbours"][0]["differs"] == [False, False]  # missing equals missing
    assert shown["queries"][3]["values"] == [None, "f"]


def test_html_marks_what_differs_from_the_query() -> None:
    shown = FOUND._repr_html_()
    assert 'font-weight:600">&lt;m&gt;' in shown and "<m>" not in shown
    assert 'font-weight:600">20 (-10)' in shown and 'opacity:.55">30<' in shown
    assert 'opacity:.55">missing' in shown
    assert "1 more queries" in shown


def test_similarities_are_drawn() -> None:
    ax = FOUND.plot(Figure().add_subplot(), query=-4)
    assert [bar.get_width() for bar in ax.patches] == [0.75, 0.25]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["row 1: yes", "row 0: no"]


def test_it_describes_itself() -> None:
    assert repr(FOUND) == "<Neighbours: 2 of each of 4 queries, method='leaf_weight'>" and len(FOUND) == 4
    assert isinstance(FOUND.to_frame(), pd.DataFrame | pl.DataFrame)


@pytest.mark.parametrize("query", ["0", 0.0, True, None])
def test_a_query_is_a_number(query) -> None:
    for asked in (
        lambda: FOUND.rows(query) if query is not None else FOUND.plot(query=query),
        lambda: FOUND.plot(query=query),
    ):
        with pytest.raises(OptionError, match="a query is asked for by its number"):
            asked()


def test_one_query_is_in_the_singular() -> None:
    assert "2 of 1 query," in repr(dataclasses.replace(FOUND, row=ROW[:1]))
