"""rule_cv: error and stability for a range of p0, and the two choices."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.estimators._rule_cv import _dice
from glasswood.explain.rules import RulePrefixes
from tests.explain.rule_cases import mixed, titanic


def test_a_classifier_has_a_choice_with_little_error() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = gw.SirusClassifier(100, max_rules=15, random_state=0)
    found = gw.rule_cv(model, X, y, n_splits=4, n_repeats=2, random_state=0)
    assert found.measure == "1 - AUC" and found.error.shape == (2, len(found.p0))
    assert found.error.min() < 0.05
    assert np.all((found.n_rules.mean(axis=0) >= 1) & (found.n_rules.mean(axis=0) <= 15))
    assert np.all((found.stability >= 0) & (found.stability <= 1))
    assert found.p0_pred in found.p0 and found.p0[0] <= found.p0_stab <= found.p0[-1]
    again = gw.rule_cv(model, X, y, n_splits=4, n_repeats=2, random_state=0)
    assert np.array_equal(found.error, again.error)


def test_the_error_at_p0_is_that_of_the_fitted_rules() -> None:
    X, y = mixed()
    model = gw.SirusRegressor(60, max_rules=10, random_state=0)
    found = gw.rule_cv(model, X, y, n_splits=3, n_repeats=1, random_state=0)
    assert found.measure == "unexplained variance" and found.error.min() < 0.5
    from sklearn.base import clone
    from sklearn.model_selection import KFold, cross_val_predict

    seed = int(np.random.default_rng(0).integers(2**31 - 1, size=1)[0])
    folds = KFold(3, shuffle=True, random_state=seed)
    at = len(found.p0) // 2
    plain = clone(model).set_params(p0=float(found.p0[at]), max_rules=20)
    prediction = cross_val_predict(plain, X, y, cv=folds)
    expected = np.sum((y - prediction) ** 2) / np.sum((y - y.mean()) ** 2)
    np.testing.assert_allclose(found.error[0, at], expected, rtol=0.05)


def test_frames_with_levels_and_several_classes() -> None:
    X, y = titanic()
    found = gw.rule_cv(gw.SirusClassifier(60, random_state=0), X, y, n_splits=3, n_repeats=1, random_state=0)
    assert found.error.min() < 0.25
    F, species = load_iris(return_X_y=True)
    model = gw.SirusClassifier(60, random_state=0)
    found = gw.rule_cv(model, F, species, sample_weight=np.ones(150), n_splits=3, n_repeats=1, random_state=0)
    assert found.error.min() < 0.1


def test_dice_counts_common_paths() -> None:
    def prefixes(names: str) -> RulePrefixes:
        keys = tuple(frozenset([(name,)]) for name in names)
        return RulePrefixes(np.linspace(1, 0.1, len(names)), keys, np.zeros((len(names) + 1, 1, 1)))

    length = np.array([[0, 1, 3], [0, 1, 2]])
    np.testing.assert_allclose(_dice([prefixes("abc"), prefixes("bad")], length), [1.0, 0.0, 2 * 2 / 5])


def test_impossible_requests_are_refused() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(OptionError, match="ForestClassifier"):
        gw.rule_cv(gw.ForestClassifier(), X, y)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="single row"):
        gw.rule_cv(gw.SirusClassifier(5), X[:51], y[:51])
    with pytest.raises(TableError, match="no p0"):
        gw.rule_cv(gw.SirusRegressor(5), X, np.ones(150), n_splits=2, n_repeats=1)


@pytest.mark.parametrize(("name", "least"), [("n_splits", 2), ("n_repeats", 1)])
def test_folds_and_repeats_are_counts(name: str, least: int) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(OptionError, match=f"{name} must be a whole number, at least {least}"):
        gw.rule_cv(gw.SirusClassifier(5), X, y, **{name: least - 1})


def test_threads_are_those_asked_for_and_change_nothing() -> None:
    X, y = load_iris(return_X_y=True)
    model = gw.SirusClassifier(20, random_state=0)
    options = {"n_splits": 2, "n_repeats": 1, "random_state": 0}
    one, two = gw.rule_cv(model, X, y, **options), gw.rule_cv(model, X, y, n_jobs=2, **options)
    np.testing.assert_array_equal(one.error, two.error)
    assert model.n_jobs is None
    with pytest.raises(OptionError, match="n_jobs"):
        gw.rule_cv(model, X, y, n_jobs=0, **options)
