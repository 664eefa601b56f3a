"""Pipelines: predictions of the whole pipeline for rows on every threshold, transformer by transformer."""

from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from catboost import CatBoostRegressor
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector, make_column_transformer
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.frozen import FrozenEstimator
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, KFold, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

import glasswood as gw
from glasswood.ensemble import Ensemble
from tests.agreement.pipeline_tables import LEVELS, NUMBERS, mixed_frame, rows_on_thresholds, target
from tests.agreement.record import record

forest = RandomForestRegressor(6, random_state=0, max_depth=6)
hist = HistGradientBoostingRegressor(max_iter=8, min_samples_leaf=5)
MODELS: list[Any] = [
    forest,
    hist,
    GradientBoostingRegressor(n_estimators=8, random_state=0),
    lightgbm.LGBMRegressor(n_estimators=8, min_child_samples=5, verbose=-1, n_jobs=1),
    xgboost.XGBRegressor(n_estimators=8, max_depth=4, n_jobs=1),
    CatBoostRegressor(iterations=8, depth=4, verbose=False, allow_writing_files=False, thread_count=1),
    gw.BoostingRegressor(n_estimators=8),
]
LIBRARY = {"sklearn": "scikit-learn", "glasswood": "scikit-learn"}


def agrees(
    pipeline: Any, X: pd.DataFrame, what: str, *, unseen: bool = False, missing: tuple[str, ...] = ()
) -> Ensemble:
    """Fit, read and compare, on the table and on rows on the thresholds."""
    pipeline.fit(X, target(X))
    gw.read(pipeline, X)
    ensemble = gw.read(pipeline)
    rows = rows_on_thresholds(ensemble, X, unseen=unseen, missing=missing)
    rows = rows[(rows[NUMBERS] > 0).all(axis=1)] if "log" in what or "sqrt" in what else rows
    parity = gw.read(pipeline, rows).source.parity
    assert not isinstance(parity, str)
    assert parity.n_rows == len(rows)
    last = pipeline.steps[-1][1] if isinstance(pipeline, Pipeline) else pipeline
    package = type(last).__module__.partition(".")[0]
    model = f"Pipeline of {type(last).__name__}"
    how = "raw" if parity.leaves_equal is None else "leaves and raw"
    record(LIBRARY.get(package, package), model, what, how)
    if package in ("sklearn", "glasswood", "lightgbm", "catboost"):
        assert parity.largest_difference <= 1e-12 * 100
    return ensemble


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_usual_pipeline(model: Any) -> None:
    X = mixed_frame()
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), NUMBERS),
        (OneHotEncoder(handle_unknown="ignore"), LEVELS),
        sparse_threshold=0,
    )
    pipeline = make_pipeline(columns, model)
    ensemble = agrees(pipeline, X, "imputer, scaler, one-hot", unseen=True, missing=("age", "fare"))
    assert ensemble.feature_names == tuple(X)
    assert ensemble.features.categories[2] == ("Bern", "Nîmes", "Oslo", "Paris", "Rome")
    assert ensemble.features.categories[4] == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("model", [forest, MODELS[2], MODELS[3], MODELS[4]], ids=lambda model: type(model).__name__)
def test_sparse_matrices_between_the_steps(model: Any) -> None:
    X = mixed_frame()
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), LEVELS), (MaxAbsScaler(), ["fare"]), sparse_threshold=1.0
    )
    pipeline = make_pipeline(columns, model)
    agrees(pipeline, X, "sparse output", unseen=True)
    assert columns.fit(X).sparse_output_


