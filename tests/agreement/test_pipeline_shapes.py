"""Pipelines of unusual shapes around a model of every library, and around classifiers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from catboost import CatBoostClassifier, CatBoostRegressor
from lightgbm import LGBMClassifier, LGBMRegressor
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.feature_selection import SelectKBest, VarianceThreshold, f_regression
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from xgboost import XGBClassifier, XGBRegressor

import glasswood as gw
from tests.agreement.pipeline_tables import LEVELS, NUMBERS, mixed_frame, target
from tests.agreement.record import record

REGRESSORS: dict[str, Any] = {
    "scikit-learn": RandomForestRegressor(4, max_depth=5, random_state=0),
    "HistGradientBoosting": HistGradientBoostingRegressor(max_iter=4, min_samples_leaf=5),
    "lightgbm": LGBMRegressor(n_estimators=4, min_child_samples=5, verbose=-1, n_jobs=1),
    "xgboost": XGBRegressor(n_estimators=4, max_depth=4, n_jobs=1),
    "catboost": CatBoostRegressor(iterations=4, depth=4, verbose=False, allow_writing_files=False, thread_count=1),
}
CLASSIFIERS: dict[str, Any] = {
    "scikit-learn": RandomForestClassifier(4, max_depth=5, random_state=0),
    "HistGradientBoosting": HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5),
    "lightgbm": LGBMClassifier(n_estimators=3, min_child_samples=5, verbose=-1, n_jobs=1),
    "xgboost": XGBClassifier(n_estimators=3, max_depth=3, n_jobs=1),
    "catboost": CatBoostClassifier(iterations=3, depth=3, verbose=False, allow_writing_files=False, thread_count=1),
}
TEXT = ["city", "deck"]
levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
filled = make_pipeline(SimpleImputer(), StandardScaler())


def double(values: Any) -> Any:
    return values * 2


SHAPES: dict[str, Any] = {
    "ColumnTransformer in a ColumnTransformer": make_column_transformer(
        (make_column_transformer((StandardScaler(), ["age"]), remainder=SimpleImputer()), NUMBERS), (levels, TEXT)
    ),
    "remainder, verbose_feature_names_out=False": make_column_transformer(
        (levels, LEVELS), remainder=filled, verbose_feature_names_out=False
    ),
    "set_output pandas": make_column_transformer((levels, TEXT), (filled, NUMBERS)).set_output(transform="pandas"),
    "set_output polars": make_column_transformer((levels, TEXT), (filled, NUMBERS)).set_output(transform="polars"),
    "rare levels joined, unknown among them": make_column_transformer(
        (OneHotEncoder(min_frequency=40, handle_unknown="infrequent_if_exist", sparse_output=False), LEVELS),
        (filled, NUMBERS),
    ),
    "rare levels joined, dropped if binary": make_column_transformer(
        (OneHotEncoder(max_categories=2, handle_unknown="ignore", drop="if_binary", sparse_output=False), TEXT),
        (filled, NUMBERS),
    ),
    "one column through several transformers": ColumnTransformer(
        [
            ("filled", filled, ["age", "fare"]),
            ("bins", KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform"), ["fare"]),
            ("levels", levels, ["city"]),
            ("codes", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["city", "deck"]),
            ("none", levels, []),
        ]
    ),
    "one-hot, selected": make_pipeline(
        make_column_transformer((levels, TEXT), (filled, NUMBERS)),
        VarianceThreshold(0.05),
        SelectKBest(f_regression, k=4),
    ),
    "a function that is not in the list": make_column_transformer(
        (make_pipeline(SimpleImputer(), FunctionTransformer(double)), NUMBERS), (levels, TEXT)
    ),
    "weighted columns": ColumnTransformer(
        [("n", filled, NUMBERS), ("l", levels, TEXT)], transformer_weights={"n": 2.0}
    ),
    "principal components, products, neighbours": make_column_transformer(
        (
            make_union(make_pipeline(SimpleImputer(), PCA(2)), make_pipeline(SimpleImputer(), PolynomialFeatures(2))),
            NUMBERS,
        ),
        (KNNImputer(), make_column_selector("age|fare")),
        (levels, TEXT),
    ),
}


def shown(model: Any, what: str) -> None:
    package = type(model).__module__.partition(".")[0]
    how = "raw" if type(model).__name__.startswith("Hist") else "leaves and raw"
    record({"sklearn": "scikit-learn"}.get(package, package), f"Pipeline of {type(model).__name__}", what, how)


def odd_rows(X: pd.DataFrame) -> pd.DataFrame:
    """Rows with levels that training did not have, and numbers far outside."""
    rng = np.random.default_rng(1)
    rows = X.sample(80, random_state=2).reset_index(drop=True)
    for name in TEXT:
        rows[name] = rows[name].astype(object).where(rng.random(80) > 0.2, "never seen")
    for name in NUMBERS:
        rows[name] = rows[name].where(rng.random(80) > 0.2, rng.normal(size=80) * 1e4)
    return rows


def agrees(model: Any, X: Any, y: Any, *others: Any) -> None:
    """Leaves and raw by `gw.read`, and the prediction of the whole once more by itself."""
    model.fit(X, y)
    for rows in (X, *others):
        ensemble = gw.read(model, rows)
        parity = ensemble.source.parity
        assert not isinstance(parity, str)
        theirs = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
        assert np.allclose(ensemble.predict(rows), theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("library", REGRESSORS)
@pytest.mark.parametrize("what", SHAPES)
def test_shapes(what: str, library: str) -> None:
    X, model = mixed_frame(20), REGRESSORS[library]
    rows = odd_rows(X)
    if "dropped" in what:  # scikit-learn warns of levels that it takes for the dropped one
        rows[TEXT] = X[TEXT].head(len(rows))
    agrees(make_pipeline(clone(SHAPES[what]), clone(model)), X, target(X), rows)
    shown(model, what)


@pytest.mark.parametrize("library", CLASSIFIERS)
def test_target_encoding_of_several_classes(library: str) -> None:
    X, model = mixed_frame(21), CLASSIFIERS[library]
    y = np.digitize(target(X), [10, 14])
    columns = make_column_transformer((TargetEncoder(cv=KFold(3)), LEVELS), (filled, NUMBERS))
    agrees(make_pipeline(columns, clone(model)), X, y, odd_rows(X))
    shown(model, "target encoding of three classes")


FORMS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "polars table": lambda frame: pl.from_pandas(frame),
    "array of objects": lambda frame: frame.to_numpy(dtype=object),
}


@pytest.mark.parametrize("library", REGRESSORS)
@pytest.mark.parametrize("form", FORMS)
def test_tables_of_other_kinds(form: str, library: str) -> None:
    frame, model = mixed_frame(22), REGRESSORS[library]
    X = FORMS[form](frame)
    columns = ColumnTransformer([("n", filled, [0, 1]), ("l", levels, [2, 3])])
    agrees(make_pipeline(columns, clone(model)), X, target(frame))
    shown(model, form)


@pytest.mark.parametrize("library", ["scikit-learn", "lightgbm", "catboost"])
def test_sparse_tables(library: str) -> None:
    frame, model = mixed_frame(23, missing=False), REGRESSORS[library]
    X = with_zeros(frame)
    pipeline = make_pipeline(MaxAbsScaler(), clone(model)).fit(X, target(frame))
    assert gw.read(pipeline, X).source.parity.leaves_equal
    shown(model, "sparse table")


def test_a_sparse_table_whose_zeros_are_missing_to_xgboost_is_named() -> None:
    frame = mixed_frame(23, missing=False)
    X = with_zeros(frame)
    pipeline = make_pipeline(MaxAbsScaler(), clone(REGRESSORS["xgboost"])).fit(X, target(frame))
    with pytest.raises(gw.ParityError, match=r"XGBoost takes a value that is not stored for missing.*X.toarray\(\)"):
        gw.read(pipeline, X)


def with_zeros(frame: pd.DataFrame) -> Any:
    return csr_matrix(np.where(frame[NUMBERS] > 30, frame[NUMBERS], 0.0))


@pytest.mark.parametrize("library", REGRESSORS)
def test_bags_of_any_model(library: str) -> None:
    X, model = mixed_frame(24, missing=False)[NUMBERS], REGRESSORS[library]
    agrees(BaggingRegressor(clone(model), 3, random_state=0), X, target(X))
    record(
        "scikit-learn",
        "BaggingRegressor",
        f"of {type(model).__name__}",
        "raw" if "Hist" in library else "leaves and raw",
    )


@pytest.mark.parametrize("before", [(StandardScaler(),), ()], ids=["scaler", "nothing"])
def test_bags_of_pipelines_that_end_in_a_plain_tree(before: tuple[Any, ...]) -> None:
    X = mixed_frame(24, missing=False)[NUMBERS]
    y = target(X)
    named = f"of pipelines of {'StandardScaler and ' if before else ''}a tree"
    tree = DecisionTreeRegressor(max_depth=4, random_state=0)
    agrees(BaggingRegressor(make_pipeline(*before, tree), 3, random_state=0), X, y)
    record("scikit-learn", "BaggingRegressor", named, "leaves and raw")
    tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    agrees(BaggingClassifier(make_pipeline(*before, tree), 3, random_state=0), X, np.digitize(y, [10, 14]))
    record("scikit-learn", "BaggingClassifier", named, "leaves and raw")


@pytest.mark.parametrize("library", CLASSIFIERS)
def test_one_model_per_class(library: str) -> None:
    X, model = mixed_frame(25), CLASSIFIERS[library]
    y = np.digitize(target(X), [10, 14])
    pipeline = make_pipeline(make_column_transformer((levels, TEXT), (filled, NUMBERS)), clone(model))
    several = OneVsRestClassifier(pipeline).fit(X, y)
    ensemble = gw.read(several, odd_rows(X))
    assert not isinstance(ensemble.source.parity, str)
    assert ensemble.n_outputs == 3
    record("scikit-learn", "OneVsRestClassifier", f"of pipelines of {type(model).__name__}", "raw")
