"""Boosting: the reference trees of the specification, and the effects of options, weights and targets."""

from typing import Any

import numpy as np
import pytest

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.errors import GlasswoodWarning, OptionError, TableError
from glasswood.train.boosting import BoostingTable
from tests.train.examples import fit


def golden() -> tuple[Any, Any]:
    i = np.arange(1, 201)

    def fr(a: float) -> Any:
        return (a * i) % 1

    x = np.column_stack([fr(0.618034), fr(0.414214), fr(0.732051)])
    noise = 0.3 * (fr(0.5772157) - 0.5) * (1 + 3 * (x[:, 2] > 0.5))
    return x, np.sin(2 * np.pi * x[:, 0]) + 0.5 * x[:, 1] + noise


GOLDEN = {
    "cred_std": {
        "l2": 1.0,
        "trees": [
            ([1, 1, 1, 2, 1, 1, 2], [8, 1, 15, 3, 6, 10, 6]),
            ([1, 1, 3, 2, 1, 1, 2], [8, 1, 4, 3, 7, 9, 6]),
            ([1, 2, 3, 1, 1, 1, 1], [8, 9, 4, 6, 7, 9, 15]),
        ],
        "gain": [73.1386, 1.77417, 1.55277, 0.918838, 2.74391, 1.65812, 0.431585],
        "leaves": [-0.00992663, 0.0253371, 0.0804878, 0.033829, -0.0377722, -0.0781085, -0.0344511, -0.0049338],
        "mse": 0.3443182,
    },
    "cred_var": {
        "l2": 1.0,
        "trees": [([1, 1, 1, 2, 1, 1, 2], [8, 1, 15, 3, 7, 10, 6])],
        "gain": [84.4017, 2.99932, 2.55941, 1.36683, 3.52969, 2.2007, 0.85716],
        "leaves": [-0.00992663, 0.0253371, 0.0756964, 0.0151813, -0.0377722, -0.0781085, -0.0344511, -0.0049338],
        "mse": 0.3398018,
    },
    "newton": {
        "l2": 0.5,
        "trees": [([1, 1, 1, 2, 1, 1, 2], [8, 1, 15, 3, 6, 10, 6])],
        "gain": [75.3672, 3.08777, 2.60565, 0.423026, 3.70961, 2.70351, 0.332975],
        "leaves": None,
        "mse": 0.3385557,
    },
}


@pytest.mark.parametrize("gain", GOLDEN)
def test_golden_trees_are_grown_to_the_digit(gain: str) -> None:
    wanted = GOLDEN[gain]
    x, y = golden()
    options: dict[str, Any] = {"max_depth": 3, "max_bins": 16, "min_weight_leaf": 2.0, "n_estimators": 3}
    boosted = fit(x, y, gain=gain, l2=wanted["l2"], symmetric=False, **options)
    model = boosted.ensemble
    assert model.baseline[0] == pytest.approx(0.27741683, abs=5e-8)
    for t, (features, bins) in enumerate(wanted["trees"]):
        nodes = np.arange(model.tree_start[t], model.tree_start[t + 1])
        inner = nodes[model.feature[nodes] >= 0]
        assert (model.feature[inner] + 1).tolist() == features
        edges = [np.quantile(x[:, f], np.arange(1, 16) / 16) for f in range(3)]
        found = [np.argmin(np.abs(edges[model.feature[i]] - model.threshold[i])) + 1 for i in inner]
        assert found == bins
    first = np.arange(model.tree_start[1])
    inner = model.feature[first] >= 0
    np.testing.assert_allclose(model.gain[first][inner], wanted["gain"], rtol=5e-6)
    if wanted["leaves"] is not None:
        np.testing.assert_allclose(model.value[first][~inner, 0], wanted["leaves"], rtol=5e-6, atol=5e-9)
    # the published digits come from float32 sums: the seventh may differ by one
    assert boosted.history.of("train", "squared_error")[-1] == pytest.approx(wanted["mse"], abs=1e-7)


def blocks() -> tuple[Any, Any]:
    """Vector (b): two features of two levels, blocks standardised exactly."""
    rng = np.random.default_rng(0)

    def block(n: int, mean: float, sd: float) -> Any:
        z = rng.normal(size=n)
        return mean + sd * (z - z.mean()) / z.std(ddof=1)

    y = np.concatenate([block(10_000, -0.25, 0.1), block(9_000, 0.25, 0.1), block(1_000, 1.5, 0.2)])
    x1 = np.repeat([0.0, 1.0, 1.0], [10_000, 9_000, 1_000])
    x2 = np.repeat([0.0, 0.0, 1.0], [10_000, 9_000, 1_000])
    return np.column_stack([x1, x2]), (y - y.mean()) / y.std(ddof=1)


