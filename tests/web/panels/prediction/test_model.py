"""Trees in whole numbers send every row to the same leaf as the model."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.ensemble import align
from glasswood.web.panels.prediction import _model
from glasswood.web.panels.prediction._model import cells_of, features_to_dict, model_to_dict
from glasswood.web.panels.tree._plane import plane_of
from tests.web.cases import binary, numbers, several


def walked(model: dict[str, Any], cells: list[int]) -> list[float]:
    """Raw prediction for a row of cells, computed like the page."""
    inner, leaf, raw = {}, {}, list(model["baseline"])
    for node, feature in enumerate(model["feature"]):
        (inner if feature >= 0 else leaf)[node] = len(inner if feature >= 0 else leaf)
    for tree, start in enumerate(model["start"][:-1]):
        node = start
        while node in inner:
            k, cell = inner[node], cells[model["feature"][node]]
            levels = model["levels"].get(str(node))
            left = cell in levels if levels is not None else cell <= model["cut"][k]
            first = model["left"][k] if model["left"] else 1
            node += first if (model["missing"][k] == "1" if cell < 0 else left) else model["right"][k]
        for w in range(model["width"]):
            raw[model["output"][tree] + w] += model["value"][leaf[node] * model["width"] + w]
    return raw


@pytest.mark.parametrize("case", [binary, numbers, several])
def test_the_model_of_the_page_predicts_like_the_model(case) -> None:
    fitted, X, _ = case()
    ensemble = gw.read(fitted)
    plane = plane_of([ensemble])
    model = model_to_dict(ensemble, plane)
    assert model is not None
    cells = cells_of(plane, ensemble, align(X, ensemble.features))
    said = np.array([walked(model, row) for row in cells[:60].tolist()])
    expected = ensemble.predict_raw(X[:60]).reshape(60, -1)
    np.testing.assert_allclose(said, expected, rtol=1e-12, atol=1e-12)


def test_cells_are_described_by_the_thresholds_around_them() -> None:
    X = np.arange(10.0)[:, None]
    ensemble = gw.read(gw.TreeRegressor(max_depth=2).fit(X, np.digitize(X[:, 0], [5, 8])))
    plane = plane_of([ensemble])
    found = features_to_dict(plane, ensemble, np.array([False]))
    assert found == [{"name": "x0", "kind": "number", "edges": ["4.5", "7.5"], "cuts": [4.5, 7.5], "missing": False}]


def test_a_model_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted, _, _ = numbers()
    ensemble = gw.read(fitted)
    monkeypatch.setattr(_model, "MAX_NODES", 10)
    assert model_to_dict(ensemble, plane_of([ensemble])) is None
