"""examples: every kind equals its definition, for every kind of model."""

import warnings
from typing import Any

import lightgbm as lgb
import numpy as np
import pandas as pd
import polars as pl
import pytest
import xgboost as xgb
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw
from glasswood.errors import NoNeighbourWarning, OptionError, TableError, UnsupportedModelError
from tests.reference import neighbours as reference
from tests.reference import predict
from tests.reference.built import built
from tests.reference.effect_cases import as_frame
from tests.reference.ensembles import Recipe, random_columns, random_ensemble

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=150)
CLASS = np.where(Y > 0.5, "high", np.where(Y > -0.5, "mid", "low"))
QUERIES = RNG.normal(size=(30, 4))


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["leaf_weight", "breiman", "boosted"]),
    weighted=st.booleans(),
    min_rows_per_leaf=st.integers(1, 3),
    k=st.integers(1, 15),
)
def test_similarity_equals_brute_force(seed: int, kind: Any, weighted: bool, min_rows_per_leaf: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    n_features, n_outputs = int(rng.integers(1, 5)), int(rng.integers(1, 3))
    recipe = Recipe(
        n_trees=int(rng.integers(0, 7)),
        n_features=n_features,
        n_category_features=int(rng.integers(0, n_features + 1)),
        n_outputs=n_outputs,
        width=int(rng.choice([1, n_outputs])),
        n_leaves=int(rng.choice([2, 5, 20])),
    )
    arrays = random_ensemble(rng, recipe)
    train, asked = random_columns(rng, arrays, 12), random_columns(rng, arrays, 7)
    weight = rng.choice([0.0, 1.0, 2.5, 0.3], 12) if weighted else None
    if weight is not None:
        weight[0] = 1.0
    ensemble = built(arrays)
    leaf = predict.reached(arrays, train)
    tree_weight = reference.tree_variance(arrays["value"][leaf], weight) if kind == "boosted" else None
    expected = reference.similarity(
        predict.reached(arrays, asked),
        leaf,
        kind=kind,
        weight=weight,
        tree_weight=tree_weight,
        min_rows_per_leaf=min_rows_per_leaf,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoNeighbourWarning)
        index = gw.examples(
            ensemble,
            as_frame(ensemble, train),
            method=kind,
            sample_weight=weight,
            min_rows_per_leaf=min_rows_per_leaf,
            n_jobs=2,
        )
        found = index.weights(as_frame(ensemble, asked)).toarray()
        nearest = index.nearest(as_frame(ensemble, asked), k=k)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    row, similarity = reference.top(found, min(k, found.shape[1]))
    np.testing.assert_array_equal(nearest.row, row)
    np.testing.assert_array_equal(nearest.similarity, similarity)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(20, bootstrap=False, max_features=2, max_leaf_nodes=20, random_state=0),
        ExtraTreesRegressor(20, min_samples_leaf=3, random_state=0),
        gw.ForestRegressor(20, bootstrap=False, max_features=2, max_leaf_nodes=20, random_state=0),
    ],
    ids=["random", "extra", "own"],
)
def test_weights_times_target_is_the_prediction_without_bootstrap(model: Any) -> None:
    model = clone(model).fit(X, Y)
    W = gw.examples(model, X).weights(QUERIES)
    np.testing.assert_allclose(W @ Y, model.predict(QUERIES), rtol=0, atol=1e-12)
    assert (W.data > 0).all()
    np.testing.assert_allclose(W.sum(axis=1), 1, rtol=1e-13)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(20, max_samples=0.7, random_state=0),
        BaggingRegressor(DecisionTreeRegressor(), 10, max_samples=0.5, max_features=0.7, random_state=0),
        BaggingRegressor(DecisionTreeRegressor(max_depth=3), 10, bootstrap=False, max_samples=0.5, random_state=0),
        gw.ForestRegressor(20, min_samples_leaf=2, random_state=0),
        gw.ForestRegressor(5, bootstrap=False, random_state=0),
    ],
    ids=["forest", "bagging", "pasting", "own", "own without bootstrap"],
)
def test_inbag_weights_times_target_is_the_prediction(model: Any) -> None:
    model = clone(model).fit(X, Y)
    W = gw.examples(model, X, method="inbag").weights(QUERIES)
    np.testing.assert_allclose(W @ Y, model.predict(QUERIES), rtol=0, atol=1e-12)
    np.testing.assert_allclose(W.sum(axis=1), 1, rtol=1e-13)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(20, random_state=0),
        BaggingClassifier(DecisionTreeClassifier(max_depth=4), 10, random_state=0),
        gw.ForestClassifier(20, random_state=0),
    ],
    ids=["forest", "bagging", "own"],
)
def test_inbag_weights_give_class_shares(model: Any) -> None:
    model = clone(model).fit(X, CLASS)
    W = gw.examples(model, X, CLASS, method="inbag").weights(QUERIES)
    np.testing.assert_allclose(W @ (CLASS[:, None] == model.classes_), model.predict_proba(QUERIES), atol=1e-12)