SCALERS: dict[str, Any] = {
    "StandardScaler": StandardScaler(),
    "StandardScaler without mean": StandardScaler(with_mean=False),
    "MinMaxScaler": MinMaxScaler((-3, 7)),
    "MinMaxScaler that clips": MinMaxScaler(clip=True),
    "MaxAbsScaler": MaxAbsScaler(),
    "RobustScaler": RobustScaler(quantile_range=(10, 80)),
    "PowerTransformer": PowerTransformer(),
    "PowerTransformer, Box-Cox": PowerTransformer("box-cox"),
    "PowerTransformer, not standardised": PowerTransformer(standardize=False),
    "QuantileTransformer": QuantileTransformer(n_quantiles=40),
    "QuantileTransformer, normal": QuantileTransformer(n_quantiles=40, output_distribution="normal"),
    "KBinsDiscretizer, ordinal": KBinsDiscretizer(7, encode="ordinal"),
    "KBinsDiscretizer, ordinal in float32": KBinsDiscretizer(4, encode="ordinal", strategy="uniform", dtype=np.float32),
    "KBinsDiscretizer, one-hot": KBinsDiscretizer(4, strategy="uniform"),
    "KBinsDiscretizer, dense one-hot": KBinsDiscretizer(3, encode="onehot-dense", strategy="kmeans"),
    "Binarizer": Binarizer(threshold=35.0),
    "FunctionTransformer": FunctionTransformer(),
    **{
        f"FunctionTransformer({function.__name__})": FunctionTransformer(function)
        for function in (np.log, np.log1p, np.log2, np.log10, np.sqrt, np.cbrt, np.arcsinh, np.negative)
    },
    "FunctionTransformer(exp) after a scaler": make_pipeline(MinMaxScaler(), FunctionTransformer(np.exp)),
    "FunctionTransformer(expm1) after a scaler": make_pipeline(MinMaxScaler(), FunctionTransformer(np.expm1)),
    "three steps before the model": make_pipeline(
        FunctionTransformer(np.negative), StandardScaler(), KBinsDiscretizer(3, strategy="uniform")
    ),
    "FeatureUnion": make_union(StandardScaler(), KBinsDiscretizer(3, strategy="uniform", encode="onehot-dense")),
}


@pytest.mark.parametrize("what", SCALERS)
@pytest.mark.parametrize("model", [forest, MODELS[3], MODELS[4]], ids=lambda model: type(model).__name__)
def test_transformers_of_numbers(what: str, model: Any) -> None:
    X = mixed_frame(2, missing=False)[NUMBERS]
    X = X[(X > 0).all(axis=1)]
    agrees(make_pipeline(SCALERS[what], model), X, what)


@pytest.mark.parametrize("model", [forest, hist, MODELS[3]], ids=lambda model: type(model).__name__)
def test_numbers_that_a_function_turns_into_missing_values(model: Any) -> None:
    X = mixed_frame(2)[NUMBERS] - 30
    X = X[(X != 0).all(axis=1)]
    with np.errstate(all="ignore"):
        agrees(
            make_pipeline(FunctionTransformer(np.cbrt), FunctionTransformer(np.sqrt), model), X, "roots of negatives"
        )


# name → transformer, whether it takes levels that training did not have
ENCODERS: dict[str, tuple[Any, bool]] = {
    "one-hot, unknown ignored": (OneHotEncoder(handle_unknown="ignore", sparse_output=False), True),
    "one-hot": (OneHotEncoder(sparse_output=False), False),
    "one-hot, first dropped": (OneHotEncoder(drop="first"), False),
    "one-hot, dropped if binary": (OneHotEncoder(drop="if_binary"), False),
    "one-hot, listed levels dropped": (OneHotEncoder(drop=["Oslo", "B", 3]), False),
    "one-hot, min_frequency": (OneHotEncoder(min_frequency=0.1, handle_unknown="infrequent_if_exist"), True),
    "one-hot, max_categories": (OneHotEncoder(max_categories=2, handle_unknown="ignore"), True),
    "one-hot, max_categories and first dropped": (OneHotEncoder(max_categories=3, drop="first"), False),
    "one-hot in float32": (OneHotEncoder(dtype=np.float32), False),
    "ordinal": (OrdinalEncoder(), False),
    "ordinal, unknown is −1": (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), True),
    "ordinal, unknown is NaN": (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan), True),
    "ordinal, missing is −7": (OrdinalEncoder(encoded_missing_value=-7), False),
    "ordinal, min_frequency": (
        OrdinalEncoder(min_frequency=0.1, handle_unknown="use_encoded_value", unknown_value=99),
        True,
    ),
    "ordinal, max_categories": (OrdinalEncoder(max_categories=3), False),
    "target encoding": (TargetEncoder(cv=KFold(3)), True),
    "target encoding, smoothed": (TargetEncoder(target_type="continuous", smooth=5.0, cv=KFold(3)), True),
    "ordinal, scaler": (make_pipeline(OrdinalEncoder(), StandardScaler()), False),
    "one-hot, scaler": (make_pipeline(OneHotEncoder(sparse_output=False), StandardScaler()), False),
    "sparse one-hot, scaler": (make_pipeline(OneHotEncoder(), StandardScaler(with_mean=False)), False),
    "imputer of the most frequent, one-hot": (
        make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()),
        False,
    ),
    "imputer of a constant, one-hot": (
        make_pipeline(SimpleImputer(strategy="constant", fill_value="none"), OneHotEncoder()),
        False,
    ),
}