@pytest.mark.parametrize(
    ("gain", "l2", "feature", "value", "other", "leaves"),
    [
        ("newton", 0.5, 1, 12113.845, 10881.9075, (-0.017858343, 0.3391479)),
        ("cred_std", 1.0, 0, 8859.7056, 3720.9051, (-0.07375729, 0.07375729)),
        ("cred_var", 1.0, 0, 9557.1832, 3574.3165, (-0.07375729, 0.07375729)),
    ],
)
def test_two_features_are_separated_as_published(
    gain: str, l2: float, feature: int, value: float, other: float, leaves: tuple[float, float]
) -> None:
    X, y = blocks()
    model = fit(X, y, gain=gain, l2=l2, n_estimators=1, max_depth=1).ensemble
    assert model.feature[0] == feature
    assert model.gain[0] == pytest.approx(value, abs=6e-4)
    np.testing.assert_allclose(model.value[1:, 0], leaves, rtol=1e-6)
    rest = fit(X[:, [1 - feature]], y, gain=gain, l2=l2, n_estimators=1, max_depth=1).ensemble
    assert rest.gain[0] == pytest.approx(other, abs=6e-5)


@pytest.mark.parametrize("max_leaf_nodes", [None, 12])
@pytest.mark.parametrize("subsample", [1.0, 0.6])
@pytest.mark.parametrize("statistics", ["exact", "quantised"])
def test_threads_and_cpu_levels_do_not_change_a_bit(
    max_leaf_nodes: int | None, subsample: float, statistics: str
) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(70_000, 11)).astype(np.float32).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.nan_to_num(X[:, 0]) * 2 + rng.normal(size=len(X))
    weight = rng.random(len(X))
    options: Any = {"n_estimators": 3, "max_leaf_nodes": max_leaf_nodes, "subsample": subsample, "colsample": 0.7}
    options["statistics"] = statistics
    one = fit(X, y, weight=weight, **options)
    for n_threads in (2, 5):
        assert fit(X, y, weight=weight, n_threads=n_threads, **options).ensemble == one.ensemble
    best = _native.cpu_level()
    try:
        for level in ("plain", "v3"):
            _native.use_cpu_level(level)
            assert fit(X, y, weight=weight, **options).ensemble == one.ensemble
    finally:
        _native.use_cpu_level(best)


@pytest.mark.parametrize("statistics", ["exact", "quantised"])
def test_features_that_do_not_vary_change_nothing_however_many(statistics: str) -> None:
    rng = np.random.default_rng(12)
    few = rng.normal(size=(20_000, 5))
    y = few[:, 0] * few[:, 1] + few[:, 4] + rng.normal(size=20_000)
    places = [3, 77, 300, 599, 600]
    many = np.zeros((20_000, 610), dtype=np.float32)
    many[:, places] = few
    options: Any = {"n_estimators": 2, "max_bins": 32, "statistics": statistics}
    narrow = fit(few.astype(np.float32).astype(float), y, **options).ensemble
    wide = fit(many, y, n_threads=2, **options).ensemble
    inner = narrow.feature >= 0
    assert np.array(places)[narrow.feature[inner]].tolist() == wide.feature[inner].tolist()
    np.testing.assert_array_equal(narrow.value, wide.value)
    np.testing.assert_array_equal(narrow.gain, wide.gain)


def test_one_partition_through_two_features_goes_to_the_first() -> None:
    x = np.random.default_rng(0).normal(size=50)
    model = fit(np.column_stack([-x, x, x]), x, n_estimators=5, max_depth=3).ensemble
    assert set(model.feature[model.feature >= 0]) == {0}


def test_best_leaf_first_splits_in_the_order_of_gains() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 3))
    y = X[:, 0] + X[:, 1] * X[:, 2]
    full = fit(X, y, n_estimators=1, max_depth=3, symmetric=False).ensemble
    by_gain = fit(X, y, n_estimators=1, max_depth=3, max_leaf_nodes=64).ensemble
    assert full == by_gain
    few = fit(X, y, n_estimators=1, max_depth=None, max_leaf_nodes=5).ensemble
    assert few.n_leaves == 5
    gains = few.gain[few.feature >= 0]
    more = fit(X, y, n_estimators=1, max_depth=None, max_leaf_nodes=6).ensemble
    assert set(np.round(gains, 9)) <= set(np.round(more.gain[more.feature >= 0], 9))


