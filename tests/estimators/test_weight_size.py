"""Weights are relative: multiplied by a power of two they give the same bits, or are refused."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import glasswood as gw
from glasswood.errors import TableError

RNG = np.random.default_rng(3)
N = 120
X = pd.DataFrame({"a": RNG.normal(size=N).round(1), "b": RNG.normal(size=N), "c": RNG.choice(list("uvwxyz"), N)})
X.loc[::9, "b"] = np.nan
Y = (X["a"] + X["b"].fillna(0.5) ** 2 + X["c"].isin(["u", "x"]) + RNG.normal(size=N) * 0.3).to_numpy()
CLASS = np.digitize(Y, [0.5, 1.5])
WHOLE, ANY = RNG.integers(0, 5, N).astype(float), RNG.random(N)
POWERS = [600, -600, 40, -40, 1000, -1000]

TREES = [
    gw.TreeRegressor(),
    gw.TreeRegressor(max_leaf_nodes=9, min_weight_fraction_leaf=0.01),
    gw.TreeRegressor(ccp_alpha=0.01),
    gw.TreeClassifier(),
    gw.TreeClassifier(criterion="entropy"),
    gw.TreeClassifier(class_weight="balanced", ccp_alpha=0.01),
    gw.ForestRegressor(4, bootstrap=False, splits="quantile", max_features=0.5, random_state=0),
    gw.ForestClassifier(4, bootstrap=False, random_state=0),
    gw.ForestClassifier(4, bootstrap=False, splits="quantile", criterion="entropy", random_state=0),
]
DRAWN = [
    gw.ForestRegressor(4, random_state=0, oob_score=True, min_weight_fraction_leaf=0.05),
    gw.ForestClassifier(4, random_state=0, class_weight={0: 1.0, 1: 2.0, 2: 4.0}),
    gw.ForestClassifier(4, splits="quantile", criterion="entropy", random_state=0),
]


def target(estimator: Any, two: bool = False) -> Any:
    return Y if not hasattr(estimator, "predict_proba") else CLASS > 0 if two else CLASS


def fitted(estimator: Any, weight: Any, two: bool = False) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*drawn by every tree", gw.errors.GlasswoodWarning)
        return clone(estimator).fit(X, target(estimator, two), sample_weight=weight)


def check_same(found: Any, expected: Any, factor: float) -> None:
    for name, array in expected.ensemble_._arrays().items():
        own, scaled = getattr(found.ensemble_, name), array * factor if name in ("weight", "gain") else array
        if name == "gain" and not 2.0**-900 < factor < 2.0**900:  # so that sums of gains are finite
            own, scaled = own / np.nanmax(own), array / np.nanmax(array)
        np.testing.assert_array_equal(own, scaled, err_msg=name)


@pytest.mark.parametrize("weight", [WHOLE, ANY], ids=["whole", "any"])
@pytest.mark.parametrize("two", [False, True], ids=["", "two classes"])
@pytest.mark.parametrize("estimator", TREES, ids=repr)
def test_a_power_of_two_changes_no_bit_of_a_tree(estimator: Any, two: bool, weight: np.ndarray) -> None:
    expected = fitted(estimator, weight, two)
    assert expected.ensemble_.n_leaves > 3
    for power in POWERS:
        found = fitted(estimator, weight * 2.0**power, two)
        check_same(found, expected, 2.0**power)
        np.testing.assert_array_equal(found.feature_importances_, expected.feature_importances_)


@pytest.mark.parametrize("weight", [WHOLE, ANY], ids=["whole", "any"])
@pytest.mark.parametrize("estimator", DRAWN, ids=repr)
def test_a_power_of_two_changes_no_draw(estimator: Any, weight: np.ndarray) -> None:
    expected = fitted(estimator, weight)
    assert expected.ensemble_.n_leaves > 3
    for power in POWERS:
        found = fitted(estimator, weight * 2.0**power)
        check_same(found, expected, 1.0)
        if hasattr(expected, "oob_prediction_"):
            np.testing.assert_array_equal(found.oob_prediction_, expected.oob_prediction_)
        for one, other in zip(found.estimators_samples_, expected.estimators_samples_, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("weight", [WHOLE, ANY], ids=["whole", "any"])
@pytest.mark.parametrize(
    "estimator", [gw.SirusRegressor(60, random_state=0), gw.SirusClassifier(60, random_state=0)], ids=repr
)
def test_a_power_of_two_changes_no_rule(estimator: Any, weight: np.ndarray) -> None:
    expected = fitted(estimator, weight)
    rules = gw.rules(expected.forest_, X, target(estimator), sample_weight=weight)
    for power in POWERS:
        scaled = weight * 2.0**power
        for found, other in (
            (fitted(estimator, scaled).rules_, expected.rules_),
            (gw.rules(expected.forest_, X, target(estimator), sample_weight=scaled), rules),
        ):
            assert found.weight == other.weight * 2.0**power
            assert [r.support for r in found.rules] == [r.support * 2.0**power for r in other.rules]
            for name in ("inside", "outside", "coefficient", "conditions"):
                np.testing.assert_equal(
                    [getattr(r, name) for r in found.rules], [getattr(r, name) for r in other.rules]
                )
            np.testing.assert_array_equal(found.intercept, other.intercept)
            assert found.score == other.score and found.l2 == other.l2


@pytest.mark.parametrize("power", POWERS)
def test_a_power_of_two_changes_no_choice_of_p0(power: int) -> None:
    sirus = gw.SirusClassifier(30, random_state=0)
    first, second = (
        gw.rule_cv(sirus, X, CLASS > 0, n_splits=2, n_repeats=1, random_state=0, sample_weight=weight)
        for weight in (ANY, ANY * 2.0**power)
    )
    np.testing.assert_array_equal(first.error, second.error)


@pytest.mark.parametrize("power", POWERS)
def test_a_power_of_two_changes_no_neighbour(power: int) -> None:
    forest = gw.ForestRegressor(5, random_state=0).fit(X, Y)
    for kind in ("leaf_weight", "breiman", "boosted"):
        first, second = (gw.examples(forest, X, method=kind, sample_weight=w) for w in (ANY, ANY * 2.0**power))
        np.testing.assert_array_equal(first.weights(X).toarray(), second.weights(X).toarray())


@pytest.mark.parametrize("power", POWERS)
def test_a_power_of_two_changes_no_profile(power: int) -> None:
    for model, y in ((gw.TreeRegressor(max_depth=4), Y), (gw.TreeClassifier(max_depth=4), CLASS)):
        tree = model.fit(X, y)
        first, second = (gw.tree_profile(tree, X, y, sample_weight=w) for w in (ANY, ANY * 2.0**power))
        np.testing.assert_array_equal(first.impurity, second.impurity)
        np.testing.assert_array_equal(first.score, second.score)
        np.testing.assert_array_equal(first.tree.weight * 2.0**power, second.tree.weight)


def test_weights_of_1e160_grow_the_tree_of_ones() -> None:
    rows, y = [[0.0], [1.0]], [0, 1]
    tree = gw.TreeClassifier().fit(rows, y, sample_weight=[1e160, 1e160]).ensemble_
    assert tree.n_leaves == 2 and tree.weight.tolist() == [2e160, 1e160, 1e160]


@pytest.mark.parametrize(
    "use",
    [
        *(
            lambda w, e=e: fitted(e, w)
            for e in (*TREES, *DRAWN, gw.SirusRegressor(5), gw.BoostingRegressor(n_estimators=2))
        ),
        lambda w: gw.rules(gw.TreeRegressor().fit(X, Y), X, Y, sample_weight=w),
        lambda w: gw.effects(gw.TreeRegressor().fit(X, Y), X, sample_weight=w),
        lambda w: gw.ledger(gw.TreeRegressor().fit(X, Y), X, sample_weight=w),
        lambda w: gw.examples(gw.TreeRegressor().fit(X, Y), X, sample_weight=w),
        lambda w: gw.tree_profile(gw.TreeRegressor().fit(X, Y), X, Y, sample_weight=w),
    ],
)
def test_weights_whose_sum_overflows_are_refused(use: Any) -> None:
    with pytest.raises(TableError, match="the sum of sample_weight is infinite; divide"):
        use(np.full(N, 1e308))


def test_class_weights_that_make_weights_infinite_are_refused() -> None:
    with pytest.raises(TableError, match="sum of sample_weight times class_weight is infinite"):
        gw.TreeClassifier(class_weight={0: 1e200, 1: 1.0, 2: 1.0}).fit(X, CLASS, sample_weight=np.full(N, 1e200))


@pytest.mark.parametrize("weight", [1e31, 1e160, 1e-31, 1e-300])
def test_boosting_refuses_weights_beyond_its_penalties_by_name(weight: float) -> None:
    with pytest.raises(TableError, match="largest sample_weight"):
        gw.BoostingRegressor(n_estimators=2).fit(X, Y, sample_weight=np.full(N, weight))


@pytest.mark.parametrize("weight", [1e150, 1e-150])
def test_effects_refuse_weights_whose_squares_overflow(weight: float) -> None:
    tree = gw.TreeRegressor().fit(X, Y)
    for use in (gw.effects, gw.interactions, gw.ledger):
        with pytest.raises(TableError, match="the sum of sample_weight is"):
            use(tree, X, sample_weight=np.full(N, weight))