@pytest.mark.parametrize("what", ENCODERS)
@pytest.mark.parametrize("missing", [False, True], ids=["", "missing"])
def test_encoders(what: str, missing: bool) -> None:
    encoder, unseen = ENCODERS[what]
    X = mixed_frame(3, missing=missing)
    places = ["city", "deck"] if what == "imputer of a constant, one-hot" else LEVELS
    columns = ColumnTransformer([("levels", encoder, places)], remainder="passthrough", sparse_threshold=0)
    agrees(make_pipeline(columns, hist), X, what, unseen=unseen, missing=("deck",) if missing else ())


def test_a_target_encoder_of_several_classes() -> None:
    X = mixed_frame(4)
    y = np.array(["low", "middle", "high"])[np.digitize(target(X), [8, 14])]
    pipeline = make_pipeline(
        ColumnTransformer([("levels", TargetEncoder(cv=KFold(3)), LEVELS)], remainder="passthrough"),
        RandomForestClassifier(5, random_state=0, max_depth=5),
    ).fit(X, y)
    rows = rows_on_thresholds(gw.read(pipeline), X, missing=("deck",))
    assert gw.read(pipeline, rows).source.parity.leaves_equal
    record("scikit-learn", "Pipeline of RandomForestClassifier", "TargetEncoder of three classes")


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
@pytest.mark.parametrize("indicator", [False, True], ids=["", "indicator"])
def test_imputers(strategy: str, indicator: bool) -> None:
    X = mixed_frame(5)[NUMBERS]
    imputer = SimpleImputer(strategy=strategy, add_indicator=indicator)
    agrees(
        make_pipeline(imputer, forest), X, f"imputer, {strategy}{', indicator' * indicator}", missing=("age", "fare")
    )


def test_an_imputer_of_a_number_that_stands_for_missing() -> None:
    X = mixed_frame(6, missing=False)[NUMBERS]
    X.loc[::7, "age"] = -999.0
    imputer = SimpleImputer(missing_values=-999.0, add_indicator=True)
    ensemble = agrees(make_pipeline(imputer, forest), X, "imputer of −999, indicator")
    assert ensemble.source.weight_kind == "none"


def test_an_indicator_of_missing_text_beside_an_encoder() -> None:
    X = mixed_frame(7)
    columns = make_column_transformer(
        (make_union(OneHotEncoder(sparse_output=False), MissingIndicator()), ["deck"]), (StandardScaler(), ["fare"])
    )
    ensemble = agrees(make_pipeline(columns, forest), X, "MissingIndicator of text", missing=("deck",))
    assert ensemble.features.categories[3] == ("A", "B", "C")


def test_an_indicator_that_is_encoded_with_the_levels() -> None:
    X = mixed_frame(7)
    imputer = SimpleImputer(strategy="most_frequent", add_indicator=True)
    steps = make_pipeline(imputer, OneHotEncoder(sparse_output=False))
    columns = make_column_transformer((steps, ["city", "deck"]), (StandardScaler(), ["fare"]))
    ensemble = agrees(make_pipeline(columns, forest), X, "imputer with indicator, one-hot", missing=("deck",))
    assert ensemble.features.categories[3] == ("A", "B", "C")


