"""Two models beside each other: the numbers of the page are those of gw.compare and gw.effects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.explain.compare import _compare
from glasswood.explain.rules import find_rules
from glasswood.web.page._document import to_json
from glasswood.web.page._text import number, signed
from glasswood.web.panels import _comparison
from glasswood.web.panels._comparison import COMPARISON, build_comparison
from glasswood.web.panels._subject import OtherModel, Subject
from tests.browser.hard_tables import thousand_levels
from tests.web.cases import binary, passengers, several, target


def two() -> tuple[Any, Any, pd.DataFrame, np.ndarray[Any, Any]]:
    X = passengers(300)
    y = target(X)
    first = gw.BoostingRegressor(n_estimators=10, max_depth=3).fit(X, y)
    return first, gw.BoostingRegressor(n_estimators=4, max_depth=2).fit(X[["age", "fare"]], y), X, y


def test_numbers_are_those_of_the_comparison() -> None:
    first, second, X, y = two()
    found = gw.compare(first, second, X, y)
    data = build_comparison(Subject("", first, X, y, other=OtherModel(second, X)))
    words = " ".join(data["words"][0])
    assert f"correlate {number(float(found.correlation[0]), 3)}" in words
    assert f"Mean squared error: {number(found.loss.first)} for this model, {number(found.loss.second)}" in words
    assert f"Difference: {signed(found.loss.difference)} ±" in words
    assert [line["row"] for line in data["rows"]["lines"]] == [f"row {row}" for row in found.rows]
    assert data["rows"]["lines"][0]["difference"] == [signed(float(found.row_raw[0, 0, 0] - found.row_raw[1, 0, 0]))]
    sd = {item["feature"]: item["sd"] for item in data["importance"][0]}
    own, other = (
        dict(zip(fx.features, fx.sd, strict=True))
        for fx in (gw.effects(first, X).importance(), gw.effects(second, X[["age", "fare"]]).importance())
    )
    assert sd["age"][:2] == pytest.approx([own["age"], other["age"]], rel=1e-5)
    assert sd["port"][1] == 0.0
    to_json(data)


def test_a_feature_that_one_model_lacks_has_one_curve() -> None:
    first, second, X, y = two()
    data = build_comparison(Subject("", first, X, y, other=OtherModel(second, X)))
    curves = {curve["name"]: curve["models"] for curve in data["curves"]}
    assert curves["port"][0] is not None and curves["port"][1] is None
    age = gw.effects(second, X[["age", "fare"]])["age"]
    assert curves["age"][1]["effect"][0] == pytest.approx(age.effect, rel=1e-5)


def test_a_model_compared_with_itself_differs_nowhere() -> None:
    model, X, y = binary(200)
    data = build_comparison(Subject("", model, X, y, other=OtherModel(model, X)))
    assert data["rules"] == [[]] and "too close to call" in data["words"][0][-1]
    assert "The predicted class differs for 0.0 % of the rows." in data["words"][0]


def test_outputs_are_compared_by_their_names() -> None:
    model, X, y = several()
    other = gw.ForestClassifier(3, max_depth=2, random_state=1).fit(X, y)
    data = build_comparison(Subject("", model, X, y, other=OtherModel(other, X)))
    assert data["outputs"] == ["0", "1", "2"] and len(data["words"]) == len(data["importance"]) == 3
    assert len(data["rules"]) == 3


def test_a_report_takes_the_columns_of_both_models() -> None:
    first, second, X, y = two()
    page = gw.report(second, X, y, other=first, panels=["comparison"])
    assert [section.kind for section in page.sections] == ["comparison"]
    assert page.sections[0].data["curves"][0]["models"][1] is not None


def test_only_a_page_about_two_models_has_the_panel() -> None:
    model, X, y = binary(100)
    assert COMPARISON.section(Subject("", model, X, y)) is None


def test_rules_say_where_the_models_differ_more_than_elsewhere() -> None:
    model, other, X, y = thousand_levels()
    data = build_comparison(Subject("", model, X, y, other=OtherModel(other, X)))
    moved = (gw.read(model).predict_raw(X) - gw.read(other).predict_raw(X)).ravel()
    (rules,) = data["rules"]
    sizes = [abs(float(rule["inside"].replace("−", "-"))) for rule in rules]
    assert sizes == sorted(sizes, reverse=True)
    for rule, size in zip(rules, sizes, strict=True):
        assert size > abs(float(rule["outside"].replace("−", "-")))
        n = int(rule["rows"].split()[0].replace(",", ""))
        assert 20 <= n <= len(X) - 20
        assert size <= np.abs(moved).max() * 1.01


def test_rules_are_searched_once_per_output(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = several()
    other = gw.ForestClassifier(3, max_depth=2, random_state=1).fit(X, y)
    searched: list[str] = []

    def counted(change: Any, *given: Any, **options: Any) -> Any:
        searched.extend(change.outputs)
        return find_rules(change, *given, **options)

    for module in (_comparison, _compare):
        monkeypatch.setattr(module, "find_rules", counted)
    build_comparison(Subject("", model, X, y, other=OtherModel(other, X)))
    assert searched == ["0", "1", "2"]


def test_every_output_has_rules_of_its_own() -> None:
    X = pd.DataFrame({"a": np.arange(300.0), "b": np.arange(300.0) % 17})
    y = np.where(X["a"] > 200, "high", np.where(X["b"] > 8, "odd", "even"))
    model, other = (gw.BoostingClassifier(n_estimators=n, max_depth=2).fit(X, y) for n in (8, 1))
    data = build_comparison(Subject("", model, X, y, other=OtherModel(other, X)))
    texts = [[rule["sentence"] for rule in rules] for rules in data["rules"]]
    assert sum(map(bool, texts)) >= 2 and len({tuple(text) for text in texts if text}) == sum(map(bool, texts))
    moved = gw.read(model).predict_raw(X) - gw.read(other).predict_raw(X)
    for o, rules in enumerate(data["rules"]):
        for rule in rules:
            held = X.eval(rule["sentence"].replace("−", "-")).to_numpy()
            assert rule["inside"] == signed(float(moved[held, o].mean()))
            assert rule["outside"] == signed(float(moved[~held, o].mean()))
            assert rule["rows"] == f"{held.sum()} rows"
