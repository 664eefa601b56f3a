"""scikit-learn: leaves are equal and raw agrees within the tolerance, for every model and every known difficulty."""

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

import glasswood as gw
from glasswood.readers.sklearn._common import allows_missing
from tests.agreement.record import record
from tests.agreement.sklearn_oracle import (
    Case,
    Fit,
    N,
    Target,
    assert_agrees,
    classes,
    counts,
    number,
    numbers,
    three,
    two,
    weights,
)
from tests.agreement.sklearn_tables import numeric_frame

# trees and forests

FORESTS: list[Case] = [
    ("regression", DecisionTreeRegressor, number),
    ("regression, best first", functools.partial(DecisionTreeRegressor, max_leaf_nodes=12), number),
    ("absolute error", functools.partial(DecisionTreeRegressor, criterion="absolute_error", max_depth=4), number),
    ("poisson", functools.partial(DecisionTreeRegressor, criterion="poisson", max_depth=5), counts),
    ("pruned", functools.partial(DecisionTreeRegressor, ccp_alpha=0.01), number),
    ("multi-output", functools.partial(DecisionTreeRegressor, max_depth=6), numbers),
    ("binary", DecisionTreeClassifier, two),
    ("multiclass", functools.partial(DecisionTreeClassifier, criterion="entropy", max_depth=5), three),
    ("multi-output", functools.partial(DecisionTreeClassifier, max_depth=5), classes),
    ("regression", functools.partial(ExtraTreeRegressor, random_state=0), number),
    ("multiclass", functools.partial(ExtraTreeClassifier, random_state=0), three),
    ("regression", functools.partial(RandomForestRegressor, 12, random_state=0), number),
    ("multi-output", functools.partial(RandomForestRegressor, 7, random_state=0), numbers),
    ("poisson", functools.partial(RandomForestRegressor, 5, criterion="poisson", random_state=0), counts),
    ("binary", functools.partial(RandomForestClassifier, 12, random_state=0, max_depth=6), two),
    ("multiclass", functools.partial(RandomForestClassifier, 12, random_state=0), three),
    ("multi-output", functools.partial(RandomForestClassifier, 6, random_state=0, class_weight="balanced"), classes),
    ("regression", functools.partial(ExtraTreesRegressor, 8, random_state=0, max_depth=8), number),
    ("binary", functools.partial(ExtraTreesClassifier, 8, random_state=0, bootstrap=True), two),
]


@pytest.mark.parametrize(("what", "make", "of"), FORESTS, ids=lambda part: part if isinstance(part, str) else "")
def test_trees_and_forests(what: str, make: Fit, of: Target) -> None:
    X = numeric_frame(N, 0, missing=allows_missing(make()))
    assert_agrees(make().fit(X, of(X)), X, what)


@pytest.mark.parametrize("make", [DecisionTreeRegressor, functools.partial(RandomForestRegressor, 5, random_state=1)])
def test_sample_weights_reach_the_weights_of_nodes(make: Fit) -> None:
    X = numeric_frame(N, 1)
    ensemble = assert_agrees(make().fit(X, number(X), sample_weight=weights(N)), X, "sample weights")
    if ensemble.n_trees == 1:
        assert ensemble.weight[0] == weights(N).sum()


def test_a_forest_grown_in_two_steps() -> None:
    X = numeric_frame(N, 2)
    forest = RandomForestClassifier(4, random_state=0, warm_start=True).fit(X, two(X))
    forest.set_params(n_estimators=9).fit(X, two(X))
    assert assert_agrees(forest, X, "warm_start").n_trees == 9


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_matrices_of_either_float(dtype: Any) -> None:
    X = numeric_frame(N, 3).to_numpy().astype(dtype)
    assert_agrees(RandomForestRegressor(5, random_state=0).fit(X, X[:, 2]), X, f"{np.dtype(dtype)} matrix")


# GradientBoosting

boost = functools.partial(GradientBoostingRegressor, n_estimators=15, random_state=0)
boost_classes = functools.partial(GradientBoostingClassifier, n_estimators=10, random_state=0)
most_frequent, uniform = DummyClassifier(strategy="most_frequent"), DummyClassifier(strategy="uniform")
BOOSTS: list[Case] = [
    ("squared error", boost, number),
    ("absolute error", functools.partial(boost, loss="absolute_error"), number),
    ("huber, subsample", functools.partial(boost, loss="huber", subsample=0.5), number),
    ("quantile", functools.partial(boost, loss="quantile", alpha=0.9, max_leaf_nodes=9), number),
    ("init zero", functools.partial(boost, init="zero", learning_rate=0.7), number),
    ("init constant", functools.partial(boost, init=DummyRegressor(strategy="constant", constant=7.0)), number),
    ("binary", boost_classes, two),
    ("multiclass", boost_classes, three),
    ("exponential loss", functools.partial(boost_classes, loss="exponential"), two),
    ("binary, init zero", functools.partial(boost_classes, init="zero"), two),
    (
        "binary, init most frequent",
        functools.partial(boost_classes, init=DummyClassifier(strategy="most_frequent")),
        two,
    ),
    ("multiclass, init uniform", functools.partial(boost_classes, init=uniform), three),
]


@pytest.mark.parametrize(("what", "make", "of"), BOOSTS, ids=[what for what, _, _ in BOOSTS])
def test_gradient_boosting(what: str, make: Fit, of: Target) -> None:
    X = numeric_frame(N, 4, missing=False)
    model = make().fit(X, of(X))
    ensemble = assert_agrees(model, X, what)
    if hasattr(model, "classes_"):
        theirs = model.predict_proba(X)
        assert np.allclose(ensemble.predict(X), theirs[:, 1] if ensemble.n_outputs == 1 else theirs, rtol=1e-12)


