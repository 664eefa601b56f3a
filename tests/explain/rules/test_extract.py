"""Rules from any ensemble: the same list for our own forest, and faithful lists for other libraries."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.explain.rules._extract import _predicted_classes
from tests.explain.rule_cases import mixed, titanic


def test_our_own_forest_gives_the_rules_of_sirus() -> None:
    X, y = titanic()
    sirus = gw.SirusClassifier(200, p0=0.02, random_state=0).fit(X, y)
    again = gw.rules(sirus.forest_, X, y, p0=0.02)
    assert again.to_frame().equals(sirus.rules_.to_frame())
    assert again.snapped_share == 0.0


def test_a_regression_list_is_the_same_too() -> None:
    X, y = mixed()
    sirus = gw.SirusRegressor(100, random_state=0).fit(X, y)
    again = gw.rules(sirus.forest_, X, y, p0=0.01, random_state=0)
    assert again.to_frame().equals(sirus.rules_.to_frame())
    assert again.fidelity is not None  # the mean of shallow trees is much smoother than its rules


def test_rules_of_a_random_forest_are_close_to_it() -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(60, random_state=0).fit(X, y)
    found = gw.rules(forest, X, y, max_rules=10)
    assert found.fidelity is not None and found.snapped_share is not None
    assert found.fidelity > 0.97 and found.score > 0.97
    assert 0 < found.snapped_share < 0.05
    assert len(found) == 10 and all(rule.n_conditions <= 2 for rule in found.rules)
    assert "against the model" in found.to_text()


def test_rules_of_boosted_trees_with_levels_and_gaps() -> None:
    X, y = titanic()
    X = X.astype({"sex": "category", "embarked": "category"})
    model = HistGradientBoostingClassifier(max_iter=40, categorical_features="from_dtype", random_state=0).fit(X, y)
    found = gw.rules(model, X, y, max_rules=15)
    assert any("sex in {" in rule.to_text() for rule in found.rules)
    assert found.fidelity is not None and found.fidelity > 0.9
    np.testing.assert_allclose(found.explain(X).prediction, found.predict(X), atol=1e-12)


def test_rules_of_several_classes() -> None:
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    forest = RandomForestClassifier(40, random_state=0).fit(X, names)
    found = gw.rules(forest, X, names, max_rules=10)
    assert found.outputs == ("setosa", "versicolor", "virginica")
    assert found.predict(X).shape == (150, 3)
    assert found.fidelity is not None and found.fidelity > 0.95


def test_rules_of_boosted_numbers() -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = GradientBoostingRegressor(n_estimators=60, random_state=0).fit(X, y)
    found = gw.rules(model, X, y)
    assert found.task == "regression" and found.fidelity is not None and found.fidelity > 0.6


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_rules_of_other_libraries(library: str) -> None:
    module = pytest.importorskip(library)
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = (
        module.LGBMClassifier(n_estimators=20, verbose=-1)
        if library == "lightgbm"
        else module.XGBClassifier(n_estimators=20)
    ).fit(X, y)
    found = gw.rules(model, X, y, max_rules=10)
    assert found.fidelity is not None and found.fidelity > 0.95


def test_every_rule_has_rows_on_both_sides_at_any_depth() -> None:
    X, y = mixed()
    classes = np.digitize(y, [0, 1.5])
    numbers = X[["a", "b"]].fillna(0.0)
    tree = DecisionTreeClassifier(random_state=0).fit(numbers, classes)
    found = gw.rules(tree, numbers, classes, max_depth=None, max_rules=200, n_quantiles=5)
    assert all(0 < rule.support < len(y) for rule in found.rules)
    assert max(rule.n_conditions for rule in found.rules) > 2
    masks = found.explain(numbers).fired.T
    assert len({mask.tobytes() for mask in masks}) == len(masks)


def test_weights_count_as_rows() -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(30, random_state=0).fit(X, y)
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = gw.rules(forest, X, y, sample_weight=weight)
    repeated = gw.rules(forest, np.repeat(X, weight, axis=0), np.repeat(y, weight))
    pd.testing.assert_frame_equal(weighted.to_frame("pandas"), repeated.to_frame("pandas"))


def test_impossible_requests_are_refused() -> None:
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(TableError, match="class 7"):
        gw.rules(forest, X, np.where(y == 0, 7, y))
    with pytest.raises(OptionError, match="max_depth"):
        gw.rules(forest, X, y, max_depth=0)
    with pytest.raises(OptionError, match="n_quantiles"):
        gw.rules(forest, X, y, n_quantiles=1.5)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="zero in every row"):
        gw.rules(forest, X, y, sample_weight=np.zeros(len(y)))


def test_a_regressor_with_an_empty_list_of_classes_is_one() -> None:
    import catboost

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    model = catboost.CatBoostRegressor(iterations=4, depth=2, verbose=False, allow_writing_files=False)
    found = gw.rules(model.fit(X, X[:, 0]), X, X[:, 0])
    assert found.task == "regression" and len(found)


def zero_as_missing_model() -> tuple[object, pd.DataFrame, np.ndarray]:
    from lightgbm import LGBMClassifier

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=800), "b": rng.integers(-2, 4, 800).astype(float)})
    X.loc[rng.random(800) < 0.25, "a"] = 0.0
    X.loc[rng.random(800) < 0.1, "a"] = np.nan
    y = ((X["a"] == 0) | X["a"].isna() | (X["b"] > 1)).to_numpy().astype(int)
    model = LGBMClassifier(n_estimators=15, num_leaves=6, zero_as_missing=True, verbose=-1, n_jobs=1)
    return model.fit(X, y), X, y


def test_a_model_with_zero_as_missing_says_so_in_its_rules() -> None:
    model, X, y = zero_as_missing_model()
    found = gw.rules(model, X, y, max_rules=10)
    texts = [rule.to_text() for rule in found.rules]
    assert any("missing or 0" in text or "not 0" in text for text in texts)
    # the text of a rule, evaluated by hand, selects the rows for which it holds
    fired = found.explain(X).fired
    for r, rule in enumerate(found.rules):
        inside = np.ones(len(X), dtype=bool)
        for condition in rule.conditions:
            value = X[condition.feature].to_numpy()
            absent = np.isnan(value) | (value == 0)
            there = ~absent & (value > condition.lower) & (value <= condition.upper) & condition.present
            inside &= there | (absent & condition.missing)
        np.testing.assert_array_equal(fired[:, r], inside, err_msg=texts[r])


def test_sql_of_such_rules_predicts_the_same() -> None:
    import sqlite3
    from contextlib import closing

    model, X, y = zero_as_missing_model()
    found = gw.rules(model, X, y, max_rules=10)
    X.loc[0, "a"], X.loc[1, "a"] = 1e-36, -0.0
    with closing(sqlite3.connect(":memory:")) as engine:
        X.to_sql("t", engine)
        answer = [row[0] for row in engine.execute(f'SELECT {found.to_sql()} FROM t ORDER BY "index"')]
    np.testing.assert_allclose(answer, found.predict(X), atol=1e-12)
    again = gw.RuleSet.from_dict(found.to_dict())
    np.testing.assert_array_equal(again.predict(X), found.predict(X))


def test_rules_for_one_of_several_targets_name_none_of_them() -> None:
    from sklearn.ensemble import RandomForestRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model = RandomForestRegressor(10, max_depth=3, random_state=0).fit(X, X[:, :2])
    found = gw.rules(model, X, X[:, 1])
    assert found.outputs == ("y",) and np.isnan(found.fidelity)


def test_no_rows_give_no_rules() -> None:
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(TableError, match="X has no rows"):
        gw.rules(model, X[:0], y[:0])


def test_classes_that_the_model_does_not_have_are_refused() -> None:
    from sklearn.ensemble import RandomForestRegressor

    X, y = load_iris(return_X_y=True)
    two = gw.read(RandomForestClassifier(5, random_state=0).fit(X, y == 1))
    with pytest.raises(TableError, match="the class 2, which the model does not know"):
        gw.rules(two, X, y)
    with pytest.raises(TableError, match=r"the class 4\.3, which the model does not know"):
        gw.rules(two, X, X[:, 0])  # numbers for a model of classes
    numbers = gw.read(RandomForestRegressor(5, random_state=0).fit(X, y))
    with pytest.raises(TableError, match="the model predicts numbers"):
        gw.rules(numbers, X, np.array(["a", "b", "c"])[y])


def test_a_file_without_labels_takes_as_many_classes_as_it_has(tmp_path: Path) -> None:
    import lightgbm

    X, y = load_iris(return_X_y=True)
    path = tmp_path / "model.txt"
    options = {"objective": "multiclass", "num_class": 3, "verbose": -1, "num_threads": 1}
    lightgbm.train(options, lightgbm.Dataset(X, y), 3).save_model(path)
    assert gw.rules(path, X, np.array(["a", "b", "c"])[y]).outputs == ("a", "b", "c")
    assert gw.rules(path, X[50:], y[50:]).outputs == ("0", "1", "2")
    for target in (y + (np.arange(150) == 0) * 3, np.array(["a", "b", "b"])[y]):
        with pytest.raises(TableError, match=r"y has \d classes, the model 3 \(0, 1, 2\)"):
            gw.rules(path, X, target)


def test_a_seed_is_given_as_the_estimators_take_it(capsys: pytest.CaptureFixture[str]) -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    model = gw.ForestRegressor(20, max_depth=2, random_state=0).fit(X, X[:, 0])
    for given in (np.int64(3), np.random.RandomState(0), np.random.default_rng(0)):
        assert len(gw.rules(model, X, X[:, 0], random_state=given)) > 0
    with pytest.raises(OptionError, match="random_state must be an integer, RandomState, Generator or None"):
        gw.rules(model, X, X[:, 0], random_state="1")
    assert capsys.readouterr().err == ""
    gw.rules(model, X, X[:, 0], progress=True)
    assert "4/4" in capsys.readouterr().err


def test_equal_shares_are_the_first_class_as_in_predict() -> None:
    X, y = load_iris(return_X_y=True)
    three = gw.ForestClassifier(2, random_state=0).fit(X, y).ensemble_
    two = gw.ForestClassifier(2, random_state=0).fit(X, y > 0).ensemble_
    # 0.1 + 0.2 misses 0.3 by rounding
    assert _predicted_classes(three, np.array([[0.3, 0.1 + 0.2, 0.1], [0.1, 0.2, 0.7]])).tolist() == [0, 2]
    assert _predicted_classes(two, np.array([0.5 + 1e-16, np.nextafter(0.5, 1.0), 0.501])).tolist() == [0, 0, 1]