def test_forests_that_drew_by_weight_need_no_weights() -> None:
    weight = RNG.uniform(0, 3, len(X))
    drawn = gw.ForestRegressor(10, random_state=0).fit(X, Y, weight)
    np.testing.assert_allclose(
        gw.examples(drawn, X, method="inbag").weights(QUERIES) @ Y, drawn.predict(QUERIES), atol=1e-12
    )
    whole = gw.ForestRegressor(10, bootstrap=False, max_leaf_nodes=9, random_state=0).fit(X, Y, weight)
    W = gw.examples(whole, X, method="inbag", sample_weight=weight).weights(QUERIES)
    np.testing.assert_allclose(W @ Y, whole.predict(QUERIES), atol=1e-12)


def test_inbag_equals_its_definition() -> None:
    forest = RandomForestRegressor(6, max_leaf_nodes=8, random_state=0).fit(X, Y)
    copies = np.stack([np.bincount(drawn, minlength=len(X)) for drawn in forest.estimators_samples_], axis=1)
    weight = RNG.choice([0.0, 1.0, 2.0], len(X))
    expected = reference.similarity(
        forest.apply(QUERIES[:5]), forest.apply(X), weight=weight, copies=copies, min_rows_per_leaf=12
    )
    found = gw.examples(forest, X, method="inbag", sample_weight=weight, min_rows_per_leaf=12).weights(QUERIES[:5])
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("what", ["ensemble", "file", "boosting", "tree"])
def test_inbag_needs_draws(what: str, tmp_path: Any) -> None:
    forest = gw.ForestRegressor(3, random_state=0).fit(X, Y)
    forest.ensemble_.save(tmp_path / "forest.gw")
    model = {
        "ensemble": forest.ensemble_,
        "file": tmp_path / "forest.gw",
        "boosting": GradientBoostingClassifier(n_estimators=2).fit(X, CLASS),
        "tree": DecisionTreeRegressor().fit(X, Y),
    }[what]
    with pytest.raises(UnsupportedModelError, match="which rows its trees were grown on"):
        gw.examples(model, X, method="inbag")


def test_a_weight_of_k_is_the_row_repeated_k_times() -> None:
    model = gw.read(RandomForestRegressor(10, max_leaf_nodes=10, random_state=0).fit(X, Y))
    weight = RNG.integers(0, 4, len(X))
    origin = np.repeat(np.arange(len(X)), weight)
    for kind in ("leaf_weight", "boosted"):
        found = gw.examples(model, X, method=kind, sample_weight=weight).weights(QUERIES).toarray()
        repeated = gw.examples(model, X[origin], method=kind).weights(QUERIES).toarray()
        summed = np.array([np.bincount(origin, weights=line, minlength=len(X)) for line in repeated])
        np.testing.assert_allclose(found, summed, rtol=1e-11, atol=1e-15)


def test_a_boosted_tree_counts_by_how_much_its_value_varies() -> None:
    # one tree splits at 0 with values -3 and 3, the other at 1 with values 0 and 0.001
    first = DecisionTreeRegressor(max_depth=1).fit([[-1.0], [1.0]], [-3.0, 3.0])
    model = gw.read(first)
    index = gw.examples(model, np.array([[-1.0], [-2.0], [2.0]]), method="boosted")
    assert index.tree_weight == pytest.approx([8.0])  # values -3, -3, 3 have variance 8
    assert index.weights(np.array([[-5.0]])).toarray().tolist() == [[0.5, 0.5, 0.0]]


