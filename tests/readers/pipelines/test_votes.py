"""Votes and one model per class: the trees of all members as one ensemble."""

from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b c", "d"])
NUMBER = (X.a * 2 + X["b c"]).to_numpy()
THREE = np.array(["low", "middle", "high"])[np.digitize(X.a, [-0.5, 0.5])]
TWO = (X.a > 0).to_numpy()
forest = RandomForestClassifier(3, max_depth=3, random_state=0)
booster = lightgbm.LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=1)


@pytest.mark.parametrize("weights", [None, [3, 1, 2]], ids=["equal", "weighted"])
def test_a_mean_of_regressors_of_several_libraries(weights: Any) -> None:
    members = [
        ("forest", RandomForestRegressor(3, max_depth=4, random_state=0)),
        ("lightgbm", lightgbm.LGBMRegressor(n_estimators=4, verbose=-1, n_jobs=1)),
        ("pipeline", make_pipeline(StandardScaler(), GradientBoostingRegressor(n_estimators=4, random_state=0))),
    ]
    model = VotingRegressor(members, weights=weights).fit(X, NUMBER)
    ensemble = gw.read(model, X)
    assert ensemble.n_trees == 3 + 4 + 4
    assert ensemble.source.parity.leaves_equal
    assert ensemble.feature_names == ("a", "b c", "d")
    assert ensemble.source.weight_kind == "none"  # weights of one and rows of another do not compare
    assert np.allclose(ensemble.predict(X), model.predict(X), rtol=1e-12)


def test_a_member_that_was_dropped_does_not_count() -> None:
    members = [("a", DecisionTreeRegressor(max_depth=2)), ("b", "drop"), ("c", DecisionTreeRegressor(max_depth=3))]
    model = VotingRegressor(members, weights=[1, 5, 2]).fit(X, NUMBER)
    assert gw.read(model, X).n_trees == 2


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two classes", "three classes"])
def test_a_mean_of_class_shares(y: Any) -> None:
    members = [("forest", forest), ("extra", ExtraTreesClassifier(2, max_depth=3, random_state=0))]
    model = VotingClassifier(members, voting="soft", weights=[1, 3]).fit(X, y)
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal
    assert ensemble.outputs == (("True",) if y is TWO else ("high", "low", "middle"))


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (VotingClassifier([("a", forest)]), "counts votes"),
        (VotingClassifier([("a", forest), ("b", booster)], voting="soft"), "LGBMClassifier, which turns raw"),
        (OneVsRestClassifier(forest), "all or no rows"),
    ],
    ids=["hard", "link", "constant"],
)
def test_what_is_not_a_sum_over_trees_is_refused(model: Any, why: str) -> None:
    y: Any = TWO
    if isinstance(model, OneVsRestClassifier):
        y = np.column_stack([TWO, np.ones(len(TWO), dtype=bool), X.d > 0]).astype(int)
        with pytest.warns(UserWarning, match="is present in all training examples"):
            model.fit(X, y)
    with pytest.raises(gw.UnsupportedModelError, match=why):
        gw.read(model if isinstance(model, OneVsRestClassifier) else model.fit(X, y))


def test_members_that_read_a_column_differently_are_refused() -> None:
    frame = X.assign(k=rng.integers(0, 3, len(X)))
    encoded = make_pipeline(OneHotEncoder(handle_unknown="ignore"), DecisionTreeRegressor(max_depth=2))
    model = VotingRegressor([("a", encoded), ("b", DecisionTreeRegressor(max_depth=2))]).fit(frame[["k"]], NUMBER)
    why = (
        "read the columns of the table differently: feature 'k' is a category in one model and a number in the other; "
    )
    with pytest.raises(gw.UnsupportedModelError, match=why + "read the members one by one"):
        gw.read(model)


def one_hot(*columns: str, **options: Any) -> Any:
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False, **options)
    return make_column_transformer((encoder, list(columns)), ("passthrough", ["a"]))


