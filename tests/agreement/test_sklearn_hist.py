"""HistGradientBoosting, which has no leaf numbers: raw agrees after every stage, on tables with categories."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from threadpoolctl import threadpool_limits

import glasswood as gw
from tests.agreement.record import record
from tests.agreement.sklearn_oracle import (
    Case,
    Fit,
    N,
    Target,
    assert_stages_agree,
    counts,
    number,
    positive,
    three,
    two,
    weights,
)
from tests.agreement.sklearn_tables import category_frame, numeric_frame, unseen
from tests.agreement.tables import COLOURS

# HistGradientBoosting


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """HistGradientBoosting uses every core, which is slower than one when other workers run."""
    with threadpool_limits(1):
        yield


RELEASE = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
hist = functools.partial(HistGradientBoostingRegressor, max_iter=12, random_state=0, min_samples_leaf=5)
hist_classes = functools.partial(HistGradientBoostingClassifier, max_iter=8, random_state=0, min_samples_leaf=5)
HISTS: list[Case] = [
    ("squared error", hist, number),
    ("absolute error", functools.partial(hist, loss="absolute_error"), number),
    ("quantile", functools.partial(hist, loss="quantile", quantile=0.2), number),
    ("poisson", functools.partial(hist, loss="poisson"), counts),
    ("gamma", functools.partial(hist, loss="gamma"), positive),
    ("binary", hist_classes, two),
    ("multiclass", hist_classes, three),
    ("few bins, feature sampling", functools.partial(hist, max_bins=8, max_features=0.5), number),
]


@pytest.mark.parametrize(("what", "make", "of"), HISTS, ids=[what for what, _, _ in HISTS])
def test_hist_gradient_boosting(what: str, make: Fit, of: Target) -> None:
    X = numeric_frame(N, 6)
    assert_stages_agree(make().fit(X, of(X)), X, what)


@pytest.mark.parametrize(("what", "make", "of"), HISTS, ids=[what for what, _, _ in HISTS])
def test_hist_gradient_boosting_with_categories(what: str, make: Fit, of: Target) -> None:
    X = category_frame(N, 7)
    model = make(categorical_features="from_dtype").fit(X, of(X))
    extra = (unseen(X), X[X.columns[::-1]])
    ensemble = assert_stages_agree(model, X, f"{what}, categories by dtype, unseen levels", *extra)
    assert ensemble.features.categories[1] == tuple(sorted(COLOURS))
    assert set(np.unique(ensemble.feature[ensemble.category_set >= 0])) <= {1, 3, 6}
    assert (ensemble.category_set >= 0).any()


def test_hist_gradient_boosting_with_categories_by_name_index_and_mask() -> None:
    X = category_frame(N, 8)
    plain = X.astype({"colour": object, "code": np.int64, "flag": bool})
    assert_stages_agree(
        hist(categorical_features=["colour", "code", "flag"]).fit(plain, number(X)), plain, "categories by name"
    )
    matrix = plain.drop(columns="colour").to_numpy(dtype=np.float64)
    matrix[::7, 2] = np.nan
    strange = matrix.copy()
    strange[::2, 2] = 3.5
    strange[1::2, 2] = -1.0
    for marks in ([2, 5], [False, False, True, False, False, True, False]):
        model = hist(categorical_features=marks).fit(matrix, number(X))
        assert_stages_agree(model, matrix, "categories of a matrix by index and mask", strange)


def test_hist_gradient_boosting_on_infinities() -> None:
    X = numeric_frame(N, 9)
    X.loc[::5, "normal"], X.loc[1::5, "normal"] = np.inf, -np.inf
    X.loc[::2, "constant"] = np.nan  # the only split there separates missing values: its threshold is infinite
    y = number(X.replace([np.inf, -np.inf], 9.0)) + 3 * X["constant"].isna()
    ensemble = assert_stages_agree(hist().fit(X, y), X, "infinities, missing against the rest")
    assert np.isinf(ensemble.threshold[ensemble.feature == 2]).all()


def test_hist_gradient_boosting_stopped_early_continued_and_weighted() -> None:
    X = category_frame(N, 10)
    make = functools.partial(hist, categorical_features="from_dtype")
    stopped = make(max_iter=200, early_stopping=True, n_iter_no_change=2, learning_rate=0.6).fit(X, number(X))
    assert assert_stages_agree(stopped, X, "early stopping").n_trees == stopped.n_iter_ < 200
    warm = make(warm_start=True, max_iter=4).fit(X, number(X))
    assert assert_stages_agree(warm.set_params(max_iter=9).fit(X, number(X)), X, "warm_start").n_trees == 9
    ensemble = assert_stages_agree(make().fit(X, number(X), sample_weight=weights(N)), X, "sample weights")
    assert (ensemble.weight[0], ensemble.source.weight_kind) == (N, "rows")


def test_a_pyarrow_table_is_certified_unless_scikit_learn_treats_its_nulls_as_a_category() -> None:
    pa = pytest.importorskip("pyarrow")
    X = category_frame(N, 11)
    model = hist(categorical_features="from_dtype").fit(X, number(X))
    known = X[X["colour"].notna()]
    arrow = pa.Table.from_pandas(known, preserve_index=False)
    ensemble = gw.read(model, arrow)
    assert ensemble.source.parity.n_rows == len(known)
    assert np.array_equal(ensemble.predict(arrow), ensemble.predict(known))
    holed = pa.Table.from_pandas(X, preserve_index=False)
    with pytest.raises(gw.ParityError, match=r"the category of 'colour' .* is missing; .*: give X\.to_pandas\(\)"):
        gw.read(model, holed)
    text = holed["colour"].cast("string")
    for taken in (holed.to_pandas(), holed.set_column(holed.column_names.index("colour"), "colour", text)):
        assert gw.read(model, taken).source.parity.largest_difference == 0  # a null in a text column is missing to it
    record("scikit-learn", "HistGradientBoostingRegressor", "pyarrow table", "raw")


@pytest.mark.skipif(RELEASE < (1, 9), reason="it does not see the categories of a polars frame")
def test_nulls_of_polars_are_a_separate_category() -> None:
    pl = pytest.importorskip("polars")
    X = category_frame(N, 11)
    text = [None if pd.isna(label) else label for label in X["colour"]]
    native = pl.from_pandas(X[["normal", "grid"]]).with_columns(colour=pl.Series(text, dtype=pl.Categorical))
    ensemble = gw.read(hist(categorical_features="from_dtype").fit(native, number(X)), native)
    assert ensemble.features.categories[2] == tuple(sorted(COLOURS))
    assert ensemble.source.notes == ("missing values of column 2 are None to scikit-learn, not NaN",)
    record("scikit-learn", "HistGradientBoostingRegressor", "polars table with nulls", "raw")


# random configurations

few = settings(max_examples=40)


@few
@given(
    seed=st.integers(0, 2**16),
    of=st.sampled_from([number, positive, two, three]),
    leaves=st.integers(2, 40),
    depth=st.none() | st.integers(1, 5),
    rate=st.floats(0.01, 1.0),
    bins=st.integers(2, 255),
    categories=st.booleans(),
)
def test_random_hist_gradient_boosting(
    seed: int, of: Any, leaves: int, depth: int | None, rate: float, bins: int, categories: bool
) -> None:
    X = category_frame(150, seed) if categories else numeric_frame(150, seed)
    y = of(X)
    kind = HistGradientBoostingRegressor if of in (number, positive) else HistGradientBoostingClassifier
    loss = {"loss": "gamma"} if of is positive else {}
    sizes = {"max_leaf_nodes": leaves, "max_depth": depth, "max_bins": 255 if categories else bins}
    options = {"max_iter": 5, "min_samples_leaf": 2, "categorical_features": "from_dtype", "random_state": 0}
    model = kind(learning_rate=rate, **sizes, **options, **loss).fit(X, y)
    assert_stages_agree(model, X, "random configurations", *([unseen(X)] if categories else []))