def test_ordinal_codes_that_the_model_takes_for_categories() -> None:
    X = mixed_frame(8)
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    columns = make_column_transformer((encoder, LEVELS), remainder="passthrough", verbose_feature_names_out=False)
    pipeline = make_pipeline(columns, HistGradientBoostingRegressor(max_iter=8, categorical_features=[0, 1, 2]))
    agrees(pipeline, X, "ordinal codes as categories", unseen=True, missing=("deck", "age"))
    framed = make_pipeline(
        make_column_transformer((encoder, LEVELS), remainder="passthrough", verbose_feature_names_out=False).set_output(
            transform="pandas"
        ),
        HistGradientBoostingRegressor(max_iter=8, categorical_features=LEVELS),
    )
    agrees(framed, X, "set_output, ordinal codes as categories", unseen=True, missing=("deck", "age"))


def test_categories_that_pass_through_to_the_model() -> None:
    X = mixed_frame(9).astype({"city": "category", "deck": "category"})
    columns = make_column_transformer(
        (StandardScaler(), NUMBERS), remainder="passthrough", verbose_feature_names_out=False
    ).set_output(transform="pandas")
    for model in (
        lightgbm.LGBMRegressor(n_estimators=5, verbose=-1, min_child_samples=5, n_jobs=1),
        HistGradientBoostingRegressor(max_iter=5, categorical_features="from_dtype"),
    ):
        pipeline = make_pipeline(columns, model).fit(X, target(X))
        ensemble = gw.read(pipeline, X)
        assert ensemble.features.categories[2] == ("Bern", "Nîmes", "Oslo", "Paris", "Rome")
        parity = ensemble.source.parity
        assert not isinstance(parity, str)
        package = type(model).__module__.partition(".")[0]
        how = "raw" if parity.leaves_equal is None else "leaves and raw"
        named = f"Pipeline of {type(model).__name__}"
        record(LIBRARY.get(package, package), named, "categories that pass through", how)


COLUMNS: dict[str, Any] = {
    "names": (["age", "fare"], ["city"]),
    "positions": ([0, 1], [2]),
    "slices": (slice(0, 2), slice(2, 3)),
    "a slice of names": (slice("age", "fare"), ["city"]),
    "masks": ([True, True, False, False, False], [False, False, True, False, False]),
    "selectors": (make_column_selector(pattern="age|fare"), make_column_selector(pattern="city")),
    "positions from the end": ([-5, -4], [-3]),
}


@pytest.mark.parametrize(("numbers", "levels"), COLUMNS.values(), ids=COLUMNS)
def test_columns_by_name_place_slice_mask_and_callable(numbers: Any, levels: Any) -> None:
    X = mixed_frame(10)
    columns = ColumnTransformer(
        [("n", StandardScaler(), numbers), ("l", OneHotEncoder(), levels), ("gone", "drop", [3])],
        remainder="passthrough",
    )
    ensemble = agrees(make_pipeline(columns, hist), X, "columns by name, place, slice, mask, callable")
    assert ensemble.feature_names == tuple(X)
    assert ensemble.features.categories[3] == ()  # dropped, so it may hold anything


def test_a_column_that_one_step_reads_as_a_number_and_another_as_levels() -> None:
    X = mixed_frame(11)[["code", "fare"]].astype(float)
    columns = ColumnTransformer(
        [("a", OneHotEncoder(handle_unknown="ignore"), ["code"]), ("b", StandardScaler(), ["code", "fare"])]
    )
    agrees(make_pipeline(columns, forest), X, "one column as number and as levels")


def test_lightgbm_with_zeros_as_missing_values() -> None:
    X = mixed_frame(12)
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), LEVELS), (FunctionTransformer(), ["age"]), (StandardScaler(), ["fare"])
    )
    model = lightgbm.LGBMRegressor(
        n_estimators=5, zero_as_missing=True, verbose=-1, min_child_samples=5, max_depth=3, n_jobs=1
    )
    agrees(make_pipeline(columns, model), X, "zero_as_missing", unseen=True)


def test_probabilities_of_a_classifier() -> None:
    X = mixed_frame(13)
    columns = make_column_transformer((OneHotEncoder(sparse_output=False), LEVELS), remainder=StandardScaler())
    y = np.where(target(X) > 12, "yes", "no")
    pipeline = make_pipeline(columns, HistGradientBoostingClassifier(max_iter=5)).fit(X, y)
    ensemble = gw.read(pipeline, X)
    assert ensemble.outputs == ("yes",)
    assert np.allclose(ensemble.predict(X), pipeline.predict_proba(X)[:, 1], rtol=1e-12)
    record("scikit-learn", "Pipeline of HistGradientBoostingClassifier", "probabilities of two classes", "raw")


