"""The panel shows the attributions computed in Python, for the same rows as the examples."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.web.panels._examples import build_examples
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction import _section
from glasswood.web.panels.prediction._section import build_prediction
from tests.web.cases import binary, numbers, several


@pytest.mark.parametrize("case", [binary, numbers, several])
def test_parts_are_the_attributions_and_add_up(case) -> None:
    model, X, y = case()
    data = build_prediction(Subject("", model, X, y, n_examples=5))
    some = np.linspace(0, len(X) - 1, 100).astype(int)
    rows = [row["row"] for row in data["rows"]]
    at = gw.attributions(model, X.iloc[rows], background=X.iloc[some])
    names = [feature["name"] for feature in data["features"]]
    for q, row in enumerate(data["rows"]):
        parts = np.array(row["parts"])
        expected = at.values[q].reshape(len(at.names), -1)[[at.names.index(name) for name in names]]
        np.testing.assert_allclose(parts.T, expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(parts.sum(axis=1) + data["base"], row["raw"], rtol=1e-9, atol=1e-12)
    assert data["model"] is not None and data["refusal"] == ""


def test_the_rows_are_those_of_the_examples() -> None:
    model, X, y = binary()
    subject = Subject("", model, X, y, n_examples=6)
    queries = build_examples(subject)["queries"]
    assert [row["row"] for row in build_prediction(subject)["rows"]] == [query["row"] for query in queries]


def test_rules_that_hold_for_a_row_are_those_that_fire() -> None:
    model, X, y = binary()
    data = build_prediction(Subject("", model, X, y, n_examples=8))
    found = gw.rules(model, X, y)
    texts = [rule.to_text() for rule in found]
    fired = found.explain(X.iloc[[row["row"] for row in data["rows"]]]).fired
    assert data["rules"]
    for q, row in enumerate(data["rows"]):
        assert row["rules"] == [k for k, text in enumerate(data["rules"]) if fired[q, texts.index(text)]]
    without = build_prediction(Subject("", model, X, n_examples=2))
    assert without["rules"] == [] and without["rows"][0]["target"] is None


def test_a_model_that_does_not_fit_is_explained_without_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = numbers()
    monkeypatch.setattr(_section, "_MODEL_BYTES", 1000)
    data = build_prediction(Subject("", model, X, y, max_tree_bytes=1))
    assert data["model"] is None and "do not fit the page. glasswood app, " in data["refusal"]
    assert data["rows"][0]["parts"]


def test_no_row_is_shown_if_none_may_be_shown() -> None:
    model, X, y = numbers()
    with pytest.raises(gw.OptionError, match="n_examples=0"):
        build_prediction(Subject("", model, X, y, n_examples=0))


def test_weights_of_rows_count_in_the_average() -> None:
    model, X, y = numbers(80)
    weight = np.where(X["fare"] > 20, 3.0, 0.0)
    data = build_prediction(Subject("", model, X, y, weight, n_examples=3))
    np.testing.assert_allclose(data["base"], model.predict(X[weight > 0]).mean(), rtol=1e-9)
