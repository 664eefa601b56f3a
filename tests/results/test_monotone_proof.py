"""A proof as a frame, a document and a picture."""

import json

import numpy as np

import glasswood as gw

X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def test_a_frame_has_the_rows_that_show_it() -> None:
    tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 3.0, 4.0, 2.0])
    found = gw.monotone(tree, "x0")
    frame = found.to_frame("pandas")
    assert frame["shows"].tolist() == ["rises", "rises", "falls", "falls"]
    assert frame["raw"].tolist() == [0.0, 3.0, 4.0, 2.0]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["raw_fall"] == [4.0, 2.0]
    assert "rises with x0 in some rows and falls in others" in found._repr_html_()
    assert found.plot().get_xlabel() == "largest step of raw with x0"
    assert repr(found).startswith("<MonotoneProof neither: ")


def test_a_feature_that_does_nothing_has_no_rows() -> None:
    found = gw.monotone(gw.TreeRegressor(max_depth=2).fit(X, [0.0, 3.0, 0.0, 3.0]), "x1")
    assert found.verdict == "constant" and len(found.to_frame("pandas")) == 0
    assert found.to_dict()["rows_rise"] is None and found.largest_rise == found.largest_fall == 0.0