def test_meta_estimators_around_models() -> None:
    X = mixed_frame(14, missing=False)[NUMBERS]
    y = target(X)
    steps = make_pipeline(StandardScaler(), forest)
    weighted = VotingRegressor([("forest", forest), ("steps", steps)], weights=[2, 1])
    for model, what in (
        (GridSearchCV(steps, {"randomforestregressor__max_depth": [2, 3]}, cv=2), "best model"),
        (TransformedTargetRegressor(steps, func=np.log, inverse_func=np.exp), "logarithm of the target"),
        (weighted, "weighted mean"),
    ):
        model.fit(X, y - y.min() + 1)
        rows = rows_on_thresholds(gw.read(model), X)
        assert gw.read(model, rows).source.parity.leaves_equal
        record("scikit-learn", type(model).__name__, what)
    classes = np.digitize(y, [3, 6])
    shares = RandomForestClassifier(3, max_depth=3, random_state=0)
    for model, what in (
        (OneVsRestClassifier(shares), "one forest per class"),
        (VotingClassifier([("forest", shares)], voting="soft"), "mean of shares"),
        (CalibratedClassifierCV(shares, cv=2, ensemble=False), "before calibration"),
    ):
        rows = rows_on_thresholds(gw.read(model.fit(X, classes)), X)
        assert gw.read(model, rows).source.parity.leaves_equal
        record("scikit-learn", type(model).__name__, what)


LINEAR_SCALERS: list[Any] = [StandardScaler(), RobustScaler(), MaxAbsScaler(), MinMaxScaler((3, 9))]


@pytest.mark.parametrize("scaler", LINEAR_SCALERS, ids=lambda scaler: type(scaler).__name__)
def test_a_target_that_a_scaler_turns_back(scaler: Any) -> None:
    X = mixed_frame(15, missing=False)[NUMBERS]
    model = TransformedTargetRegressor(make_pipeline(StandardScaler(), forest), transformer=scaler)
    model.fit(X, 1e3 * target(X) + 1e6)
    rows = rows_on_thresholds(gw.read(model), X)
    ensemble = gw.read(model, rows)
    assert ensemble.source.parity.leaves_equal
    assert np.allclose(ensemble.predict(rows), model.predict(rows), rtol=1e-12)
    record("scikit-learn", "TransformedTargetRegressor", f"target of a {type(scaler).__name__}")


def test_thresholds_and_frozen_models() -> None:
    X = mixed_frame(16, missing=False)[NUMBERS]
    y = (target(X) > 12).astype(int)
    inside = RandomForestClassifier(4, max_depth=4, random_state=0).fit(X, y)
    for model, what in (
        (FixedThresholdClassifier(inside, threshold=0.3), "raw of the classifier inside"),
        (TunedThresholdClassifierCV(inside, cv=2), "raw of the classifier inside"),
        (FrozenEstimator(inside), "the model inside"),
    ):
        rows = rows_on_thresholds(gw.read(model.fit(X, y)), X)
        ensemble = gw.read(model, rows)
        assert ensemble.source.parity.leaves_equal
        assert np.allclose(ensemble.predict(rows), model.predict_proba(rows)[:, 1], rtol=1e-12)
        record("scikit-learn", type(model).__name__, what)


@pytest.mark.parametrize("model", MODELS[2:6], ids=lambda model: type(model).__name__)
def test_a_vote_with_a_model_of_another_library(model: Any) -> None:
    X = mixed_frame(17, missing=False)[NUMBERS]
    voters = VotingRegressor([("forest", forest), ("other", clone(model))], weights=[1, 3]).fit(X, target(X))
    parity = gw.read(voters, rows_on_thresholds(gw.read(voters), X)).source.parity
    assert not isinstance(parity, str)
    how = "raw" if parity.leaves_equal is None else "leaves and raw"
    record("scikit-learn", "VotingRegressor", f"forest and {type(model).__name__}", how)