def test_a_weight_of_k_is_k_rows() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    weight = rng.integers(0, 4, 80)
    options: dict[str, Any] = {"n_estimators": 4, "max_bins": 8}
    weighted = fit(X, y, weight=weight.astype(float), **options).ensemble
    repeated = fit(np.repeat(X, weight, axis=0), np.repeat(y, weight), **options).ensemble
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_allclose(weighted.value, repeated.value, rtol=1e-9, atol=1e-12)


def test_early_stopping_keeps_the_best_round() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(200, 5)), rng.normal(size=200)
    other = BoostingTable(name="valid", rows=AlignedRows(100, rng.normal(size=(100, 5))), y=rng.normal(size=100))
    boosted = fit(
        X, y, evaluate=(other,), early_stopping=True, n_iter_no_change=5, learning_rate=0.3, metrics=("rmse",)
    )
    curve = boosted.history.of("valid", "squared_error")
    assert boosted.history.best_round == np.argmin(curve) + 1
    assert boosted.history.n_rounds == boosted.history.best_round + 5
    assert boosted.ensemble.n_trees == boosted.history.best_round
    raw = boosted.ensemble.predict_raw(other.rows.data)
    assert np.mean((other.y - raw) ** 2) == pytest.approx(curve.min(), rel=1e-12)
    np.testing.assert_allclose(boosted.history.of("valid", "rmse"), np.sqrt(curve))


def test_levels_that_share_a_bin_are_reported() -> None:
    codes = np.arange(600, dtype=np.int32) % 300
    features = FeatureSchema(
        names=("x", "city"),
        named=True,
        categories=(None, tuple(f"l{k}" for k in range(300))),
        coded=np.zeros(2, dtype=bool),
        missing_routed=np.ones(2, dtype=bool),
        zero_is_missing=np.zeros(2, dtype=bool),
    )
    with pytest.warns(GlasswoodWarning, match="the 47 rarest levels of 'city' share a bin and cannot be told apart"):
        fit([np.arange(600.0), codes], codes % 7, features=features, n_estimators=1, max_bins=254)
    fit([np.arange(600.0), codes], codes % 7, features=features, n_estimators=1)  # all levels are told apart
    few = np.minimum(codes, 200).astype(np.int32)  # declared levels without rows cost nothing
    fit([np.arange(600.0), few], few % 7, features=features, n_estimators=1, max_bins=254)


def test_weights_too_light_for_two_leaves_are_reported() -> None:
    X, y = np.arange(50.0)[:, None], np.arange(50.0)
    with pytest.warns(
        GlasswoodWarning, match="sample_weight sums to 1, too little for two leaves of min_weight_leaf=1"
    ):
        assert fit(X, y, weight=np.full(50, 0.02), n_estimators=1).ensemble.n_nodes == 1
    assert fit(X, y, weight=np.full(50, 0.02), n_estimators=1, min_weight_leaf=0.1).ensemble.n_nodes > 1


def test_an_offset_is_where_raw_starts() -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(100, 2)), rng.poisson(2.0, 100).astype(float)
    exposure = rng.random(100) + 0.5
    boosted = fit(X, y, loss="poisson", offset=np.log(exposure)[None], n_estimators=3)
    assert boosted.ensemble.baseline[0] == pytest.approx(np.log(y.sum() / exposure.sum()))
    mu = np.exp(boosted.ensemble.predict_raw(X)) * exposure
    wanted = 2 * np.mean(np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mu), 0) - y + mu)
    assert boosted.history.of("train", "poisson")[-1] == pytest.approx(wanted)


def test_softmax_grows_one_tree_per_class() -> None:
    rng = np.random.default_rng(8)
    X = rng.normal(size=(150, 3))
    y = (X[:, 0] > 0).astype(float) + (X[:, 1] > 0.5)
    boosted = fit(X, y, loss="softmax", outputs=("a", "b", "c"), n_estimators=5, metrics=("accuracy",))
    assert boosted.ensemble.n_trees == 15
    assert boosted.ensemble.tree_output.tolist() == [0, 1, 2] * 5
    share = boosted.ensemble.predict(X)
    np.testing.assert_allclose(share.sum(axis=1), 1)
    wanted = -np.mean(np.log(share[np.arange(150), y.astype(int)]))
    assert boosted.history.of("train", "softmax")[-1] == pytest.approx(wanted)
    assert boosted.history.of("train", "accuracy")[-1] == np.mean(share.argmax(axis=1) == y)