def test_gradient_boosting_stopped_early_continued_and_weighted() -> None:
    X = numeric_frame(N, 5, missing=False)
    stopped = boost(n_estimators=200, n_iter_no_change=2, learning_rate=0.5).fit(X, number(X))
    assert assert_agrees(stopped, X, "early stopping").n_trees == stopped.n_estimators_ < 200
    warm = boost_classes(warm_start=True, n_estimators=4).fit(X, three(X))
    assert assert_agrees(warm.set_params(n_estimators=7).fit(X, three(X)), X, "warm_start").n_trees == 21
    assert_agrees(boost().fit(X, number(X), sample_weight=weights(N)), X, "sample weights")


# Bagging and AdaBoost

bag = functools.partial(BaggingRegressor, n_estimators=8, random_state=0)
bag_classes = functools.partial(BaggingClassifier, n_estimators=8, random_state=0)
BAGS: list[Case] = [
    ("regression", bag, number),
    ("regression of extra trees", functools.partial(bag, ExtraTreeRegressor(max_depth=5)), number),
    ("multi-output", functools.partial(bag, DecisionTreeRegressor(max_depth=4)), numbers),
    ("feature subsets", functools.partial(bag, max_features=0.6, max_samples=0.5), number),
    ("repeated features", functools.partial(bag_classes, max_features=0.9, bootstrap_features=True), two),
    ("binary", bag_classes, two),
    ("multiclass", functools.partial(bag_classes, DecisionTreeClassifier(max_depth=5)), three),
    ("classes some trees never saw", functools.partial(bag_classes, max_samples=4), three),
]


@pytest.mark.parametrize(("what", "make", "of"), BAGS, ids=[what for what, _, _ in BAGS])
def test_bagging(what: str, make: Fit, of: Target) -> None:
    X = numeric_frame(N, 12, missing=allows_missing(make()))
    assert_agrees(make().fit(X.to_numpy(), of(X)), X.to_numpy(), what)


@pytest.mark.parametrize(
    ("what", "tree", "of"),
    [
        ("binary", None, two),
        ("multiclass", None, three),
        ("deeper trees", DecisionTreeClassifier(max_depth=3), three),
        ("extra trees", ExtraTreeClassifier(max_depth=2), two),
    ],
)
def test_adaboost(what: str, tree: Any, of: Target) -> None:
    X = numeric_frame(N, 13, missing=False).to_numpy()
    y = of(numeric_frame(N, 13, missing=False))
    model = AdaBoostClassifier(tree, n_estimators=10, learning_rate=0.7, random_state=0).fit(X, y)
    ensemble = assert_agrees(model, X, what)
    theirs = model.predict_proba(X)
    assert np.allclose(ensemble.predict(X), theirs[:, 1] if ensemble.n_outputs == 1 else theirs, rtol=1e-12)


# random configurations

few = settings(max_examples=40)


@few
@given(
    seed=st.integers(0, 2**16),
    kind=st.sampled_from([RandomForestRegressor, RandomForestClassifier, ExtraTreesRegressor, ExtraTreesClassifier]),
    depth=st.none() | st.integers(1, 8),
    share=st.floats(0.1, 1.0),
    missing=st.booleans(),
    multi=st.booleans(),
)
def test_random_forests(seed: int, kind: Fit, depth: int | None, share: float, missing: bool, multi: bool) -> None:
    X = numeric_frame(150, seed, missing=missing and allows_missing(kind()))
    regression = kind in (RandomForestRegressor, ExtraTreesRegressor)
    y = (numbers if regression else classes)(X)
    model = kind(5, max_depth=depth, max_features=share, random_state=0).fit(X, y if multi else y[:, 0])
    assert_agrees(model, X, "random configurations")


@few
@given(
    seed=st.integers(0, 2**16),
    of=st.sampled_from([number, two, three]),
    depth=st.integers(1, 5),
    rate=st.floats(0.01, 1.5),
    share=st.floats(0.3, 1.0),
)
def test_random_gradient_boosting(seed: int, of: Any, depth: int, rate: float, share: float) -> None:
    X = numeric_frame(150, seed, missing=False)
    kind = GradientBoostingRegressor if of is number else GradientBoostingClassifier
    model = kind(n_estimators=5, max_depth=depth, learning_rate=rate, subsample=share, random_state=0).fit(X, of(X))
    assert_agrees(model, X, "random configurations")


@pytest.mark.parametrize("share", [1.0, 0.6], ids=["all features", "a share of the features"])
def test_isolation_forests(share: float) -> None:
    X = numeric_frame(N, 5, missing=False)
    model = IsolationForest(n_estimators=12, max_features=share, random_state=0).fit(X)
    ensemble = gw.read(model, X)
    cut = np.flatnonzero(np.isfinite(ensemble.threshold))
    rows = X.to_numpy()[np.arange(3 * len(cut)) % N].astype(float)
    for k, step in enumerate((-np.inf, 0.0, np.inf)):
        values = np.nextafter(ensemble.threshold[cut], step) if step else ensemble.threshold[cut]
        rows[np.arange(k, len(rows), 3), ensemble.feature[cut]] = values
    assert gw.read(model, pd.DataFrame(rows, columns=X.columns)).source.parity.leaves_equal
    record("scikit-learn", "IsolationForest", "path length")
