"""Attributions: rows, frames, groups and other forms."""

import json
import sys
import types
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.errors import MissingDependencyError, OptionError
from tests.results.attribution_cases import CLASSES, FRAME, REGRESSION, SOME, TWO_CLASSES


def test_a_row_is_asked_for_by_its_number() -> None:
    row = REGRESSION[-1]
    assert row.row == 119 and len(REGRESSION) == 120
    np.testing.assert_array_equal(row.values, REGRESSION.values[119])
    np.testing.assert_array_equal(REGRESSION.row(3).values, REGRESSION[3].values)
    for wrong in (120, -121, "3", True):
        with pytest.raises(OptionError):
            REGRESSION[wrong]
    assert [row.row for row in REGRESSION] == list(range(120))


def test_importance_is_the_mean_size() -> None:
    found = REGRESSION.importance()
    size = np.abs(REGRESSION.values).mean(axis=0)
    assert found.features == tuple(np.array(REGRESSION.names)[np.argsort(-size, kind="stable")])
    np.testing.assert_allclose(found.mean_abs, np.sort(size)[::-1])
    np.testing.assert_allclose(found.sd[0], REGRESSION.values[:, np.argmax(size)].std())
    assert CLASSES.importance().mean_abs.shape == (4, 3) and found.of == "attribution"
    assert "mean |attribution|" in found._repr_html_()


def test_the_frame_has_a_column_per_feature() -> None:
    frame = REGRESSION.to_frame()
    assert list(frame.columns) == ["row", "size", "wood", "age", "idle", "baseline", "raw"]
    total = frame[["size", "wood", "age", "idle", "baseline"]].sum(axis=1)
    np.testing.assert_allclose(total, frame["raw"], rtol=0, atol=1e-12)
    long = CLASSES.to_frame("polars")
    assert long.shape == (360, 8) and long["row"].to_list() == list(range(120)) * 3
    assert long["output"].to_list()[::120] == list(CLASSES.outputs)
    np.testing.assert_array_equal(long["wood"].to_numpy()[120:240], CLASSES.values[:, 1, 1])


def test_names_of_features_do_not_clash_with_the_frame() -> None:
    odd = replace(REGRESSION, names=("raw", "row", "baseline", "1 other feature"), n_rest=1)
    own = ["raw", "row", "baseline", "1 other feature"]
    assert list(odd.to_frame().columns) == ["row_", *own, "1 other feature_", "baseline_", "raw_"]


def test_a_frame_keeps_the_index_of_the_table() -> None:
    index = pd.MultiIndex.from_product([["a", "b"], range(60)], names=["street", "house"])
    called = replace(CLASSES, rows=replace(CLASSES.rows, table=FRAME.set_axis(index)))
    frame = called.to_frame()
    assert frame.index.names == ["street", "house"] and frame.index[121] == ("a", 1)
    np.testing.assert_array_equal(frame.loc[("b", 59), "wood"], CLASSES.values[119, 1])
    assert list(called.to_frame("pyarrow").column_names) == list(frame.columns)


