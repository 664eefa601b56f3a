"""Pipelines and searches: splits on transformed columns equal splits on the caller's columns, to the last float."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import SelectKBest, VarianceThreshold, f_regression
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import glasswood as gw
from glasswood.ensemble import unpack_set
from glasswood.readers.pipelines import _expand
from glasswood.readers.pipelines._levels import EncodedColumn, Fill
from tests.agreement.pipeline_tables import LEVELS, NUMBERS, mixed_frame, rows_on_thresholds, target

# splits in the caller's own columns


def test_a_split_on_a_one_hot_column_is_a_set_of_levels() -> None:
    X = pd.DataFrame({"city": ["Rome", "Oslo", "Paris"] * 4})
    pipeline = make_pipeline(OneHotEncoder(handle_unknown="ignore"), DecisionTreeRegressor(max_depth=1))
    ensemble = gw.read(pipeline.fit(X, (X.city == "Rome").astype(float)), X)
    assert ensemble.features.categories == (("Oslo", "Paris", "Rome"),)
    assert unpack_set(ensemble.set_bits)[:3].tolist() == [True, True, False]  # city=Rome <= 0.5
    assert bool(ensemble.unseen_left[0]) and bool(ensemble.missing_left[0])  # all zeros
    assert ensemble.predict(pd.DataFrame({"city": ["Rome", "Oslo", "never seen", None]})).tolist() == [1, 0, 0, 0]


def test_a_threshold_behind_a_scaler_is_the_last_float_that_goes_left() -> None:
    X = np.array([[0.1], [0.2], [0.3], [1e6]])
    pipeline = make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit(X, X[:, 0])
    ensemble = gw.read(pipeline, X)
    cuts = ensemble.threshold[np.isfinite(ensemble.threshold)]
    assert len(cuts) == 3
    for cut in cuts:
        left, right = pipeline[-1].apply(pipeline[:-1].transform([[cut], [np.nextafter(cut, np.inf)]]))
        assert left != right


def test_an_imputer_is_where_missing_values_go() -> None:
    X = np.array([[0.0], [1.0], [np.nan], [9.0]])
    pipeline = make_pipeline(SimpleImputer(strategy="median"), DecisionTreeRegressor()).fit(X, [0.0, 1.0, 1.0, 9.0])
    ensemble = gw.read(pipeline, X)
    assert ensemble.features.missing_routed.tolist() == [True]
    assert ensemble.predict(np.array([[np.nan]])).tolist() == pipeline.predict([[np.nan]]).tolist()


def test_a_decreasing_function_swaps_the_sides() -> None:
    X = np.arange(8.0).reshape(-1, 1)
    pipeline = make_pipeline(FunctionTransformer(np.negative), DecisionTreeRegressor()).fit(X, X[:, 0] ** 2)
    ensemble = gw.read(pipeline, X)
    assert ensemble.predict(X).tolist() == (X[:, 0] ** 2).tolist()


def test_splits_that_always_go_one_way_are_kept() -> None:
    X = pd.DataFrame({"a": np.arange(8.0), "b": ["u", "v"] * 4})
    columns = make_column_transformer((OneHotEncoder(), ["b"]), remainder="passthrough")
    pipeline = make_pipeline(columns, DecisionTreeRegressor()).fit(X, X.a)
    pipeline[-1].tree_.threshold[0] = 1e9  # all rows go left
    ensemble = gw.read(pipeline, X)
    assert ensemble.n_leaves == 8
    assert ensemble.source.parity.leaves_equal


def test_trees_without_a_split() -> None:
    X = pd.DataFrame({"x": np.zeros(6), "k": ["a"] * 6})
    columns = make_column_transformer((OneHotEncoder(), ["k"]), (StandardScaler(), ["x"]))
    pipeline = make_pipeline(columns, DecisionTreeRegressor()).fit(X, np.ones(6))
    assert gw.read(pipeline, X).n_leaves == 1


def test_a_bin_is_two_cuts_and_unreachable_parts_are_left_out() -> None:
    X = np.arange(40.0).reshape(-1, 1)
    bins = KBinsDiscretizer(4, strategy="uniform", encode="onehot-dense")
    pipeline = make_pipeline(bins, DecisionTreeRegressor()).fit(X, np.floor(X[:, 0] / 10) % 3)
    ensemble = gw.read(pipeline, X)
    assert ensemble.source.weight_kind == "none" and np.isnan(ensemble.weight).all()
    assert ensemble.n_leaves <= 6
    assert any("several cuts" in note for note in ensemble.source.notes)
    assert np.array_equal(ensemble.apply(X)[:, 0], pipeline[-1].apply(pipeline[:-1].transform(X)))


def test_trees_that_would_grow_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_expand, "MAX_GROWTH", 0)
    monkeypatch.setattr(_expand, "_EXTRA_NODES", 3)
    X = np.arange(40.0).reshape(-1, 1)
    bins = KBinsDiscretizer(4, strategy="uniform", encode="onehot-dense")
    pipeline = make_pipeline(bins, DecisionTreeRegressor()).fit(X, np.floor(X[:, 0] / 10) % 3)
    with pytest.raises(gw.UnsupportedModelError, match="beyond 3 nodes; use KBinsDiscretizer"):
        gw.read(pipeline)


@pytest.mark.parametrize("function", [np.sqrt, np.cbrt])
def test_missing_values_and_several_cuts_in_one_tree(function: Any) -> None:
    X = np.array([[-4.0, np.nan], [-1.0, 0.0], [0.0, 1.0], [1.0, np.nan], [4.0, 2.0], [np.nan, 3.0], [9.0, -1.0]] * 3)
    steps = make_pipeline(FunctionTransformer(function), DecisionTreeRegressor(random_state=0))
    with np.errstate(invalid="ignore"):
        steps.fit(X, np.arange(21.0) % 7)
        rows = np.array([[a, b] for a in [*np.linspace(-5, 10, 31), np.nan] for b in [*np.linspace(-2, 4, 13), np.nan]])
        assert gw.read(steps, rows).source.parity.leaves_equal


def test_levels_behind_imputers() -> None:
    column = EncodedColumn(
        ("a", "b"), np.array([0, 1, -1, -1]), np.array([[10.0], [20.0]]), np.zeros(0, dtype=int), np.array([5.0]),
        unseen_refused=True, missing_refused=True,
    )  # fmt: skip
    filled = column.filled([Fill("?", "a"), Fill(None, "b")])
    assert filled.labels == ("a", "b", "?")
    assert filled.values(0).tolist() == [10, 20, 10, 5, 20]
    assert not filled.missing_refused
    assert column.filled([Fill(None, "z")]).missing_refused
    assert column.at(("b", "c"), 0).tolist() == [20, 5, 5, 5]


# compositions against scikit-learn

NUMBER_STEPS: list[Any] = [
    StandardScaler(),
    RobustScaler(),
    MinMaxScaler((-2, 5)),
    PowerTransformer(),
    QuantileTransformer(n_quantiles=10),
    KBinsDiscretizer(3, encode="ordinal", strategy="uniform"),
    KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform"),
    FunctionTransformer(np.arcsinh),
    FunctionTransformer(np.negative),
    FunctionTransformer(np.cbrt),
    VarianceThreshold(),
]
LEVEL_STEPS: list[Any] = [
    OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=2, sparse_output=False),
    OneHotEncoder(handle_unknown="ignore", min_frequency=3, sparse_output=False),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-5, encoded_missing_value=-2, max_categories=3),
    TargetEncoder(cv=2),
]
texts = st.sampled_from(["a", "b", "c", "d", ""])


@st.composite
def frames(draw: Any) -> pd.DataFrame:
    n = draw(st.integers(12, 30))
    values = st.one_of(st.integers(-4, 4).map(float), st.floats(-1e3, 1e3))
    level = draw(st.sampled_from(["text", "text or None", "whole", "bool"]))
    levels = {
        "text": texts,
        "text or None": st.one_of(texts, st.none()),
        "whole": st.integers(-3, 3),
        "bool": st.booleans(),
    }[level]
    frame = pd.DataFrame({"x": draw(st.lists(values, min_size=n, max_size=n))})
    frame["z"] = draw(st.lists(values, min_size=n, max_size=n))
    frame["k"] = pd.Series(
        draw(st.lists(levels, min_size=n, max_size=n)), dtype=object if level.startswith("text") else None
    )
    return frame


@given(
    frames(),
    st.lists(st.sampled_from(NUMBER_STEPS), min_size=0, max_size=3),
    st.sampled_from(LEVEL_STEPS),
    st.booleans(),
    st.integers(0, 3),
)
@settings(max_examples=60)
def test_compositions_agree_with_scikit_learn(
    X: pd.DataFrame, numbers: list[Any], levels: Any, missing: bool, depth: int
) -> None:
    if missing:
        X = X.assign(x=X.x.where(X.index % 5 > 0))
        numbers = [SimpleImputer(add_indicator=True), *numbers]
    # a step gets the output of the one before, such as bins of a power of a scaled column
    columns = make_column_transformer(
        (Pipeline([(str(k), step) for k, step in enumerate(numbers)] or [("0", "passthrough")]), ["z", "x"]),
        (levels, ["k"]),
    )
    y = np.cos(X.z.to_numpy() * 3 + np.arange(len(X)))
    tree = DecisionTreeRegressor(max_depth=depth + 1, min_samples_leaf=1 + depth, random_state=0)
    pipeline = make_pipeline(columns, tree)
    try:
        pipeline.fit(X, y)
    except (ValueError, RuntimeWarning, UserWarning, FutureWarning):
        return  # for example, a constant column that cannot be cut into bins
    ensemble = gw.read(pipeline)
    rows = rows_on_thresholds(ensemble, X, unseen=X.k.dtype == object, missing=("x",) if missing else ())
    assert gw.read(pipeline, rows).source.parity.leaves_equal


# tables of other kinds


def test_arrays_and_other_frames_reach_the_pipeline() -> None:
    X = mixed_frame(missing=False)
    columns = make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(), LEVELS))
    pipeline = make_pipeline(columns, RandomForestRegressor(3, random_state=0)).fit(X, target(X))
    assert gw.read(pipeline, pl.from_pandas(X)).source.parity.leaves_equal
    named = gw.read(pipeline, X.to_numpy()).source.parity
    assert named.leaves_equal and "names" in named.asked_with
    assert gw.read(pipeline, X.astype(object).to_numpy().tolist()).source.parity.leaves_equal
    assert gw.read(pipeline, X[X.columns[::-1]]).source.parity.leaves_equal
    plain = make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit(X[NUMBERS].to_numpy(), target(X))
    assert "without its names" in gw.read(plain, X[NUMBERS]).source.parity.asked_with


def test_verbs_take_a_pipeline() -> None:
    X = mixed_frame()
    columns = make_column_transformer((SimpleImputer(), NUMBERS), (OneHotEncoder(handle_unknown="ignore"), ["city"]))
    pipeline = make_pipeline(columns, RandomForestRegressor(3, random_state=0, max_depth=4)).fit(X, target(X))
    effects = gw.effects(pipeline, X)
    assert set(effects["city"].to_frame("pandas")["category"]) >= {"Rome", "Oslo"}


def test_the_best_of_a_search_is_read() -> None:
    X = mixed_frame()[NUMBERS]
    y = (target(X) > 5).astype(int)
    tree = make_pipeline(SimpleImputer(), DecisionTreeClassifier(random_state=0))
    grid = {"decisiontreeclassifier__max_depth": [1, 3]}
    for search in (GridSearchCV(tree, grid, cv=2), RandomizedSearchCV(tree, grid, n_iter=1, cv=2, random_state=0)):
        ensemble = gw.read(search.fit(X, y), X)
        assert ensemble.source.parity.leaves_equal
        assert ensemble == gw.read(search.best_estimator_)
        assert any("best model of a" in note for note in ensemble.source.notes)
    with pytest.raises(gw.UnsupportedModelError, match="refit=True"):
        gw.read(GridSearchCV(tree, grid, cv=2, refit=False).fit(X, y))


def test_a_decision_threshold_is_noted() -> None:
    X = mixed_frame()[["fare"]]
    y = (X.fare > 30).astype(int)
    forest = RandomForestClassifier(3, random_state=0)
    for model in (FixedThresholdClassifier(forest, threshold=0.2), TunedThresholdClassifierCV(forest, cv=2)):
        ensemble = gw.read(model.fit(X, y), X)
        assert ensemble.source.parity.leaves_equal
        assert any("decides between the classes at" in note for note in ensemble.source.notes)


def test_selected_columns_are_followed() -> None:
    X = mixed_frame(missing=False)[[*NUMBERS, "code"]].assign(noise=1.0)
    steps = [VarianceThreshold(), SelectKBest(f_regression, k=2), StandardScaler()]
    pipeline = make_pipeline(*steps, DecisionTreeRegressor(max_depth=4)).fit(X, target(X.drop(columns="noise")))
    ensemble = gw.read(pipeline, X)
    assert ensemble.source.parity.leaves_equal
    assert ensemble.feature_names == tuple(X)


# what is noticed, noted and refused


def test_a_pipeline_that_changed_is_read_again() -> None:
    X = np.arange(8.0).reshape(-1, 1)
    pipeline = make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit(X, X[:, 0])
    first = gw.read(pipeline)
    assert gw.read(pipeline) is first
    pipeline[0].mean_ += 1.0
    assert gw.read(pipeline, X) != first


def test_notes_say_what_scikit_learn_refuses() -> None:
    X = mixed_frame(missing=False)[["city"]]
    pipeline = make_pipeline(OneHotEncoder(), DecisionTreeRegressor()).fit(X, target(X))
    notes = " ".join(gw.read(pipeline).source.notes)
    assert "a level it has not seen in 'city'" in notes and "a missing value in 'city'" in notes
    with pytest.raises(gw.TableError, match="Found unknown categories"):
        gw.read(pipeline, pd.DataFrame({"city": ["never seen"]}))


X_NUMBERS = mixed_frame(missing=False)[NUMBERS]
DERIVED: list[tuple[Any, str]] = [
    (PCA(1), "computed by PCA in the pipeline: 'pca0'"),
    (KNNImputer(), "computed by KNNImputer in the pipeline: 'knnimputer__age', 'knnimputer__fare'"),
    (FunctionTransformer(np.square), "FunctionTransformer holds square"),
    (FunctionTransformer(np.round, kw_args={"decimals": 1}), "FunctionTransformer holds round"),
    (make_pipeline(StandardScaler(), OneHotEncoder()), "encodes what StandardScaler made"),
    (make_pipeline(OrdinalEncoder(), OneHotEncoder()), "encodes what another encoder made"),
    (
        ColumnTransformer([("n", StandardScaler(), NUMBERS)], transformer_weights={"n": 2.0}),
        "ColumnTransformer weighs 'n'",
    ),
]


@pytest.mark.parametrize(("step", "why"), DERIVED, ids=[why for _, why in DERIVED])
def test_what_is_not_one_column_of_the_table_is_a_derived_feature_with_the_reason(step: Any, why: str) -> None:
    pipeline = make_pipeline(step, DecisionTreeRegressor(max_depth=2)).fit(X_NUMBERS, target(X_NUMBERS))
    ensemble = gw.read(pipeline, X_NUMBERS)
    assert any(why in note for note in ensemble.source.notes)
    assert not set(ensemble.feature_names) & set(NUMBERS)


def test_pipelines_without_a_model_or_a_fit_are_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="ends in a transformer"):
        gw.read(make_pipeline(StandardScaler()).fit(X_NUMBERS))
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(make_pipeline(StandardScaler(), DecisionTreeRegressor()))


def test_a_custom_step_that_overrides_transform_computes_features() -> None:
    class Odd(StandardScaler):  # type: ignore[misc]
        def transform(self, X: Any, copy: Any = None) -> Any:
            return np.asarray(X) % 7

    pipeline = make_pipeline(Odd(), DecisionTreeRegressor()).fit(X_NUMBERS, target(X_NUMBERS))
    ensemble = gw.read(pipeline, X_NUMBERS)
    assert ensemble.feature_names == ("odd__age", "odd__fare")
    assert np.array_equal(ensemble.predict(X_NUMBERS), pipeline.predict(X_NUMBERS))


def test_encoders_fitted_with_none_and_nan_give_derived_features() -> None:
    X = np.array([["a"], ["b"], [None], [np.nan]], dtype=object)
    pipeline = make_pipeline(OneHotEncoder(), DecisionTreeRegressor()).fit(X, np.arange(4.0))
    ensemble = gw.read(pipeline, X)
    assert any("both None and NaN" in note for note in ensemble.source.notes)
    assert ensemble.predict(X).tolist() == [0.0, 1.0, 2.0, 3.0]
