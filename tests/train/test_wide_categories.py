"""Categories with more levels than a byte tells apart: the same trees as by bytes, and those of the slow reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.errors import GlasswoodWarning
from glasswood.train.boosting import BoostingTable, LevelLimits
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._losses import make_loss
from tests.reference.boosting import check_tree
from tests.reference.symmetric import check_symmetric_tree
from tests.train.examples import asked_of, boosting_problems, columns_of, fit

ALL_WIDE = LevelLimits(narrow=1)
SHARED = LevelLimits(wide=254)


def names(n: int) -> tuple[str, ...]:
    return tuple(f"l{k:05d}" for k in range(n))


def table_of(rng: np.random.Generator, n: int, n_levels: list[int]) -> tuple[list[NDArray[Any]], FeatureSchema]:
    """Categories with missing values, beside a number."""
    columns = [rng.normal(size=n).round(1)]
    for n_own in n_levels:
        codes = rng.integers(0, n_own, n).astype(float)
        codes[rng.random(n) < 0.05] = np.nan
        columns.append(codes)
    return columns_of(np.column_stack(columns), [None, *map(names, n_levels)])


def test_a_lower_limit_makes_small_categories_wide() -> None:
    data, features = table_of(np.random.default_rng(0), 900, [40, 7])
    binning = make_binning(
        AlignedRows(900, data), features, np.empty(0), max_bins=20, limits=ALL_WIDE, seed=0, n_threads=1
    )
    assert binning.is_wide.tolist() == [False, True, True] and binning.n_wide.tolist() == [0, 20, 7]


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=100)
@given(boosting_problems())
def test_levels_of_two_bytes_give_the_trees_of_one_byte(given_: dict[str, Any]) -> None:
    options = dict(given_)
    X, labels, y = options.pop("X"), options.pop("labels"), options.pop("y")
    data, features = columns_of(X, labels)
    narrow = fit(data, y, features=features, **options)
    assert fit(data, y, features=features, limits=ALL_WIDE, **options).ensemble == narrow.ensemble


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([80, 900]),
    weighted=st.booleans(),
    options=st.fixed_dictionaries(
        {
            "gain": st.sampled_from(["newton", "cred_std", "welch"]),
            "statistics": st.sampled_from(["exact", "quantised"]),
            "max_leaf_nodes": st.sampled_from([None, 9]),
            "colsample": st.sampled_from([1.0, 0.6]),
            "subsample": st.sampled_from([1.0, 0.6]),
            "min_samples_leaf": st.sampled_from([1, 4]),
            "monotonic_cst": st.sampled_from([None, {"x0": 1}]),
            "interaction_cst": st.sampled_from([None, [["x0", "x1"], ["x1", "x2"]]]),
            "max_bins": st.sampled_from([20, 255]),
        }
    ),
)
@example(seed=0, n=900, weighted=True, options={"min_samples_leaf": 4, "subsample": 0.6})
def test_every_option_treats_levels_of_two_bytes_as_levels_of_one(
    seed: int, n: int, weighted: bool, options: dict[str, Any]
) -> None:
    rng = np.random.default_rng(seed)
    data, features = table_of(rng, n, [40, 7])
    y = rng.normal(size=41)[data[1]] + rng.normal(size=8)[data[2]] + data[0] + rng.normal(size=n)
    other, _ = table_of(rng, 200, [60, 7])  # with levels never seen
    wanted = rng.normal(size=200)
    evaluate = [BoostingTable(name="other", rows=AlignedRows(200, other), y=wanted)]
    ways: dict[str, Any] = {"features": features, "weight": rng.integers(0, 3, n) + 0.5 if weighted else np.empty(0)}
    runs = [
        fit(data, y, n_estimators=4, evaluate=evaluate, limits=limits, **ways, **options)
        for limits in (LevelLimits(), ALL_WIDE)
    ]
    assert runs[0].ensemble == runs[1].ensemble
    np.testing.assert_array_equal(runs[0].history.values, runs[1].history.values)
    raw = runs[1].ensemble._plan().predict_raw(other)[:, 0]
    assert runs[1].history.of("other", "squared_error")[-1] == pytest.approx(np.mean((wanted - raw) ** 2))


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=12)
@given(
    seed=st.integers(0, 2**32 - 1),
    weighted=st.booleans(),
    statistics=st.sampled_from(["exact", "quantised"]),
    gain=st.sampled_from(["newton", "welch", "cred_var"]),
    symmetric=st.booleans(),
)
def test_trees_on_hundreds_of_levels_are_those_of_the_slow_reference(
    seed: int, weighted: bool, statistics: str, gain: str, symmetric: bool
) -> None:
    rng = np.random.default_rng(seed)
    n, n_levels = int(rng.choice([400, 750])), 300  # too few rows to order levels by their means, and enough
    x = np.concatenate([rng.permutation(n_levels), rng.integers(0, n_levels, n - n_levels)]).astype(float)
    y = np.where(x % 7 < 2, 3.0, 0.0) + rng.normal(size=n)  # not rounded: levels of equal means have no order
    x[rng.random(n) < 0.05] = np.nan
    X, labels = np.column_stack([x, rng.normal(size=n).round(1)]), [names(n_levels), None]
    data, features = columns_of(X, labels)
    weight = (np.arange(n) < n_levels) + rng.integers(0, 3, n) * 1.0 if weighted else np.empty(0)
    options: dict[str, Any] = {"gain": gain, "l2": 1.0, "min_weight_leaf": 2.0, "min_samples_leaf": 3, "max_depth": 2}
    how: dict[str, Any] = {"statistics": statistics, "symmetric": symmetric}
    model = fit(data, y, features=features, weight=weight, n_estimators=1, **how, **options).ensemble
    binning = make_binning(AlignedRows(n, data), features, weight, max_bins=255, seed=0, n_threads=1)
    assert binning.is_wide.tolist() == [True, False]
    g, h = np.empty((1, n)), np.empty((1, n))
    raw = np.full((1, n), model.baseline[0])
    make_loss("squared_error", quantile=0.5, power=1.5).fill(y, raw, weight, g, h, 1)
    problem = asked_of(X, binning, g[0], h[0], weight, options)
    ranked = problem.quantised(0, 2**32) if statistics == "quantised" else problem
    if symmetric:
        check_symmetric_tree(ranked, model, 0)
    else:
        check_tree(ranked, model, 0)


def test_threads_give_the_same_bits_on_a_table_that_they_share() -> None:
    rng = np.random.default_rng(0)
    n = 70_000
    data, features = table_of(rng, n, [3000, 500])
    y = rng.normal(size=3001)[data[1]] + rng.normal(size=n)
    options: dict[str, Any] = {"features": features, "n_estimators": 2, "max_leaf_nodes": 8}
    cpus = _native.pretend_cpus(3)
    try:
        shared = fit(data, y, n_threads=3, **options)
    finally:
        _native.pretend_cpus(cpus)
    assert shared.ensemble == fit(data, y, n_threads=1, **options).ensemble


def test_several_outputs_and_a_continued_fit() -> None:
    rng = np.random.default_rng(1)
    data, features = table_of(rng, 600, [300])
    y = (data[1] % 3 + rng.integers(0, 2, 600)) % 3
    options: dict[str, Any] = {"features": features, "loss": "softmax", "outputs": ("a", "b", "c"), "subsample": 0.7}
    once = fit(data, y, n_estimators=4, **options)
    assert np.any(once.ensemble.category_set >= 0)
    half = fit(data, y, n_estimators=2, **options)
    assert fit(data, y, n_estimators=4, before=half, **options).ensemble == once.ensemble


def dates(rng: np.random.Generator, n: int, effect: NDArray[np.float64]) -> tuple[list[NDArray[Any]], Any]:
    """A date, an hour and what depends on both."""
    day, hour = rng.integers(0, 731, n), rng.integers(0, 24, n)
    y = effect[day] + np.sin(hour / 4) + 0.5 * rng.normal(size=n)
    return [day.astype(np.int32), hour.astype(float)], y


def test_a_date_of_731_levels_is_learnt() -> None:
    rng = np.random.default_rng(2)
    effect = rng.normal(size=731)
    data, y = dates(rng, 12_000, effect)
    test, wanted = dates(rng, 4000, effect)
    _, features = columns_of(np.zeros((1, 2)), [names(731), None])
    options: dict[str, Any] = {"features": features, "n_estimators": 60, "max_leaf_nodes": 31, "learning_rate": 0.2}
    with pytest.warns(GlasswoodWarning, match="the 478 rarest levels of 'x0' share a bin"):
        before = fit(data, y, limits=SHARED, **options).ensemble
    model = fit(data, y, **options).ensemble
    error, with_shared = (np.mean((wanted - one._plan().predict_raw(test)[:, 0]) ** 2) for one in (model, before))
    assert error < 0.4 < 0.6 < with_shared  # the noise alone is 0.25


def test_levels_without_an_effect_do_little_harm() -> None:
    rng = np.random.default_rng(3)

    def drawn(n: int) -> tuple[list[NDArray[Any]], Any]:
        X = rng.normal(size=(n, 3)).round(2)
        codes = rng.integers(0, 2000, n).astype(float)
        data, features = columns_of(np.column_stack([X, codes]), [None, None, None, names(2000)])
        return [data, features], X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)

    ((data, features), y), ((test, _), wanted) = drawn(8000), drawn(8000)
    options: dict[str, Any] = {"n_estimators": 60, "max_leaf_nodes": 31, "learning_rate": 0.15}
    with_levels = fit(data, y, features=features, **options).ensemble._plan().predict_raw(test)[:, 0]
    without = fit(data[:3], y, **options).ensemble._plan().predict_raw(test[:3])[:, 0]
    assert np.mean((wanted - with_levels) ** 2) < 1.04 * np.mean((wanted - without) ** 2)


def test_70_000_levels_have_a_defined_result() -> None:
    codes = np.append(np.arange(70_000), np.arange(65_000)).astype(np.int32)
    y = np.where(codes % 2 == 0, 1.0, 0.0)
    _, features = columns_of(np.zeros((1, 1)), [names(70_000)])
    options: dict[str, Any] = {"features": features, "n_estimators": 1, "learning_rate": 1.0, "l2": 0.0, "max_depth": 1}
    with pytest.warns(GlasswoodWarning, match="the 5,001 rarest levels of 'x0' share a bin and cannot be told apart"):
        model = fit([codes], y, **options).ensemble
    raw = model._plan().predict_raw([np.arange(70_001, dtype=np.int32)])[:, 0]
    np.testing.assert_allclose(raw[:64_999], y[:64_999], atol=0.05)  # half of the shared levels are 1
    assert len(np.unique(raw[64_999:70_000])) == 1 and raw[70_000] in raw[:2]
