"""SIRUS: rules that do not depend on scale, order or the form of weights, and predict well."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

import glasswood as gw
from glasswood.errors import GlasswoodWarning, OptionError, TableError
from tests.explain.rule_cases import mixed, titanic

DRAWS_ROWS = {f"check_sample_weight_equivalence_on_{kind}_data": "rows are drawn" for kind in ("dense", "sparse")}


def rule_values(rules: gw.RuleSet) -> list[tuple[str, float, float]]:
    return [(rule.to_text(), rule.frequency, rule.support) for rule in rules.rules]


def shape(rules: gw.RuleSet) -> list[tuple[object, ...]]:
    """Rules without the values of their cuts."""
    return [
        (
            *((c.feature, c.lower > -np.inf, c.upper < np.inf, c.levels, c.missing) for c in rule.conditions),
            rule.frequency,
            rule.support,
            rule.inside.round(12).tolist(),
        )
        for rule in rules.rules
    ]


@pytest.mark.parametrize(
    "estimator",
    [gw.SirusClassifier(30), gw.SirusRegressor(30), gw.SirusClassifier(5, bootstrap=False)],
    ids=repr,
)
def test_scikit_learns_checks_pass(estimator: gw.SirusRegressor) -> None:
    allowed = DRAWS_ROWS if estimator.bootstrap else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "no path is in more than", GlasswoodWarning)
        check_estimator(estimator, expected_failed_checks=allowed, on_skip=None)


@pytest.mark.parametrize("change", [lambda b: b * 1e-6, np.exp, lambda b: b + 1e9], ids=["scale", "log", "shift"])
def test_rules_do_not_change_with_the_scale_of_a_feature(change: object) -> None:
    X, y = mixed()
    moved = X.assign(b=change(X["b"]))  # type: ignore[operator]
    one = gw.SirusRegressor(200, random_state=0).fit(X, y)
    two = gw.SirusRegressor(200, random_state=0).fit(moved, y)
    assert shape(one.rules_) == shape(two.rules_)
    np.testing.assert_allclose(one.predict(X), two.predict(moved), rtol=1e-12)


@pytest.mark.parametrize("columns", [["a", "b", "colour"], ["colour", "a", "b"]])
def test_rules_do_not_change_with_the_order_of_the_columns(columns: list[str]) -> None:
    X, y = mixed()
    one = gw.SirusRegressor(200, random_state=0).fit(X, y)
    two = gw.SirusRegressor(200, random_state=0).fit(X[columns], y)
    assert rule_values(one.rules_) == rule_values(two.rules_)
    assert two.ensemble_.feature_names == tuple(columns)
    np.testing.assert_allclose(one.predict(X), two.predict(X[columns]), rtol=1e-12)


def test_integers_and_floats_and_frames_agree() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(-5, 30, size=(200, 3)), rng.integers(0, 2, 200)
    X[:, 0] += 8 * y
    tables = [X, X.astype(np.float64), X.astype(np.float32)]
    assert len({str(rule_values(gw.SirusClassifier(50, random_state=0).fit(T, y).rules_)) for T in tables}) == 1
    M, number = mixed()
    frames = [M, pl.from_pandas(M)]
    assert len({str(rule_values(gw.SirusRegressor(50, random_state=0).fit(T, number).rules_)) for T in frames}) == 1


@pytest.mark.parametrize("labels", [["no", "yes"], [1, 2], [-1, 1], [False, True]])
def test_labels_of_any_type_give_the_same_rules(labels: list[object]) -> None:
    X, y = titanic()
    plain = gw.SirusClassifier(50, random_state=0).fit(X, y)
    named = gw.SirusClassifier(50, random_state=0).fit(X, np.array(labels)[y])
    assert rule_values(plain.rules_) == rule_values(named.rules_)
    assert np.array_equal(plain.predict_proba(X), named.predict_proba(X))
    assert np.array_equal(np.array(labels)[plain.predict(X)], named.predict(X))


@pytest.mark.parametrize("kind", [gw.SirusRegressor, gw.SirusClassifier])
def test_without_draws_a_weight_is_a_number_of_rows(kind: type[gw.SirusRegressor]) -> None:
    X, y = mixed(200)
    y = y if kind is gw.SirusRegressor else (y > 1).astype(int)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    model = kind(20, bootstrap=False, p0=0.0, random_state=0)
    weighted = clone(model).fit(X, y, weight)
    repeated = clone(model).fit(X.loc[X.index.repeat(weight)], np.repeat(y, weight))
    assert rule_values(weighted.rules_) == rule_values(repeated.rules_)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-7, atol=1e-9)


def test_shares_are_the_mean_of_the_rules_and_sum_to_one() -> None:
    X, y = mixed()
    classes = np.digitize(y, [0, 1.5])
    sirus = gw.SirusClassifier(100, random_state=0).fit(X, classes)
    share = sirus.predict_proba(X)
    np.testing.assert_allclose(share.sum(axis=1), 1.0)
    fired = sirus.rules_.explain(X).fired
    outputs = [np.where(fired[:, [k]], rule.inside, rule.outside) for k, rule in enumerate(sirus.rules_.rules)]
    np.testing.assert_allclose(share, np.mean(outputs, axis=0))


def test_a_higher_p0_keeps_the_first_rules() -> None:
    X, y = titanic()
    few = gw.SirusClassifier(100, p0=0.1, random_state=0).fit(X, y).rules_
    many = gw.SirusClassifier(100, p0=0.02, random_state=0).fit(X, y).rules_
    assert 0 < len(few) < len(many)
    assert rule_values(many)[: len(few)] == rule_values(few)
    assert all(rule.frequency > 0.1 for rule in few.rules)


def test_auto_stops_when_the_selection_is_stable() -> None:
    X, y = titanic()
    sirus = gw.SirusClassifier("auto", random_state=0, n_jobs=2).fit(X, y)
    assert sirus.rules_.stability >= 0.95 and sirus.n_estimators_ > 500
    with pytest.raises(OptionError, match='whole number or "auto"'):
        gw.SirusClassifier("many").fit(X, y)  # type: ignore[arg-type]


def test_rules_of_missing_values_are_written_out() -> None:
    rng = np.random.default_rng(0)
    cabin = rng.normal(size=300)
    cabin[rng.random(300) < 0.5] = np.nan
    X, y = pd.DataFrame({"Cabin": cabin, "Age": rng.normal(size=300)}), np.isnan(cabin).astype(int)
    rules = gw.SirusClassifier(20, random_state=0, max_features=2).fit(X, y).rules_
    assert rules[0].to_text() == "Cabin is not missing"
    assert rules[0].inside == 0 and rules[0].outside == 1


def test_a_fitted_model_survives_pickling_and_is_read() -> None:
    X, y = titanic()
    sirus = gw.SirusClassifier(50, random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(sirus))
    assert np.array_equal(again.predict_proba(X), sirus.predict_proba(X))
    assert gw.read(sirus) is sirus.ensemble_
    assert again.rules_.to_text() == sirus.rules_.to_text()


def test_the_global_random_state_is_neither_read_nor_changed() -> None:
    X, y = mixed()
    before = np.random.mtrand._rand.get_state()[1].copy()
    gw.SirusRegressor(20).fit(X, y)
    gw.rule_cv(gw.SirusRegressor(20), X, y, n_splits=2, n_repeats=1)
    assert np.array_equal(before, np.random.mtrand._rand.get_state()[1])


def test_threads_change_nothing() -> None:
    X, y = mixed()
    one, two = (gw.SirusRegressor(60, random_state=3, n_jobs=n).fit(X, y).rules_ for n in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_ten_rules_do_as_well_as_published() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    sirus = gw.SirusClassifier(500, max_rules=10, p0=0.0, random_state=0)
    assert cross_val_score(sirus, X, y, cv=5, scoring="roc_auc").mean() > 0.975
    X, y = load_diabetes(return_X_y=True)
    assert cross_val_score(gw.SirusRegressor(500, random_state=0), X, y, cv=5).mean() > 0.4


@pytest.mark.parametrize("factor", [1e300, 1e160, 1e-300])
def test_a_target_whose_squares_overflow_is_refused(factor: float) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    for use in (gw.SirusRegressor(10, random_state=0).fit, lambda *rows: gw.rule_cv(gw.SirusRegressor(10), *rows)):
        with pytest.raises(TableError, match=r"^y .* y by a constant first"):
            use(X, X[:, 0] * factor)


def test_a_bar_has_a_step_for_each_tree_and_for_paths_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = np.arange(40.0)[:, None], np.arange(40) >= 20
    for model in (gw.SirusClassifier(10, random_state=0), gw.SirusRegressor(10, random_state=0)):
        silent = clone(model).fit(X, y)
        assert capsys.readouterr().err == ""
        shown = model.fit(X, y, progress=True)
        assert "12/12" in capsys.readouterr().err
        np.testing.assert_array_equal(shown.predict(X), silent.predict(X))
    gw.SirusClassifier("auto", random_state=0).fit(X, y, progress=True)
    assert re.search(r"rules \d+ ", capsys.readouterr().err)  # how many trees it takes is not known in advance
