"""Bounds as a frame, a document and a picture."""

import json

import pandas as pd
import pytest

import glasswood as gw


@pytest.fixture(scope="module")
def found() -> gw.Bounds:
    X = pd.DataFrame({"bound": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(list("xyxy"))})
    return gw.bounds(gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 2.0, 5.0, 9.0]))


def test_a_frame_has_both_ends_and_their_rows(found: gw.Bounds) -> None:
    frame = found.to_frame("pandas")
    assert frame.columns.tolist() == ["output", "end", "bound", "found", "feature bound", "k"]
    assert frame["bound"].tolist() == frame["found"].tolist() == [1.0, 9.0]


def test_a_document_is_json(found: gw.Bounds) -> None:
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["proven"] is True and document["high"] == [9.0] and set(document["row_low"][0]) == {"bound", "k"}


def test_pictures_and_words(found: gw.Bounds) -> None:
    assert found.plot().get_xlabel() == "raw"
    assert repr(found).startswith("<Bounds of raw, proven: ")
    assert "proven" in found._repr_html_()
