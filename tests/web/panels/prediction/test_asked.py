"""Answers for changed rows are those of the model, whatever its size; the trees are not in the page."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import ZERO, align
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction import _model
from glasswood.web.panels.prediction._asked import changed_answer, single_rows
from glasswood.web.panels.prediction._model import cells_of
from glasswood.web.panels.prediction._section import build_prediction
from glasswood.web.panels.tree._plane import plane_of
from tests.web.cases import HOSTILE, binary, numbers, several


def changes_between(ensemble: gw.Ensemble, old: pd.DataFrame, new: pd.DataFrame) -> str:
    """The cells in which two rows differ, as the page writes them."""
    plane = plane_of([ensemble])
    before, after = (cells_of(plane, ensemble, align(rows, ensemble.features))[0] for rows in (old, new))
    return "_".join(f"{k}.{after[k]}" for k in np.flatnonzero(before != after).tolist())


@pytest.mark.parametrize("case", [binary, numbers, several])
def test_a_changed_row_is_answered_as_by_python(case) -> None:
    model, X, y = case()
    ensemble = gw.read(model)
    row = X.iloc[[17]]
    changed = [row, row.assign(age=np.nan), row.assign(age=44.0, fare=200.0), row.assign(port="Q")]
    changed.append(row.assign(**{HOSTILE: "a level that is new"}))
    background = X.iloc[np.linspace(0, len(X) - 1, 100).astype(int)]
    for other in changed:
        found = changed_answer(Subject("", model, X, y), 17, changes_between(ensemble, row, other))
        at = gw.attributions(model, other, background=background)
        names = [ensemble.feature_names[f] for f in plane_of([ensemble]).features]
        np.testing.assert_allclose(found["raw"], np.atleast_1d(at.raw[0]), rtol=1e-12, atol=1e-12)
        expected = at.values[0].reshape(len(at.names), -1)[[at.names.index(name) for name in names]].T
        np.testing.assert_allclose(found["parts"], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", [binary, several])
def test_single_rows_are_those_of_the_rows_with_other_values(case) -> None:
    model, X, y = case()
    subject = Subject("", model, X, y, n_examples=4)
    rows = [row["row"] for row in build_prediction(subject)["rows"]]
    cuts = plane_of([gw.read(model)]).cuts[1]
    found = np.array(single_rows(subject, "fare", f"-1_0_{len(cuts)}")["raw"])
    for k, value in enumerate((np.nan, float(cuts[0]), float(cuts[-1]) + 1)):
        expected = gw.read(model).predict_raw(X.iloc[rows].assign(fare=value)).reshape(len(rows), -1)
        np.testing.assert_array_equal(found[:, k], expected)


def test_a_value_beside_zero_stands_for_its_cell_where_zero_is_missing() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.choice([-2.0, -1.0, 0.0, 1.0, 2.0], 600)})
    y = X["a"].abs() + (X["a"] > 0)
    options = {"zero_as_missing": True, "verbose": -1, "min_data_in_leaf": 1, "num_leaves": 6, "seed": 0}
    booster = lightgbm.train(options, lightgbm.Dataset(X, y), 3)
    ensemble = gw.read(booster)
    assert ensemble.features.zero_is_missing[0]
    subject = Subject("", booster, X, y)
    for value in (-2.0, -1.0, 1.0, 2.0, 2 * ZERO, np.nan):
        other = pd.DataFrame({"a": [value]})
        cell = cells_of(plane_of([ensemble]), ensemble, align(other, ensemble.features))[0, 0]
        row = int(np.flatnonzero(X["a"] == (1.0 if value != 1.0 else 2.0))[0])
        found = changed_answer(subject, row, f"0.{cell}")["raw"]
        np.testing.assert_allclose(found, ensemble.predict_raw(other).ravel(), rtol=1e-12)


def test_the_app_has_controls_for_a_model_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_model, "MAX_NODES", 10)
    app = build_prediction(Subject("", model, X, y, n_examples=3))
    assert app["model"] is None and app["background"] is None and app["refusal"] == ""
    assert app["features"][0]["edges"] and len(app["rows"][0]["cells"]) == len(app["features"])
    report = build_prediction(Subject("", model, X, y, n_examples=3, max_tree_bytes=1_000_000))
    assert report["model"] is None and "glasswood app" in report["refusal"]


@pytest.mark.parametrize("changes", ["9.0", "0.-2", "0.99999", "0", "x.1", "0.1_", "0.²", "1e3.0"])
def test_what_does_not_exist_is_refused(changes: str) -> None:
    model, X, y = binary()
    with pytest.raises(gw.OptionError, match="is a whole number from"):
        changed_answer(Subject("", model, X, y), 0, changes)


def test_rows_and_features_that_do_not_exist_are_refused() -> None:
    model, X, y = binary()
    with pytest.raises(gw.OptionError, match="no row 400"):
        changed_answer(Subject("", model, X, y), 400, "")
    with pytest.raises(gw.OptionError, match="no tree of the model asks"):
        single_rows(Subject("", model, X, y), "height", "0")
    with pytest.raises(gw.OptionError, match="at most 1,000 cells"):
        single_rows(Subject("", model, X, y), "fare", "_".join(["0"] * 1001))
    with pytest.raises(gw.OptionError, match="n_examples=0"):
        changed_answer(Subject("", model, X, y, n_examples=0), 0, "")