@pytest.mark.parametrize(
    "other",
    [
        one_hot("city", "deck"),
        make_column_transformer((SimpleImputer(), ["a", "d"])),
        make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OneHotEncoder()), ["deck"])
        ),
        one_hot("city", categories=[["Oslo", "Nowhere", "Rome"]]),
    ],
    ids=["other columns", "numbers only", "a level of the imputer", "listed levels"],
)
def test_members_that_know_other_columns_and_levels(other: Any) -> None:
    levels = {"city": rng.choice(["Bern", "Oslo", "Rome"], len(X)), "deck": rng.choice(["A", "B", None], len(X))}
    frame = X.assign(**levels)
    rows = frame.head(60).assign(city=["Oslo", "Lima", None] * 20, deck=["A", "none", "Z"] * 20)
    if "none" in str(other):
        rows["deck"] = ["A", "none", None] * 20  # its encoder takes no other
    members = [
        ("first", make_pipeline(one_hot("city"), RandomForestRegressor(3, max_depth=4, random_state=0))),
        (
            "other",
            make_pipeline(other, lightgbm.LGBMRegressor(n_estimators=3, verbose=-1, n_jobs=1)),
        ),
        ("again", make_pipeline(one_hot("city"), DecisionTreeRegressor(max_depth=4))),
    ]
    model = VotingRegressor(members).fit(frame, NUMBER + (levels["city"] == "Rome") + 2 * (levels["deck"] == "A"))
    assert gw.read(model, frame).source.parity.leaves_equal
    ensemble = gw.read(model, rows)
    assert ensemble.source.parity.leaves_equal
    assert ensemble.feature_names == tuple(frame)
    assert np.allclose(ensemble.predict(rows), model.predict(rows), rtol=1e-12)


@pytest.mark.parametrize("member", [forest, booster, HistGradientBoostingClassifier(max_iter=3)], ids=str)
def test_one_model_per_class(member: Any) -> None:
    model = OneVsRestClassifier(member).fit(X, THREE)
    ensemble = gw.read(model, X)
    assert ensemble.outputs == ("high", "low", "middle")
    raw = ensemble.predict_raw(X)
    shares = raw if member is forest else 1 / (1 + np.exp(-raw))
    assert np.allclose(shares / shares.sum(axis=1, keepdims=True), model.predict_proba(X), rtol=1e-9)
    with pytest.raises(gw.UnsupportedModelError, match="OneVsRestClassifier divides by their sum, so predict is"):
        ensemble.predict(X)  # shares divided by their sum have no link


def test_several_labels_have_a_probability_each() -> None:
    y = np.column_stack([TWO, X.d > 0]).astype(int)
    model = OneVsRestClassifier(booster).fit(X, y)
    ensemble = gw.read(model, X)
    assert np.allclose(ensemble.predict(X), model.predict_proba(X), rtol=1e-9)


def test_two_classes_have_one_model() -> None:
    model = OneVsRestClassifier(DecisionTreeClassifier(max_depth=3)).fit(X, TWO)
    ensemble = gw.read(model, X)
    assert ensemble.n_outputs == 1
    assert np.allclose(ensemble.predict(X), model.predict_proba(X)[:, 1])


@pytest.mark.parametrize("max_features", [1.0, 2], ids=["all columns", "two columns"])
@pytest.mark.parametrize("named", [True, False], ids=["frame", "array"])
def test_a_bag_of_boosted_models_is_their_mean(max_features: Any, named: bool) -> None:
    table = X if named else X.to_numpy()
    member = lightgbm.LGBMRegressor(n_estimators=4, verbose=-1, n_jobs=1)
    bag = BaggingRegressor(member, n_estimators=3, max_features=max_features, random_state=0).fit(table, NUMBER)
    ensemble = gw.read(bag, table)
    assert ensemble.n_trees == 12 and ensemble.source.parity.leaves_equal
    assert ensemble.feature_names == (("a", "b c", "d") if named else ("x0", "x1", "x2"))
    assert ensemble.predict(table) == pytest.approx(bag.predict(table))


def test_a_bag_of_forests_of_classes() -> None:
    bag = BaggingClassifier(forest, n_estimators=2, random_state=0).fit(X, THREE)
    ensemble = gw.read(bag, X)
    assert ensemble.outputs == ("high", "low", "middle") and ensemble.source.parity.leaves_equal


def test_bags_whose_mean_is_not_a_sum_are_refused() -> None:
    bag = BaggingClassifier(booster, n_estimators=2, random_state=0).fit(X, TWO)
    with pytest.raises(gw.UnsupportedModelError, match=r"LGBMClassifier, which .* by a link \(logit\).*estimators_"):
        gw.read(bag)
