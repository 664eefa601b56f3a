"""Effects against treemind's released package and scikit-learn's partial dependence."""

import contextlib
import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import glasswood as gw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2000, 4)).astype(np.float32).astype(np.float64)
Y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * X[:, 3]


def treemind_tables(model: Any, degree: int) -> dict[tuple[int, ...], NDArray[np.float64]]:
    """Columns value, std, count of every table of treemind 0.2.0."""
    treemind = pytest.importorskip("treemind")
    with contextlib.redirect_stderr(io.StringIO()):
        result = treemind.Explainer(model).explain(degree)
    return {
        tuple(np.atleast_1d(key).tolist()): frames[0][["value", "std", "count"]].to_numpy(dtype=float)
        for key, frames in result.data.items()
    }


@pytest.mark.filterwarnings("ignore")
def test_treemind_equals_the_released_package() -> None:
    lgb = pytest.importorskip("lightgbm")
    options = {"num_leaves": 15, "learning_rate": 0.1, "verbose": -1, "num_threads": 1, "deterministic": True}
    model = lgb.train(options, lgb.Dataset(X, Y - Y.mean()), 60)
    fx, ix = gw.effects(model, method="treemind"), gw.interactions(model, method="treemind")
    tables = [(fx[key[0]], theirs) for key, theirs in treemind_tables(model, 1).items()]
    tables += [(ix[key], theirs) for key, theirs in treemind_tables(model, 2).items()]
    assert len(tables) == 10
    for ours, theirs in tables:
        value, spread, weight = theirs.T
        assert np.abs(ours.effect.ravel() - value).max() <= 1e-5 * np.abs(value).max()
        assert np.abs(ours.spread.ravel() - spread).max() <= 3e-4 * spread.max()
        np.testing.assert_allclose(ours.weight.ravel(), weight, rtol=1e-6)


def boosting(**options: Any) -> Any:
    from sklearn.ensemble import GradientBoostingRegressor

    return GradientBoostingRegressor(n_estimators=30, max_depth=3, random_state=0, **options).fit(X, Y)


def histogram_boosting(**options: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(max_iter=30, random_state=0, **options).fit(X, Y)


@pytest.mark.parametrize("make", [boosting, histogram_boosting])
@pytest.mark.parametrize("features", [(0,), (3,), (1, 2)])
def test_path_equals_recursion_of_scikit_learn(make: Any, features: tuple[int, ...]) -> None:
    from sklearn.inspection import partial_dependence

    model = make()
    grid = np.array([-1.3, -0.2, 0.1, 0.9])
    values = dict.fromkeys(features, grid)
    theirs = partial_dependence(model, X[:5], list(features), custom_values=values, method="recursion")["average"][0]
    tables = gw.effects(model, method="path") if len(features) == 1 else gw.interactions(model, method="path")
    ours = tables[features[0] if len(features) == 1 else features]
    axes = ours.cells if len(features) == 2 else (ours.cells,)
    cells = [np.searchsorted(axis.upper[~axis.missing], grid) for axis in axes]
    difference = ours.value[np.ix_(*cells)] - theirs
    assert np.ptp(difference) < 1e-10  # they leave out the constant initial prediction


@pytest.mark.parametrize("weighted", [False, True])
def test_interventional_equals_brute_force_of_scikit_learn(weighted: bool) -> None:
    from sklearn.inspection import partial_dependence

    model, weight = boosting(), RNG.random(300) if weighted else None
    fx = gw.effects(model, X[:300], sample_weight=weight)
    grid = np.array([-1.3, -0.2, 0.1, 0.9])
    for f in range(4):
        theirs = partial_dependence(model, X[:300], [f], custom_values={f: grid}, method="brute", sample_weight=weight)[
            "average"
        ][0]
        cells = np.searchsorted(fx[f].cells.upper[~fx[f].cells.missing], grid)
        np.testing.assert_allclose(fx[f].value[cells], theirs, rtol=1e-10, atol=1e-10)


def test_missing_values_and_categories_of_lightgbm_equal_brute_force() -> None:
    lgb = pytest.importorskip("lightgbm")
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "x": np.where(rng.random(800) < 0.2, np.nan, rng.normal(size=800)),
            "c": pd.Categorical(rng.choice(list("abcde"), 800)),
            "z": rng.normal(size=800),
        }
    )
    y = frame["x"].fillna(2.0) * frame["z"] + frame["c"].cat.codes * 0.7
    model = lgb.LGBMRegressor(n_estimators=40, num_leaves=12, verbose=-1, n_jobs=1, min_data_per_group=5).fit(frame, y)
    weight = rng.random(800)
    fx = gw.effects(model, frame, sample_weight=weight)
    for name, moved in (("x", [np.nan, -0.5, 1.0]), ("c", list("abcde"))):
        cells = fx[name].cells
        for value in moved:
            other = frame.copy()
            other[name] = pd.Categorical([value] * 800, categories=list("abcde")) if name == "c" else value
            if name == "c":
                at = cells.category.index(value)
            elif np.isnan(value):
                at = int(np.flatnonzero(cells.missing)[0])
            else:
                at = int(np.searchsorted(cells.upper[~cells.missing], value))
            expected = np.average(model.predict(other), weights=weight)
            assert fx[name].value[at] == pytest.approx(expected, rel=1e-10)