def test_boosted_models_weight_their_trees_by_default() -> None:
    kinds = {
        "boosted": [
            lgb.LGBMRegressor(n_estimators=5, verbose=-1, n_jobs=1),
            xgb.XGBRegressor(n_estimators=5, n_jobs=1),
            HistGradientBoostingRegressor(max_iter=5),
            gw.BoostingRegressor(n_estimators=5),
        ],
        "leaf_weight": [
            RandomForestRegressor(5, random_state=0),
            xgb.XGBRFRegressor(n_estimators=5, n_jobs=1),
            gw.ForestRegressor(5, random_state=0),
            DecisionTreeRegressor(),
        ],
    }
    for kind, models in kinds.items():
        for model in models:
            assert gw.examples(model.fit(X, Y), X, Y).method == kind
    assert gw.examples(models[0], X, Y, method="boosted").method == "boosted"


def test_neighbours_of_a_boosted_model_have_answers_like_the_query() -> None:
    """The default finds rows with more similar predictions than plain leaf weights do."""
    rng = np.random.default_rng(3)
    rows = rng.uniform(0, 24, size=(1500, 4)).round()
    target = 100 * np.sin(rows[:, 0] / 24 * 2 * np.pi) + rows[:, 1] + rng.normal(size=1500)
    model = gw.BoostingRegressor(n_estimators=150, max_depth=5).fit(rows, target)
    said = model.predict(rows)

    def miss(kind: Any) -> float:
        near = gw.examples(model, rows, method=kind).nearest(rows[:200], k=6).row[:, 1:]
        return float(np.sqrt(np.mean((said[near] - said[:200, None]) ** 2)))

    assert miss("auto") < 0.8 * miss("leaf_weight")


@pytest.mark.parametrize("kind", ["leaf_weight", "breiman", "boosted"])
def test_no_row_is_more_similar_than_one_in_all_the_same_leaves(kind: Any) -> None:
    model = gw.ForestRegressor(20, min_samples_leaf=3, random_state=0).fit(X, Y)
    index = gw.examples(model, X, method=kind)
    most = index.most(QUERIES)
    assert (index.nearest(QUERIES, k=1).similarity[:, 0] <= most * (1 + 1e-12)).all()
    np.testing.assert_allclose(index.weights(X).diagonal(), index.most(X))
    assert index.most(X[:0]).shape == (0,)


def test_a_query_equal_to_a_row_with_its_own_leaf_finds_it_first() -> None:
    forest = RandomForestRegressor(30, bootstrap=False, max_features=1, random_state=0).fit(X, Y)
    found = gw.examples(forest, X).nearest(X, k=1)
    np.testing.assert_array_equal(found.row[:, 0], np.arange(len(X)))
    np.testing.assert_allclose(found.similarity, 1)


def test_threads_and_batches_change_nothing() -> None:
    forest = RandomForestRegressor(40, min_samples_leaf=5, random_state=0).fit(X, Y)
    one = gw.examples(forest, X, sample_weight=RNG.uniform(size=len(X)))
    queries = RNG.normal(size=(300, 4))
    whole = one.nearest(queries, k=7)
    for index in (one, gw.examples(forest, X, sample_weight=one.row_weight, n_jobs=3)):
        parts = [index.nearest(queries[at : at + 13], k=7) for at in range(0, 300, 13)]
        np.testing.assert_array_equal(np.concatenate([part.row for part in parts]), whole.row)
        np.testing.assert_array_equal(np.concatenate([part.similarity for part in parts]), whole.similarity)


