"""Boosting on extreme tables: the fit gives finite numbers, or the table is refused with a reason."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import glasswood as gw
from glasswood.errors import GlasswoodWarning, TableError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.abs(X[:, 0]) + 0.1
LOSSES = ["squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie"]
GAINS = ["newton", "cred_var", "cred_std", "welch"]

TABLES: dict[str, Any] = {
    "one row": (X[:1], Y[:1]),
    "two rows": (X[:2], Y[:2]),
    "equal targets": (X, np.full(60, 3.0)),
    "constant features": (np.ones((60, 2)), Y),
    "missing features": (np.full((60, 2), np.nan), Y),
    "infinite features": (np.where(X > 0, np.inf, -np.inf), Y),
    "features of 5e-324": (np.sign(X) * 5e-324, Y),
    "features of 1.7e308": (np.sign(X) * 1.7e308, Y),
}


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_and_gain_gives_finite_numbers(loss: Any, gain: Any, statistics: Any) -> None:
    options: Any = {"gain": gain, "statistics": statistics, "n_estimators": 3, "metrics": ["rmse", "mae"]}
    for name, (table, y) in TABLES.items():
        model = gw.BoostingRegressor(loss, **options).fit(table, y, eval_set=[(table, y)])
        assert np.all(np.isfinite(model.predict(table))), name
        assert np.all(np.isfinite(model.history_.values)), name
        if name == "equal targets":
            np.testing.assert_allclose(model.predict(table), 3.0, rtol=1e-12)


@pytest.mark.parametrize("what", ["y", "sample_weight", "offset", "eval y", "eval sample_weight", "eval offset"])
@pytest.mark.parametrize("loss", LOSSES)
def test_every_scale_gives_finite_numbers_or_is_refused(loss: Any, what: str) -> None:
    for scale in (1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300):
        train: dict[str, Any] = {"y": Y, "sample_weight": np.ones(60), "offset": np.zeros(60)}
        watched = dict(train)
        where = watched if what.startswith("eval") else train
        name = what.removeprefix("eval ")
        where[name] = scale * (np.linspace(-1.0, 1.0, 60) if name == "offset" else train[name])
        model = gw.BoostingRegressor(loss, n_estimators=3, min_weight_leaf=0.0, metrics=["rmse", "mae"])
        try:
            model.fit(X, **train, eval_set=[(X, *watched.values())])
        except TableError as error:
            assert name in str(error) and str(error).startswith("eval0: ") == what.startswith("eval")
            continue
        assert np.all(np.isfinite(model.predict(X))) and np.all(np.isfinite(model.history_.values)), scale


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_the_scale_of_weights_does_not_matter_without_a_ridge(scale: float) -> None:
    options: Any = {"n_estimators": 3, "l2": 0.0, "min_weight_leaf": 0.0}
    weight = RNG.random(60)
    small = gw.BoostingRegressor(**options).fit(X, Y, sample_weight=weight)
    large = gw.BoostingRegressor(**options).fit(X, Y, sample_weight=weight * scale)
    np.testing.assert_allclose(large.predict(X), small.predict(X), rtol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_class_without_weight_is_known_and_never_likely(n_classes: int) -> None:
    y = np.arange(60) % n_classes
    model = gw.BoostingClassifier(n_estimators=3).fit(X, y, sample_weight=(y > 0).astype(float))
    assert model.classes_.tolist() == list(range(n_classes))
    assert model.predict_proba(X)[:, 0].max() < 1e-9


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("size", [1e3, -1e6])
def test_large_offsets_of_classes_decide(n_classes: int, size: float) -> None:
    y = np.arange(60) % n_classes
    offset = np.zeros(60) if n_classes == 2 else np.zeros((60, 3))
    offset[::2] = size
    model = gw.BoostingClassifier(n_estimators=3).fit(X, y, offset=offset)
    assert np.all(np.isfinite(model.history_.values)) and np.all(np.isfinite(model.ensemble_.value))


LABELS: dict[str, Any] = {
    "beyond doubles": np.where(Y > 0.7, 2**62 + 1, 2**62),
    "truth values": Y > 0.7,
    "list": ["p" if y > 0.7 else "q" for y in Y],
    "nullable": pd.Series(Y > 0.7, dtype="boolean"),
    "pyarrow": pd.Series((Y > 0.7).astype(int), dtype="int64[pyarrow]"),
    "unused level": pd.Categorical(np.where(Y > 0.7, "p", "q"), categories=["z", "q", "p"]),
    "enum": pl.Series(np.where(Y > 0.7, "p", "q")).cast(pl.Enum(["z", "q", "p"])),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_kind_come_back(kind: str) -> None:
    model = gw.BoostingClassifier(n_estimators=20).fit(X, LABELS[kind], eval_set=[(X, LABELS[kind])])
    assert len(model.classes_) == 2
    assert model.predict(X).tolist() == list(LABELS[kind])
    np.testing.assert_array_equal(*model.history_.values[:, :, 0].T)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, "a"] * 30, "y mixes text and numbers"),
        (["a", None] * 30, "y is missing in row 1"),
        (pd.Series([True, None] * 30, dtype="boolean"), "y is missing in row 1"),
        (pl.Series([1, None] * 30), "y is missing in row 1"),
    ],
)
def test_invalid_labels_are_named(labels: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        gw.BoostingClassifier().fit(X, labels)


@pytest.mark.parametrize(
    ("labels", "strange", "name"),
    [
        (["p", "q"], ["p", "r"], "r"),
        (["p", "q"], [0, 1], "0"),
        ([0, 1], ["p", "q"], "p"),
        ([False, True], ["p", "q"], "p"),
        ([0, 1], [0.0, 0.5], "0.5"),
    ],
)
def test_a_class_that_only_an_evaluation_table_has_is_named(labels: Any, strange: Any, name: str) -> None:
    for kind in (np.array, pd.Series):
        with pytest.raises(TableError, match=f"eval0: y has the class {name}, which training never saw"):
            gw.BoostingClassifier().fit(X, kind(labels * 30), eval_set=[(X, kind(strange * 30))])


def levels_of(n_levels: int) -> tuple[Any, Any]:
    """A column with so many whole numbers, from 1, and a target."""
    x = np.arange(1.0, n_levels + 1)
    return x, x % 7


@pytest.mark.parametrize("kind", ["text", "numbers", "sparse"])
def test_more_levels_than_a_tree_splits_are_refused(kind: str) -> None:
    import pandas as pd
    import scipy.sparse as sp

    x, y = levels_of(70_000)
    X: Any = {"text": lambda: pd.DataFrame({"x0": x.astype(int).astype(str)}), "numbers": lambda: x[:, None]}.get(
        kind, lambda: sp.csc_array(x[:, None])
    )()
    wanted = "from_dtype" if kind == "text" else [0]
    with pytest.raises(TableError, match="'x0' has 70,000 levels, more than the 65,536 a tree splits"):
        gw.BoostingRegressor(n_estimators=1, categorical_features=wanted).fit(X, y)


@pytest.mark.parametrize("sparse", [False, True])
def test_levels_above_those_told_apart_share_a_bin_with_a_warning(sparse: bool) -> None:
    import scipy.sparse as sp

    x, y = levels_of(65_300)
    X: Any = sp.csr_array(x[:, None]) if sparse else x[:, None]
    with pytest.warns(GlasswoodWarning, match="the 301 rarest levels of 'x0' share a bin"):
        model = gw.BoostingRegressor(n_estimators=1, max_depth=2, categorical_features=[0]).fit(X, y)
    assert np.isfinite(model.predict(X[:100])).all()


def dates(rng: np.random.Generator, effect: Any, n: int) -> tuple[pd.DataFrame, Any]:
    """A frame with a date and an hour, and what depends on both."""
    day, hour = rng.integers(0, 731, n), rng.integers(0, 24, n)
    frame = pd.DataFrame({"date": pd.Timestamp("2024-01-01") + pd.to_timedelta(day, unit="D"), "hour": hour})
    return frame, effect[day] + np.sin(hour / 4) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("kind", ["text", "category"])
def test_a_date_of_731_levels_in_a_frame_is_learnt(kind: str) -> None:
    rng = np.random.default_rng(2)
    effect = rng.normal(size=731)
    (train, y), (test, wanted) = dates(rng, effect, 6000), dates(rng, effect, 2000)
    for frame in (train, test):
        frame["date"] = frame["date"].astype(str if kind == "text" else "category")
    options: dict[str, Any] = {"n_estimators": 40, "learning_rate": 0.3}
    model = gw.BoostingRegressor(**options).fit(train, y)
    with pytest.warns(GlasswoodWarning, match="the 477 rarest levels of 'date' share a bin"):
        shared = gw.BoostingRegressor(max_bins=254, **options).fit(train, y)
    error, with_shared = (np.mean((wanted - one.predict(test)) ** 2) for one in (model, shared))
    assert error < 0.4 < 0.8 < with_shared  # the noise alone is 0.25
