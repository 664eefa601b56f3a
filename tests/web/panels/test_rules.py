"""Cards show the numbers of the rules, and the steps of the slider count like p0."""

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.data import load_titanic
from glasswood.explain.rules import pick_rules
from glasswood.web.page._text import percent
from glasswood.web.panels import _rules
from glasswood.web.panels._rules import build_rules, rules_data
from glasswood.web.panels._subject import Subject
from tests.web.cases import binary, numbers, several


def test_a_card_says_what_the_rule_says() -> None:
    model, X, y = binary()
    found = gw.rules(model, X, y)
    data = rules_data(found)
    for card, rule in zip(data["rules"], found.rules, strict=True):
        assert card["sentence"] == "If " + rule.to_text()
        assert card["inside"][0]["text"] == percent(rule.inside[0])
        assert card["outside"][0]["value"] == pytest.approx(rule.outside[0], rel=1e-5)
        assert card["sql"] == rule.to_sql()
        assert card["coefficient"] is None
    assert data["scale"] == [{"low": 0.0, "high": 1.0}]
    assert data["sql"] == found.to_sql()


@pytest.mark.parametrize("case", [binary, several])
def test_a_step_keeps_as_many_rules_as_p0_does(case) -> None:
    model, X, y = case()
    found = gw.rules(model, X, y)
    steps = rules_data(found)["steps"]
    assert steps[0]["count"] == len(found)
    assert steps[-1]["count"] == 0
    for step in steps[:-1:4]:
        again = gw.rules(model, X, y, p0=min(rule.frequency for rule in found.rules[: step["count"]]) - 1e-9)
        assert len(again) >= step["count"]
        assert [rule.to_text() for rule in again.rules[: step["count"]]] == [
            rule.to_text() for rule in found.rules[: step["count"]]
        ]


def test_regression_has_coefficients_and_a_scale_of_its_own() -> None:
    model, X, y = numbers()
    found = gw.rules(model, X, y)
    data = rules_data(found)
    assert data["task"] == "regression"
    assert all(card["coefficient"] for card in data["rules"])
    values = [part["value"] for card in data["rules"] for part in (*card["inside"], *card["outside"])]
    assert data["scale"][0]["low"] <= min(values) <= max(values) <= data["scale"][0]["high"]


def test_several_classes_have_a_number_each() -> None:
    model, X, y = several()
    data = rules_data(gw.rules(model, X, y))
    assert data["outputs"] == ["0", "1", "2"]
    for card in data["rules"]:
        assert sum(part["value"] for part in card["inside"]) == pytest.approx(1, abs=1e-4)


def test_an_empty_list_says_so() -> None:
    X = np.arange(10.0)[:, None]
    constant = gw.TreeRegressor().fit(X, np.zeros(10))
    with pytest.warns(gw.GlasswoodWarning):
        found = gw.rules(constant, X, np.arange(10.0))
    data = rules_data(found)
    assert data["rules"] == []
    assert "empty" in data["note"]


def test_shown_rules_are_picked_with_their_interval_and_a_verdict() -> None:
    model, X, y = numbers()
    found = gw.rules(model, X, y)
    picked = pick_rules(found, found.explain(X).fired, y, None)
    for reproduced, said in (
        (0.95, "close to the model"),
        (0.6, "a rough sketch"),
        (-3.0, "reproduce 0 %"),
        (None, ""),
    ):
        data = rules_data(found, picked, reproduced)
        assert said in data["verdict"] if said else data["verdict"] == ""
    assert len(data["rules"]) == len(picked) < len(found) == data["all"]
    assert f"{len(picked)} of {len(found)} rules are shown" in data["note"]
    assert all("95 %" in card["difference"][0] for card in data["rules"])
    assert "holds for enough rows" in rules_data(found, [])["note"]


def test_the_page_leaves_out_a_rule_of_one_row() -> None:
    data = build_rules(Subject("", *titanic()))
    assert data["verdict"] and 1 <= len(data["rules"]) <= 8
    assert not any("fare is missing" in card["sentence"] for card in data["rules"])


def titanic() -> tuple[gw.Ensemble, pd.DataFrame, pd.Series]:
    frame = load_titanic("pandas")
    X = frame[["pclass", "sex", "age", "fare"]]
    model = gw.BoostingClassifier(n_estimators=40, max_depth=3).fit(X, frame["survived"])
    return model.ensemble_, X, frame["survived"]


def test_rules_need_a_target() -> None:
    model, X, _ = binary()
    with pytest.raises(gw.OptionError, match="pass y"):
        build_rules(Subject("", model, X))


def test_long_tables_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_rules, "_MAX_RULE_ROWS", 100)
    assert build_rules(Subject("", model, X, y))["rules"]


def test_a_long_list_of_levels_is_cut_in_words_but_not_in_code() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 60, 3000)
    X = pd.DataFrame({"code": pd.Categorical([f"c{k:02d}" for k in codes]), "x": rng.normal(size=3000)})
    found = gw.rules(gw.ForestRegressor(10, max_depth=2, random_state=0).fit(X, codes % 2), X, codes % 2)
    cards = [card for card in rules_data(found)["rules"] if "code in" in card["sentence"]]
    assert cards and all(card["sentence"].count("c") < 14 and " more}" in card["sentence"] for card in cards)
    assert max(card["sql"].count("'c") for card in cards) > 20
