"""Steps that mix columns: their outputs are features, computed from the caller's own table wherever it is given."""

import pickle
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import polars as pl
import pytest
import xgboost
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor, VotingRegressor
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    SplineTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from tests.agreement.pipeline_tables import LEVELS, NUMBERS, mixed_frame, target

NUMERIC = mixed_frame(missing=False)[NUMBERS]
MIXING: dict[str, tuple[Any, tuple[str, ...]]] = {
    "PCA": (PCA(2), ("pca0", "pca1")),
    "scaled PCA": (make_pipeline(StandardScaler(), PCA(2), StandardScaler()), ("pca0", "pca1")),
    "selected PCA": (make_pipeline(PCA(2), SelectKBest(f_regression, k=1)), ("pca0",)),
    "polynomials": (PolynomialFeatures(include_bias=False), ("polynomialfeatures__age", "polynomialfeatures__fare")),
    "splines": (SplineTransformer(n_knots=3), ("age_sp_0",)),
    "neighbours": (KNNImputer(), ("knnimputer__age", "knnimputer__fare")),
    "a function that is not monotone": (FunctionTransformer(np.square), ("functiontransformer__",)),
    "codes of what a scaler made": (make_pipeline(StandardScaler(), OrdinalEncoder()), ("ordinalencoder__age",)),
    "weights": (
        ColumnTransformer([("n", StandardScaler(), NUMBERS)], transformer_weights={"n": 2.0}),
        ("n__age", "n__fare"),
    ),
}


@pytest.mark.parametrize("what", MIXING)
def test_what_steps_compute_is_a_feature_under_the_name_they_give(what: str) -> None:
    step, names = MIXING[what]
    forest = RandomForestRegressor(5, max_depth=4, random_state=0)
    pipeline = make_pipeline(step, forest).fit(NUMERIC, target(NUMERIC))
    ensemble = gw.read(pipeline, NUMERIC)
    assert ensemble.source.parity.leaves_equal
    for name in names:
        assert any(feature.startswith(name) for feature in ensemble.feature_names)
    assert any("derived features" in note for note in ensemble.source.notes)
    assert np.array_equal(ensemble.apply(NUMERIC), forest.apply(pipeline[:-1].transform(NUMERIC)))


def usual() -> Pipeline:
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(), PCA(2)), NUMBERS),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), LEVELS),
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, lightgbm.LGBMRegressor(n_estimators=8, min_child_samples=5, verbose=-1, n_jobs=1))


def test_columns_that_are_not_mixed_stay_columns_of_the_table() -> None:
    X = mixed_frame()
    ensemble = gw.read(usual().fit(X, target(X)), X)
    assert ensemble.feature_names == (*LEVELS, "pca0", "pca1")
    assert ensemble.features.categories[0] == ("Bern", "Nîmes", "Oslo", "Paris", "Rome")
    note = "derived features, which are not columns of the table but computed by PCA in the pipeline: 'pca0', 'pca1'"
    assert note in ensemble.source.notes


def test_every_verb_takes_the_caller_s_table() -> None:
    X = mixed_frame()
    y = target(X)
    pipeline = usual().fit(X, y)
    predicted = pipeline.predict(X)
    assert np.allclose(gw.read(pipeline).predict(X), predicted, rtol=1e-12)
    fx = gw.effects(pipeline, X)
    assert {"city", "pca0"} <= set(fx)
    at = gw.attributions(pipeline, X, background=X[:50])
    assert np.allclose(at.values.sum(axis=1) + at.baseline, predicted, rtol=0, atol=1e-12)
    assert at.to_frame().index.equals(X.index)
    assert isinstance(at.row(3).to_dict(), dict)
    rules = gw.rules(pipeline, X, y, max_rules=5)
    assert len(rules.predict(X)) == len(X)
    index = gw.examples(pipeline, X, y)
    found = index.nearest(X[:3], k=2)
    assert list(found.row[:, 0]) == [0, 1, 2] and len(found.to_frame()) == 6
    assert gw.report(pipeline, X, y, title="mixed").html().count("pca0") > 0
    assert gw.ledger(pipeline, X) is not None


