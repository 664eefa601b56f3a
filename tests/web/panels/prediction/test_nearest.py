"""Nearest changes are those of gw.counterfactuals, in the words and cells of the page."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction import _nearest
from glasswood.web.panels.prediction._nearest import nearest_asked
from glasswood.web.panels.prediction._section import build_prediction
from tests.web.cases import binary, numbers, several


@pytest.mark.parametrize("case", [binary, several, numbers])
def test_they_are_the_counterfactuals_of_python_and_change_the_answer(case) -> None:
    model, X, y = case()
    data = build_prediction(Subject("", model, X, y, n_examples=4))
    said = gw.read(model).predict(X).reshape(len(X), -1)
    assert data["unsearched"] == ""
    assert any(row["nearest"]["changes"] for row in data["rows"])
    for row in data["rows"]:
        target = wanted(said, row["row"], sorted(set(y.tolist())) if case is not numbers else None)
        found = gw.counterfactuals(model, X.iloc[[row["row"]]], target, X=X, max_nodes=80)
        near = row["nearest"]
        assert near["status"] == found.status
        assert [change["feature"] for change in near["changes"]] == (list(found.changes[0]) if found.rows else [])
        assert ("proven" in near["sentence"]) == (found.status != "undecided")


def wanted(said: np.ndarray, row: int, classes: list | None) -> object:
    if classes is None:
        low, middle, high = np.quantile(said[:, 0], [0.25, 0.5, 0.75], method="nearest")
        return (high, None) if said[row, 0] <= middle else (None, low)
    shares = np.array([1 - said[row, 0], said[row, 0]]) if said.shape[1] == 1 else said[row]
    return classes[int(np.argsort(-shares, kind="stable")[1])]


def test_the_new_value_is_said_by_the_threshold_it_passes() -> None:
    X = pd.DataFrame({"age": [20.5, 30.5, 40.5, 50.5], "when": pd.to_datetime(["2020-01-01"] * 2 + ["2020-01-03"] * 2)})
    tree = gw.TreeClassifier().fit(X[["age"]], [0, 0, 1, 1])
    near = nearest_asked(Subject("", tree, X[["age"]]), 0)
    assert near["changes"][0] | {"cell": 1} == near["changes"][0]
    assert near["changes"][0]["from"] == "20.5" and near["changes"][0]["to"] == "above 35.5"
    assert near["sentence"] == "For class 1, 1 value must change. No smaller change does it: proven."
    dated = gw.TreeClassifier().fit(X[["when"]], [0, 0, 1, 1])
    near = nearest_asked(Subject("", dated, X[["when"]]), 3)
    assert near["changes"][0]["from"] == "2020-01-03" and near["changes"][0]["to"] == "until 2020-01-02"


def test_what_is_not_searched_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(
        _nearest, "_WORK", 8 * 19 * (200 * len(X.columns) + np.count_nonzero(gw.read(model).feature < 0))
    )
    data = build_prediction(Subject("", model, X, y, n_examples=20))
    assert sum(row["nearest"] is not None for row in data["rows"]) == 8
    assert data["unsearched"] == "The page has the nearest change of 8 of these 20 rows."
    monkeypatch.setattr(_nearest, "_MAX_LEAVES", 1)
    data = build_prediction(Subject("", model, X, y, n_examples=3))
    assert all(row["nearest"] is None for row in data["rows"])
    assert "leaves" in data["unsearched"]
    several_numbers = gw.read(gw.TreeRegressor().fit(X[["fare"]], y == "no"))
    assert nearest_asked(Subject("", several_numbers, X[["fare"]]), 0)["sentence"]


def test_no_change_may_be_enough_and_that_is_proved() -> None:
    X = np.arange(20.0)[:, None]
    flat = gw.TreeClassifier(max_depth=1).fit(X, np.arange(20) % 2)
    forest = gw.read(flat)
    near = nearest_asked(Subject("", forest, X), 0)
    assert near["status"] in ("proven", "impossible")
    with pytest.raises(gw.OptionError, match="no row 20"):
        nearest_asked(Subject("", forest, X), 20)