def test_features_that_were_not_kept_are_one_part_more() -> None:
    assert SOME.n_rest == 2 and not REGRESSION.rest.any()
    np.testing.assert_allclose(SOME.rest, CLASSES.values[:, [2, 3]].sum(axis=1), rtol=0, atol=1e-15)
    frame = SOME.to_frame()
    parts = ["wood", "size", "2 other features", "baseline"]
    np.testing.assert_allclose(frame[parts].sum(axis=1), frame["raw"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(SOME.to_numpy(bias=True).sum(axis=1), SOME.raw, rtol=0, atol=1e-12)
    grouped = SOME.grouped({"both": ["wood", "size"]})
    np.testing.assert_allclose(grouped.values[:, 0] + grouped.rest + grouped.baseline, SOME.raw, rtol=0, atol=1e-12)
    document = SOME.to_dict()
    np.testing.assert_array_equal(document["rest"], SOME.rest)
    assert document["n_rest"] == 2 and "2 features and 2 other features as one" in repr(SOME)
    with pytest.raises(OptionError, match="features= kept only some"):
        SOME.grouped({"g": ["age"]})


def test_what_adds_up_cannot_be_changed() -> None:
    for found in (REGRESSION, SOME, REGRESSION.grouped({"both": ["age", "size"]})):
        arrays = (found.values, found.rest, found.raw, found.baseline, found.prediction, found.interactions)
        assert not any(array.flags.writeable for array in arrays if array is not None)
    with pytest.raises(ValueError, match="read-only"):
        REGRESSION.values[0, 0] = 1.0


def test_the_baseline_may_be_the_last_column() -> None:
    found = REGRESSION.to_numpy(bias=True)
    np.testing.assert_allclose(found.sum(axis=1), REGRESSION.raw, rtol=0, atol=1e-12)
    assert REGRESSION.to_numpy() is REGRESSION.values
    several = CLASSES.to_numpy(bias=True)
    assert several.shape == (120, 5, 3)
    np.testing.assert_array_equal(several[7, -1], CLASSES.baseline)


def test_documents_are_json_ready() -> None:
    for found in (REGRESSION, CLASSES, TWO_CLASSES):
        document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        np.testing.assert_array_equal(document["values"], found.values)
        assert document["method"] == found.method and document["features"] == list(found.names)
        assert (document["interactions"] is None) == (found.interactions is None)


def test_groups_are_sums() -> None:
    found = REGRESSION.grouped({"both": ["age", "size"]})
    assert found.names == ("both", "wood", "idle")
    np.testing.assert_allclose(found.values[:, 0], REGRESSION.values[:, 0] + REGRESSION.values[:, 2], rtol=1e-15)
    np.testing.assert_array_equal(found.values[:, 1:], REGRESSION.values[:, [1, 3]])
    assert found.interactions is not None and REGRESSION.interactions is not None
    np.testing.assert_allclose(found.interactions.sum(axis=2), found.values, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.interactions, found.interactions.swapaxes(1, 2))
    pair = REGRESSION.interactions[:, [0, 2], 1].sum(axis=1)
    np.testing.assert_allclose(found.interactions[:, 0, 1], pair, rtol=1e-14, atol=1e-15)
    several = CLASSES.grouped({"both": [0, "idle"]})
    np.testing.assert_allclose(several.values.sum(axis=1), CLASSES.values.sum(axis=1), rtol=0, atol=1e-14)
    assert several[3].texts[0] == ""


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"a": ["nobody"]}, "group 'a': the model has no feature 'nobody'"),
        ({"a": ["size"], "b": ["size"]}, "'size' is in two groups, 'a' and 'b'"),
        ({"a": "size"}, "group 'a' must list features"),
        ({"a": []}, "group 'a' must list features"),
        ({"a": None}, "group 'a' must list features"),
        ({"a": 3}, "group 'a' must list features"),
        ({"a": ["size", 0]}, "group 'a' names feature 'size' twice"),
        ({3: ["size", "age"]}, "the name of a group must be text, got 3"),
        (["size", "age"], "groups must map the name of each group to its features"),
        ({"wood": ["size", "age"]}, "has the name of a feature outside it"),
    ],
)
def test_invalid_groups_are_refused(groups: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        REGRESSION.grouped(groups)


def test_shap_gets_what_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = types.ModuleType("shap")
    fake.Explanation = lambda **parts: parts  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "shap", fake)
    made = REGRESSION.to_shap()
    np.testing.assert_array_equal(made["values"], REGRESSION.values)
    assert made["values"].flags.writeable and made["feature_names"] == list(REGRESSION.names)
    np.testing.assert_array_equal(made["base_values"], np.full(120, REGRESSION.baseline[0]))
    np.testing.assert_array_equal(made["data"][:, 0], FRAME["size"])
    np.testing.assert_array_equal(made["data"][:, 1], FRAME["wood"].cat.codes)
    assert made["display_data"][:, 1].tolist() == FRAME["wood"].tolist() and made["output_names"] is None
    several = CLASSES.to_shap()
    assert several["base_values"].shape == (120, 3) and several["output_names"] == list(CLASSES.outputs)
    some = SOME.to_shap()
    assert some["feature_names"] == ["wood", "size", "2 other features"] and some["data"].shape == (120, 3)
    np.testing.assert_allclose(some["values"].sum(axis=1) + some["base_values"], SOME.raw, rtol=0, atol=1e-12)


def test_without_shap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(MissingDependencyError, match="pip install shap"):
        REGRESSION.to_shap()


def test_it_describes_itself() -> None:
    assert repr(REGRESSION) == (
        "<Attributions of 120 rows, 4 features (interventional over 120 rows), with interactions>"
    )
    assert repr(TWO_CLASSES) == "<Attributions of 120 rows, 4 features (path, nodes weighed by weights)>"
    one = gw.attributions(gw.TreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0]), [[0.0]], background=[[1.0]])
    assert repr(one) == "<Attributions of 1 row, 1 feature (interventional over 1 row)>"
    assert "2 other features as one" in SOME._repr_html_()
    assert "Attributions of 120 rows" in CLASSES._repr_html_() and "<script" not in CLASSES._repr_html_()


def test_unknown_links_have_no_prediction() -> None:
    from glasswood.ensemble import NO_LINK
    from tests.explain.attributions import vectors

    bare = replace(vectors.two_numbers(), link=NO_LINK)
    found = gw.attributions(bare, vectors.TWO_NUMBERS_ROWS)
    assert (
        found.prediction is None and found.to_dict()["prediction"] is None and found[0].to_dict()["prediction"] is None
    )