def test_a_custom_loss_grows_the_trees_of_the_built_in() -> None:
    class Squares:
        def gradient_hessian(self, y: Any, raw: Any) -> Any:
            return raw - y, np.ones_like(y)

        def loss(self, y: Any, raw: Any) -> Any:
            return (y - raw) ** 2

    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    own, built_in = fit(X, y, loss=Squares(), n_estimators=4), fit(X, y, n_estimators=4)
    assert own.ensemble == built_in.ensemble
    np.testing.assert_allclose(own.history.values, built_in.history.values)


def test_values_without_noise_or_of_extreme_size_still_grow() -> None:
    X = np.arange(20.0)[:, None]
    for scale in (1e-60, 1e60):
        model = fit(X, scale * (X[:, 0] > 9), n_estimators=1, max_depth=1, l2=0.0, learning_rate=1.0).ensemble
        np.testing.assert_allclose(model.predict_raw(X), scale * (X[:, 0] > 9), rtol=1e-12, atol=scale * 1e-12)
    constant = fit(X, np.full(20, 3.0), n_estimators=3).ensemble
    assert constant.n_leaves == constant.n_trees and np.all(constant.predict_raw(X) == 3.0)
    assert fit(X[:1], [2.0], n_estimators=2).ensemble.predict_raw(X[:1])[0] == 2.0
    assert fit(np.ones((20, 1)), X[:, 0], n_estimators=2).ensemble.n_leaves == 2


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_quantised_statistics_find_the_same_jump_at_any_scale(scale: float) -> None:
    X = np.arange(20.0)[:, None]
    y = scale * (X[:, 0] > 9)
    model = fit(X, y, n_estimators=1, max_depth=1, l2=0.0, learning_rate=1.0, statistics="quantised").ensemble
    assert model.threshold[0] == 9.5
    np.testing.assert_allclose(model.predict_raw(X), y, rtol=1e-12, atol=scale * 1e-12)
    assert model.weight.tolist() == [20.0, 10.0, 10.0]


def test_a_seed_decides_how_gradients_are_rounded() -> None:
    rng = np.random.default_rng(10)
    X, y = rng.normal(size=(400, 5)), rng.normal(size=400)
    models = [fit(X, y, statistics="quantised", seed=seed, n_estimators=8).ensemble for seed in (1, 1)]
    assert models[0] == models[1]


def test_targets_that_a_loss_does_not_allow_are_named() -> None:
    X = np.zeros((3, 1))
    with pytest.raises(TableError, match=r"poisson loss takes targets at least 0, found -1 in row 1"):
        fit(X, [0, -1, 2], loss="poisson")
    with pytest.raises(TableError, match=r"gamma loss takes targets above 0, found 0 in row 2"):
        fit(X, [1, 1, 0], loss="gamma")
    with pytest.raises(TableError, match="needs a target above 0"):
        fit(X, [0, 0, 0], loss="tweedie")
    with pytest.raises(TableError, match="above 0 in at least one row of positive weight"):
        fit(X, [0, 0, 3], loss="poisson", weight=np.array([1.0, 1.0, 0.0]))
    with pytest.raises(OptionError, match="loss must be one of"):
        fit(X, [0, 0, 0], loss="hinge")


@pytest.mark.parametrize(
    ("loss", "scale"),
    [("squared_error", 1e300), ("squared_error", 1e-300), ("poisson", 1e150), ("gamma", 1e300), ("tweedie", 1e-300)],
)
def test_targets_whose_squares_overflow_are_refused(loss: str, scale: float) -> None:
    with pytest.raises(TableError, match="divide y by a constant first"):
        fit(np.arange(4.0)[:, None], scale * np.arange(1.0, 5.0), loss=loss)


def test_medians_are_found_at_any_scale() -> None:
    X = np.arange(20.0)[:, None]
    for scale in (1e-300, 1e300):
        y = scale * (X[:, 0] > 9)
        model = fit(X, y, loss="absolute_error", n_estimators=1, max_depth=1, learning_rate=1.0).ensemble
        np.testing.assert_array_equal(model.predict_raw(X), y)


def test_evaluation_targets_are_checked_too() -> None:
    X, y = np.arange(4.0)[:, None], np.arange(1.0, 5.0)
    watched = BoostingTable(name="eval0", rows=AlignedRows(4, X), y=-y)
    with pytest.raises(TableError, match="eval0: the gamma loss takes targets above 0, found -1 in row 0"):
        fit(X, y, loss="gamma", evaluate=[watched])