@pytest.mark.parametrize("kind", ["polars", "array", "other columns", "one row"])
def test_the_table_may_be_of_any_kind(kind: str) -> None:
    X = mixed_frame(missing=False)[["age", "fare", "code"]].astype(float)
    y = target(mixed_frame(missing=False))
    columns = make_column_transformer((PCA(2), ["age", "fare"]), remainder="passthrough")
    pipeline = make_pipeline(columns, DecisionTreeRegressor(max_depth=5)).fit(X, y)
    given: dict[str, Any] = {
        "polars": pl.from_pandas(X),
        "array": X.to_numpy(),
        "other columns": X.assign(more=0.0)[["more", "code", "fare", "age"]],
        "one row": X[:1],
    }
    ensemble = gw.read(pipeline)
    assert np.array_equal(ensemble.predict(given[kind]), pipeline.predict(X)[: len(given[kind])])
    assert set(gw.effects(pipeline, given[kind])) >= {"code"} and "code" in ensemble.feature_names


def test_a_table_of_the_features_is_taken_as_it_is_also_for_a_saved_ensemble(tmp_path: Path) -> None:
    X = mixed_frame()
    ensemble = gw.read(usual().fit(X, target(X)), X)
    ensemble.save(tmp_path / "m.gw")
    loaded = gw.load(tmp_path / "m.gw")
    assert loaded == ensemble
    with pytest.raises(gw.TableError, match="lacks 'pca0'"):
        loaded.predict(X)
    derivation = ensemble.features.derivation
    assert derivation is not None
    made = derivation(X)
    frame = pd.DataFrame({name: made.column(j) for j, name in enumerate(made.names or ()) if name.startswith("pca")})
    frame = pd.concat([X[LEVELS], frame], axis=1)
    assert np.array_equal(loaded.predict(frame), ensemble.predict(X))
    assert np.array_equal(ensemble.predict(frame), ensemble.predict(X))
    again = pickle.loads(pickle.dumps(ensemble))
    assert np.array_equal(again.predict(X), ensemble.predict(X))


def test_a_later_fit_does_not_change_an_ensemble_and_is_noticed() -> None:
    X = mixed_frame()
    pipeline = usual().fit(X, target(X))
    ensemble = gw.read(pipeline, X)
    before = ensemble.predict(X)
    pipeline.fit(X.assign(age=X.fare, fare=X.age), target(X))
    assert np.array_equal(ensemble.predict(X), before)
    assert not np.array_equal(gw.read(pipeline, X).predict(X), before)


TEXTS = ["good cheap boat", "bad boat", "good train", "bad slow train", "cheap", "slow boat", "good", "bad"] * 6
VALUES = np.array([3.0, -1.0, 2.0, -2.0, 1.0, 0.0, 2.0, -1.0] * 6)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(4, random_state=0),
        lightgbm.LGBMRegressor(n_estimators=5, min_child_samples=2, verbose=-1, n_jobs=1),
        xgboost.XGBRegressor(n_estimators=5, n_jobs=1),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside other columns"])
def test_words_of_a_text_are_features(model: Any, beside: bool) -> None:
    X = pd.DataFrame({"review": TEXTS, "n": np.arange(48.0) % 5, "city": ["Rome", "Oslo"] * 24})
    if beside:
        columns = make_column_transformer(
            (TfidfVectorizer(), "review"), (OneHotEncoder(), ["city"]), remainder="passthrough"
        )
        pipeline = make_pipeline(columns, model).fit(X, VALUES + X.n)
        ensemble = gw.read(pipeline, X)
        assert {"n", "city", "tfidfvectorizer__good"} <= set(ensemble.feature_names)
        assert "review" not in ensemble.feature_names
    else:
        pipeline = make_pipeline(CountVectorizer(dtype=np.float64), model).fit(TEXTS, VALUES)
        X = X[["review"]]
        ensemble = gw.read(pipeline, X)
        assert ensemble.feature_names == ("bad", "boat", "cheap", "good", "slow", "train")
        with pytest.raises(gw.TableError, match="2 dimensions"):
            gw.effects(pipeline, X["review"])
        with pytest.raises(gw.TableError, match="a table of one column"):
            ensemble.predict(X.assign(more=1))
    assert not isinstance(ensemble.source.parity, str)
    name = next(name for name in ensemble.feature_names if name.endswith("good"))
    assert name in set(gw.effects(pipeline, X))


