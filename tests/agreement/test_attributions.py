"""Attributions of models of five libraries and of our own: the game over all coalitions, and the libraries' own numbers
where those are right."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import align
from tests.agreement.small_models import (
    catboost,
    forest,
    frame,
    histogram_boosting,
    lightgbm,
    numbers,
    own,
    perpetual,
    target,
    xgboost,
)
from tests.agreement.tables import COLOURS, UNSEEN, mixed_frame, signal
from tests.reference import attributions as reference
from tests.reference.effects import encode

LIBRARIES = [lightgbm, xgboost, catboost, perpetual, histogram_boosting, forest, own]


def columns_of(e: gw.Ensemble, X: Any) -> list[Any]:
    rows = align(X, e.features)
    return [rows.column(f).astype(float) for f in range(len(e.features))]


@pytest.mark.parametrize("n_classes", [0, 3])
@pytest.mark.parametrize("make", LIBRARIES)
@pytest.mark.filterwarnings("ignore")
def test_values_equal_the_game_over_all_coalitions(make: Any, n_classes: int) -> None:
    model, X = make(n_classes)
    rows, over = X[:4], X[4:14]
    weight = np.random.default_rng(2).random(len(over)) + 0.1
    e = gw.read(model, X)
    by_path = gw.attributions(model, rows, interactions=True)
    by_rows = gw.attributions(model, rows, background=over, sample_weight=weight, interactions=True)
    p, k = len(e.features), e.n_outputs
    cells, background = encode(e, columns_of(e, rows)), encode(e, columns_of(e, over))
    for r, row in enumerate(cells):
        for found, game in (
            (by_path, reference.by_path(e, row)),
            (by_rows, reference.by_rows(e, row, background, weight)),
        ):
            np.testing.assert_allclose(found.baseline, game.base, rtol=0, atol=1e-11)
            np.testing.assert_allclose(found.values[r].reshape(p, k), game.values, rtol=0, atol=1e-11)
            assert found.interactions is not None
            np.testing.assert_allclose(found.interactions[r].reshape(p, p, k), game.pairs, rtol=0, atol=1e-11)


@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), which=st.sampled_from(["lightgbm", "xgboost", "catboost", "sklearn", "own"]))
@pytest.mark.filterwarnings("ignore")
def test_random_models_with_categories_missing_and_unseen_values(seed: int, which: str) -> None:
    rng = np.random.default_rng(seed)
    train = mixed_frame(300, seed)[["normal", "colour", "holes", "grid"]]
    y = signal(mixed_frame(300, seed), seed)
    asked = mixed_frame(3, seed + 1, unseen=which not in ("lightgbm", "xgboost"))[train.columns]
    over = mixed_frame(6, seed + 2)[train.columns]
    depth = int(rng.integers(1, 6))
    if which == "sklearn":
        from sklearn.ensemble import ExtraTreesRegressor

        train, asked, over = (part.drop(columns="colour") for part in (train, asked, over))
        model = ExtraTreesRegressor(3, max_depth=depth, random_state=seed % 1000).fit(train, y)
    elif which == "own":
        model = gw.BoostingRegressor(n_estimators=4, max_depth=depth).fit(train, y)
    elif which == "catboost":
        from catboost import CatBoostRegressor

        model = CatBoostRegressor(
            n_estimators=4, max_depth=depth, verbose=0, thread_count=1, one_hot_max_size=10, cat_features=["colour"],
            allow_writing_files=False, grow_policy=str(rng.choice(["SymmetricTree", "Depthwise", "Lossguide"])),
        ).fit(train, y)  # fmt: skip
    else:
        train, asked, over = (
            part.assign(colour=pd.Categorical(part["colour"], categories=COLOURS)) for part in (train, asked, over)
        )
        if which == "lightgbm":
            from lightgbm import LGBMRegressor

            model = LGBMRegressor(
                n_estimators=4, num_leaves=2**depth, min_data_per_group=5, cat_smooth=1, verbose=-1, n_jobs=1
            ).fit(train, y)
        else:
            from xgboost import XGBRegressor

            onehot = int(rng.choice([1, 10]))
            model = XGBRegressor(
                n_estimators=4, max_depth=depth, enable_categorical=True, max_cat_to_onehot=onehot, n_jobs=1
            ).fit(train, y)
    e = gw.read(model, over)
    found = gw.attributions(e, asked, background=over, interactions=True)
    path = gw.attributions(e, asked, interactions=True)
    cells, background = encode(e, columns_of(e, asked)), encode(e, columns_of(e, over))
    for r, row in enumerate(cells):
        game = reference.by_rows(e, row, background, np.ones(len(background)))
        np.testing.assert_allclose(found.values[r], game.values[:, 0], rtol=0, atol=1e-11)
        assert found.interactions is not None and path.interactions is not None
        np.testing.assert_allclose(found.interactions[r], game.pairs[..., 0], rtol=0, atol=1e-11)
        game = reference.by_path(e, row)
        np.testing.assert_allclose(path.values[r], game.values[:, 0], rtol=0, atol=1e-11)
        np.testing.assert_allclose(path.interactions[r], game.pairs[..., 0], rtol=0, atol=1e-11)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.filterwarnings("ignore")
def test_path_equals_lightgbm(n_classes: int) -> None:
    model, X = lightgbm(n_classes)
    X = frame(200, 5)
    found = gw.attributions(model, X).to_numpy(bias=True)
    theirs = model.predict(X, pred_contrib=True)
    if n_classes == 3:  # one output after the other
        theirs = theirs.reshape(len(X), 3, -1).transpose(0, 2, 1)
    np.testing.assert_allclose(found, theirs, rtol=0, atol=1e-12)


def test_a_random_forest_of_lightgbm_is_a_mean_but_its_contributions_are_a_sum() -> None:
    from lightgbm import LGBMRegressor

    X, y = numbers(), target(0)
    model = LGBMRegressor(
        n_estimators=10, boosting_type="rf", bagging_freq=1, bagging_fraction=0.6, verbose=-1, n_jobs=1
    ).fit(X, y)
    found, theirs = gw.attributions(model, X), model.predict(X, pred_contrib=True)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, model.predict(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(10 * found.values, theirs[:, :-1], rtol=0, atol=1e-11)  # LightGBM#6217


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.filterwarnings("ignore")
def test_path_equals_xgboost(n_classes: int) -> None:
    import xgboost as library

    model, _ = xgboost(n_classes)
    X = frame(200, 5)
    found = gw.attributions(model, X, interactions=True)
    table = library.DMatrix(X, enable_categorical=True)
    theirs = model.get_booster().predict(table, pred_contribs=True)
    pairs = model.get_booster().predict(table, pred_interactions=True)
    ours, own_pairs = found.to_numpy(bias=True), found.interactions
    assert own_pairs is not None
    if n_classes == 3:
        theirs, pairs = theirs.transpose(0, 2, 1), pairs.transpose(0, 2, 3, 1)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)  # theirs are float32
    np.testing.assert_allclose(own_pairs, pairs[:, :-1, :-1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.filterwarnings("ignore")
def test_path_equals_catboost(n_classes: int) -> None:
    from catboost import Pool

    model, _ = catboost(n_classes)
    X = frame(200, 5)
    pool = Pool(X, cat_features=["colour"])
    found = gw.attributions(model, X, interactions=True)
    theirs = model.get_feature_importance(pool, type="ShapValues")
    if n_classes == 3:
        theirs = theirs.transpose(0, 2, 1)
    np.testing.assert_allclose(found.to_numpy(bias=True), theirs, rtol=0, atol=1e-12)
    pairs = model.get_feature_importance(pool, type="ShapInteractionValues")
    if n_classes == 3:  # one output after the other; the last row and column belong to the baseline
        pairs = pairs.transpose(0, 2, 3, 1)
    assert found.interactions is not None
    np.testing.assert_allclose(found.interactions, pairs[:, :-1, :-1], rtol=0, atol=1e-12)


def test_path_equals_lightgbm_after_a_weighted_fit_because_both_count_rows() -> None:
    from lightgbm import LGBMRegressor

    X, y = numbers(), target(0)
    weight = np.random.default_rng(4).exponential(size=len(y))
    model = LGBMRegressor(n_estimators=10, num_leaves=8, verbose=-1, n_jobs=1).fit(X, y, sample_weight=weight)
    found = gw.attributions(model, X)
    assert found.weight_kind == "rows"
    theirs = model.predict(X, pred_contrib=True)
    np.testing.assert_allclose(found.to_numpy(bias=True), theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("by_rows", [False, True])
def test_a_pair_that_is_never_on_one_path_is_exactly_0(by_rows: bool) -> None:
    from xgboost import XGBRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + X[:, 0] * X[:, 2]
    model = XGBRegressor(n_estimators=20, max_depth=4, interaction_constraints="[[0,1],[2,3]]", n_jobs=1).fit(X, y)
    found = gw.attributions(model, X, background=X if by_rows else None, interactions=True).interactions
    assert found is not None
    assert not found[:, :2, 2:].any() and not found[:, 2:, :2].any()
    assert found[:, 0, 1].any() and found[:, 2, 3].any()


@pytest.mark.parametrize("make", LIBRARIES)
@pytest.mark.filterwarnings("ignore")
def test_rows_on_and_beside_thresholds_add_up(make: Any) -> None:
    from tests.agreement.tables import threshold_neighbours

    model, X = make(0)
    e = gw.read(model, X)
    beside = threshold_neighbours(e, X)
    for background in (None, X):
        found = gw.attributions(e, beside, background=background)
        np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, e.predict_raw(beside), rtol=0, atol=1e-11)


def test_a_forest_to_purity_adds_up_with_interactions() -> None:
    from sklearn.ensemble import RandomForestRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 20))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=1500)
    model = RandomForestRegressor(3, max_features=0.3, random_state=0).fit(X, y)
    for background in (None, X[:100]):
        found = gw.attributions(model, X[:60], background=background, interactions=True)
        assert found.interactions is not None
        np.testing.assert_allclose(found.values.sum(axis=1) + found.baseline, model.predict(X[:60]), rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.interactions.sum(axis=2), found.values, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found.interactions, found.interactions.swapaxes(1, 2))


def test_unseen_labels_exist_in_these_tests() -> None:
    assert mixed_frame(60, 1, unseen=True)["colour"].isin(UNSEEN).any()
