"""A RuleSet predicts, explains, and is equivalent in every form."""

import copy
import json
import pickle
import sqlite3
from contextlib import closing
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import glasswood as gw
from glasswood.errors import OptionError
from tests.explain.rule_cases import mixed, titanic


@pytest.fixture(scope="module")
def fitted() -> dict[str, tuple[gw.RuleSet, pd.DataFrame]]:
    X, y = titanic()
    M, number = mixed()
    F, species = load_iris(return_X_y=True, as_frame=True)
    return {
        "binary": (gw.SirusClassifier(200, max_rules=12, random_state=0).fit(X, y).rules_, X),
        "number": (gw.SirusRegressor(200, p0=0.0, max_depth=3, max_rules=40, random_state=0).fit(M, number).rules_, M),
        "classes": (gw.SirusClassifier(100, max_rules=8, random_state=0).fit(F, species).rules_, F),
    }


KINDS = ["binary", "number", "classes"]


@pytest.mark.parametrize("kind", KINDS)
def test_sql_predicts_the_same(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]], kind: str) -> None:
    rules, X = fitted[kind]
    with closing(sqlite3.connect(":memory:")) as engine:
        X.to_sql("t", engine, index=False)
        rows = engine.execute(f"SELECT {rules.to_sql()} FROM t").fetchall()
        one = engine.execute(f"SELECT {rules.to_sql(0)} FROM t").fetchall()
    prediction = rules.predict(X).reshape(len(X), -1)
    np.testing.assert_allclose(np.array(rows, dtype=float), prediction, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(np.array(one, dtype=float)[:, 0], prediction[:, 0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_parts_sum_to_the_prediction(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]], kind: str) -> None:
    rules, X = fitted[kind]
    explained = rules.explain(X)
    np.testing.assert_allclose(explained.prediction, rules.predict(X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(explained.baseline, rules.mean, rtol=1e-10)
    np.testing.assert_allclose(rules.combine(explained.fired), rules.predict(X).reshape(len(X), -1), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_reads_back(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]], kind: str) -> None:
    rules, X = fitted[kind]
    again = gw.RuleSet.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert np.array_equal(again.predict(X), rules.predict(X))
    assert again.to_text() == rules.to_text()
    with pytest.raises(OptionError, match="format"):
        gw.RuleSet.from_dict({"format": 99})


def test_a_frame_has_a_row_per_rule_and_output(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    frame = fitted["binary"][0].to_frame()
    assert list(frame.columns) == [
        *("rule", "conditions", "support", "inside", "outside", "frequency", "frequency_se", "coefficient")
    ]
    assert isinstance(frame, pd.DataFrame) and len(frame) == 12
    several = fitted["classes"][0].to_frame("polars")
    assert several.columns[-1] == "output" and len(several) == 24


def test_text_is_a_table_with_its_sources(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    lines = fitted["binary"][0].to_text().splitlines()
    assert lines[0].startswith("if ") and len({len(line) for line in lines[:-1]}) == 1
    assert "mean of the rules; AUC 0.8" in lines[-1] and "stability" in lines[-1]
    assert repr(fitted["binary"][0]) == fitted["binary"][0].to_text()


def test_pictures_and_html_show_every_rule(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    rules, X = fitted["number"]
    assert len(rules.plot().get_yticklabels()) == len(rules)
    assert rules._repr_html_().count("<tr>") == len(rules) + 1
    assert fitted["classes"][0].plot(output="1").get_xlabel() == "share of '1'"
    assert rules.explain(X[:2]).plot(row=1) is not None


def test_rules_are_a_model_like_any_other(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    rules, X = fitted["binary"]
    effects = gw.effects(rules.ensemble(), X)
    assert effects.importance().features[0] == "sex"
    assert rules[0] is rules.rules[0]


def test_a_list_without_rules_predicts_the_mean(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    X, y = mixed()
    with pytest.warns(gw.GlasswoodWarning, match="no path is in more than p0=0.99"):
        rules = gw.SirusRegressor(10, p0=0.99, random_state=0).fit(X, y).rules_
    np.testing.assert_allclose(rules.predict(X), y.mean())
    np.testing.assert_allclose(rules.explain(X).prediction, y.mean())
    assert rules.to_sql().startswith("(") and len(rules.to_frame()) == 0 and "no rule" in rules.to_text()


def test_a_document_keeps_levels_that_are_known_by_their_hash(tmp_path) -> None:
    from catboost import CatBoostClassifier

    X = titanic()[0][["sex", "age", "fare"]].astype({"sex": str})
    y = titanic()[1]
    model = CatBoostClassifier(iterations=10, depth=3, one_hot_max_size=10, verbose=False, allow_writing_files=False)
    model.fit(X, y, cat_features=["sex"]).save_model(tmp_path / "model.cbm")
    found = gw.rules(tmp_path / "model.cbm", X, y, max_rules=6)
    again = gw.RuleSet.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.features == found.features and again.to_text() == found.to_text()
    np.testing.assert_array_equal(again.predict(X), found.predict(X))


def test_hostile_names_and_levels_are_quoted_in_every_engine() -> None:
    import duckdb

    rng = np.random.default_rng(0)
    hostile = "a\"b'; DROP TABLE t;--"
    X = pd.DataFrame({hostile: rng.normal(size=300), "k": rng.choice(["it's", 'q"q', "é", "x;--"], 300)})
    X.loc[:20, hostile] = np.nan
    y = ((X[hostile] > 0) | (X["k"] == "it's")).astype(int)
    rules = gw.SirusClassifier(100, p0=0.0, max_rules=15, random_state=0).fit(X, y).rules_
    query = f"SELECT {rules.to_sql()} FROM t"
    with closing(sqlite3.connect(":memory:")) as engine:
        X.to_sql("t", engine, index=False)
        lite = engine.execute(query).fetchall()
    with closing(duckdb.connect()) as engine:
        engine.register("t", X)  # a pandas NaN becomes NULL
        duck = engine.execute(query).fetchall()
    for rows in (lite, duck):
        np.testing.assert_allclose(np.array(rows, dtype=float)[:, 0], rules.predict(X), atol=1e-12)


def test_text_rounds_where_the_frame_is_exact() -> None:
    X = np.random.default_rng(0).normal(size=(100, 1))
    rules = gw.SirusRegressor(30, max_rules=3, random_state=0).fit(X, X[:, 0]).rules_
    exact = rules.to_frame("pandas")["rule"][0]
    shown = rules[0].to_text()
    assert float(exact.split()[-1]) in X and len(shown) < len(exact)
    assert shown in rules.to_text() and exact not in rules.to_text()
    assert exact not in rules._repr_html_() and rules.to_dict()["rules"][0]["rule"] == exact


@pytest.mark.parametrize("kind", KINDS)
def test_copies_and_pickles_predict_the_same(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]], kind: str) -> None:
    rules, X = fitted[kind]
    expected = rules.predict(X)
    for other in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert np.array_equal(other.predict(X), expected)
        assert other.ensemble() is not rules.ensemble()


def test_the_state_that_release_0_1_pickled_is_taken(fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]]) -> None:
    rules, X = fitted["binary"]
    other = gw.RuleSet.__new__(gw.RuleSet)
    other.__setstate__([getattr(rules, field.name) for field in fields(rules) if field.init])
    assert np.array_equal(other.predict(X), rules.predict(X))


def test_what_the_trees_were_made_of_cannot_be_overwritten(
    fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]],
) -> None:
    rules, _ = fitted["number"]
    for array in (rules.intercept, rules[0].inside, rules[0].outside):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": 3}, "not iterable"),
        ({"rules": [{}]}, "it lacks 'conditions'"),
        ({"rules": [3]}, "not subscriptable"),
        ({"features": {}}, "it lacks 'named'"),
        ({"outputs": []}, "outputs are"),
        ({"outputs": [1]}, "outputs are"),
        ({"intercept": "q"}, "could not convert"),
        ({"intercept": [1.0, 2.0]}, r"intercept has the shape \(2,\) for 1 outputs"),
        ({"mean": []}, r"mean has the shape \(0,\) for 1 outputs"),
        ({"task": "ranking"}, "task is 'ranking'"),
        ({"n_trees": "many"}, "invalid literal"),
        ({"score": "high"}, "could not convert"),
        ({"weight": None}, "float"),
    ],
)
def test_a_document_that_does_not_fit_says_where(
    fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]], change: dict[str, object], message: str
) -> None:
    document = json.loads(json.dumps(fitted["number"][0].to_dict()))
    with pytest.raises(OptionError, match=f"the document does not describe rules: .*{message}"):
        gw.RuleSet.from_dict(document | change)


def test_a_document_without_a_part_or_with_another_rule_says_where(
    fitted: dict[str, tuple[gw.RuleSet, pd.DataFrame]],
) -> None:
    document = json.loads(json.dumps(fitted["number"][0].to_dict()))
    for part in set(document) - {"format"}:
        with pytest.raises(OptionError, match=f"the document does not describe rules: it lacks '{part}'"):
            gw.RuleSet.from_dict({name: value for name, value in document.items() if name != part})
    rule = document["rules"][0]
    for key, value, message in (
        ("inside", [1.0, 2.0], r"inside of rule 0 has the shape \(2,\)"),
        ("conditions", [rule["conditions"][0] | {"feature": "zz"}], "a condition is on 'zz'"),
    ):
        with pytest.raises(OptionError, match=message):
            gw.RuleSet.from_dict(document | {"rules": [rule | {key: value}]})
    for wrong in (None, 3, "rules", [document]):
        with pytest.raises(OptionError, match="a rule set is read from a mapping that to_dict made"):
            gw.RuleSet.from_dict(wrong)