def test_rows_in_small_leaves_are_never_shown() -> None:
    forest = RandomForestRegressor(30, min_samples_leaf=3, random_state=0).fit(X, Y)
    leaf = forest.apply(X)
    size = np.stack([np.bincount(column)[column] for column in leaf.T], axis=1)  # rows in the leaf of each row
    index = gw.examples(forest, X, min_rows_per_leaf=5)
    found = index.nearest(X, k=len(X))
    for query, row in enumerate(found.row):
        alike = (leaf[row[row >= 0]] == leaf[query]) & (size[query] >= 5)
        assert alike.any(axis=1).all()
    with pytest.warns(NoNeighbourWarning, match="150 of 150 queries"):
        none = gw.examples(forest, X, Y, min_rows_per_leaf=1000).nearest(X)
    assert (none.row == -1).all() and not none.similarity.any() and none.target.mask.all()


def test_empty_leaves_are_left_out_and_the_rest_rescaled() -> None:
    forest = gw.read(RandomForestRegressor(30, random_state=0).fit(X, Y))
    few = X[:10]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoNeighbourWarning)
        W = gw.examples(forest, few).weights(QUERIES)
    sums = W.sum(axis=1)
    assert np.allclose(sums[sums > 0], 1) and (sums > 0).any()


@pytest.mark.parametrize("library", ["lightgbm", "xgboost", "catboost", "sklearn"])
def test_categories_and_missing_values_are_routed(library: str) -> None:
    frame = pd.DataFrame(
        {"colour": RNG.choice(["red", "green", "blue"], 200), "x": RNG.normal(size=200), "z": RNG.normal(size=200)}
    )
    frame.loc[::7, "x"] = np.nan
    y = (frame["colour"] == "red") * 2.0 + frame["x"].fillna(3.0)
    categories = frame.astype({"colour": "category"})
    model: Any
    if library == "lightgbm":
        from lightgbm import LGBMRegressor

        model = LGBMRegressor(n_estimators=8, num_leaves=7, verbose=-1, n_jobs=1).fit(categories, y)
    elif library == "xgboost":
        from xgboost import XGBRegressor

        model = XGBRegressor(n_estimators=8, max_depth=3, n_jobs=1, enable_categorical=True).fit(categories, y)
    elif library == "catboost":
        from catboost import CatBoostRegressor

        model = CatBoostRegressor(
            iterations=8, cat_features=["colour"], one_hot_max_size=5, verbose=0, allow_writing_files=False
        ).fit(frame, y)
    else:
        from sklearn.ensemble import HistGradientBoostingRegressor

        model = HistGradientBoostingRegressor(max_iter=3, max_leaf_nodes=7, categorical_features="from_dtype").fit(
            categories, y
        )
    table = frame if library == "catboost" else categories
    leaf = gw.read(model, table).apply(table)
    expected = reference.similarity(leaf[:6], leaf)
    np.testing.assert_allclose(
        gw.examples(model, table, method="leaf_weight").weights(table[:6]).toarray(), expected, rtol=1e-12, atol=1e-15
    )


def test_targets_come_as_they_were_given() -> None:
    forest = RandomForestClassifier(10, random_state=0).fit(X, CLASS)
    found = gw.examples(forest, X, pl.Series(CLASS)).nearest(QUERIES[:2], k=3)
    assert found.target.tolist() == CLASS[found.row].tolist()
    assert gw.examples(forest, X).nearest(QUERIES[:2]).target is None


def test_wrong_options_are_named() -> None:
    tree = DecisionTreeRegressor().fit(X, Y)
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"method": "proximity"}, OptionError, "method must be one of 'auto', 'leaf_weight', .*; got 'proximity'"),
        ({"min_rows_per_leaf": 0}, OptionError, "min_rows_per_leaf must be a whole number, at least 1; got 0"),
        ({"min_rows_per_leaf": 1.5}, OptionError, "min_rows_per_leaf must be a whole number, at least 1; got 1.5"),
        ({"sample_weight": np.zeros(len(X))}, TableError, "zero in every row"),
        ({"y_train": Y[:3]}, TableError, "y_train has 3 values"),
    ]
    for options, error, message in wrong:
        with pytest.raises(error, match=message):
            gw.examples(tree, X, **options)
    with pytest.raises(TableError, match="0 rows"):
        gw.examples(tree, X[:0])