class Ratio(BaseEstimator, TransformerMixin):  # type: ignore[misc]
    """A step that says neither what it takes nor what it gives."""

    def fit(self, X: Any, y: Any = None) -> "Ratio":
        return self

    def transform(self, X: Any) -> Any:
        return np.column_stack([X["age"] / (1 + X["fare"].abs()), X["age"]])


def test_a_step_of_somebody_else_gets_the_table_as_it_is() -> None:
    pipeline = make_pipeline(Ratio(), StandardScaler(), DecisionTreeRegressor(max_depth=4))
    pipeline.fit(NUMERIC, target(NUMERIC))
    ensemble = gw.read(pipeline, NUMERIC)
    assert ensemble.feature_names == ("ratio__derived0", "ratio__derived1")
    assert np.array_equal(ensemble.predict(NUMERIC), pipeline.predict(NUMERIC))
    with pytest.raises(gw.TableError, match=r"steps of the pipeline, which compute 'ratio__derived0'.*fail"):
        ensemble.predict(NUMERIC[["age"]])


def test_unions_searches_and_pipelines_at_the_end() -> None:
    y = target(NUMERIC)
    union = make_union(PCA(1), StandardScaler())
    inner = make_pipeline(union, DecisionTreeRegressor(max_depth=4))
    search = GridSearchCV(Pipeline([("first", StandardScaler()), ("rest", inner)]), {}, cv=2).fit(NUMERIC, y)
    ensemble = gw.read(search, NUMERIC)
    assert ensemble.feature_names == ("age", "fare", "pca__pca0")
    assert ensemble.source.parity.leaves_equal
    svd = make_pipeline(TruncatedSVD(1), HistGradientBoostingRegressor(max_iter=5))
    sparse = csr_matrix(NUMERIC.to_numpy())
    assert gw.read(svd.fit(sparse, y), sparse).feature_names == ("truncatedsvd0",)
    held = make_pipeline(StandardScaler(), GridSearchCV(inner, {}, cv=2)).fit(NUMERIC, y)
    with pytest.raises(gw.UnsupportedModelError, match="holds a pipeline that computes features"):
        gw.read(held)


def test_models_behind_different_steps_are_not_joined() -> None:
    y = target(NUMERIC)
    tree = DecisionTreeRegressor(max_depth=3)
    a, b = make_pipeline(PCA(2), tree), make_pipeline(make_pipeline(StandardScaler(), PCA(2)), tree)
    vote = VotingRegressor([("a", a), ("b", b)]).fit(NUMERIC, y)
    with pytest.raises(gw.UnsupportedModelError, match="compute 'pca0', 'pca1' for one of them in its own way"):
        gw.read(vote)
    first, second = vote.estimators_
    with pytest.raises(gw.UnsupportedModelError, match=r"do not share their features: .*'pca0', 'pca1'"):
        gw.difference(first, second)
    other = Pipeline(
        [("pca", first[0]), ("tree", DecisionTreeRegressor(max_depth=2).fit(first[0].transform(NUMERIC), y))]
    )
    difference = gw.difference(first, other, NUMERIC)
    assert np.allclose(difference.predict(NUMERIC), first.predict(NUMERIC) - other.predict(NUMERIC))
    assert len(gw.effects(difference, NUMERIC)) == 2
