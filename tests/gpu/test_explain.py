"""Explanations of rows on a device have the bits of the CPU. Without a device the kernels are emulated."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood import _native, gpu
from glasswood.errors import OptionError, TableError, UnsupportedModelError
from glasswood.explain.attributions import prepare_attributions
from glasswood.explain.effects import effects, interactions, make_grid
from glasswood.gpu._attributions import upload_tables, write_values
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._row_counts import DeviceRowCounts, tile_words
from tests.gpu.emulated_device import EmulatedDevice

RNG = np.random.default_rng(0)
X = RNG.normal(size=(700, 6))
X[:, 1] = np.round(X[:, 1])
X[RNG.random(X.shape) < 0.08] = np.nan
SCORE = np.nan_to_num(X[:, 0] * X[:, 2]) + np.nan_to_num(X[:, 1]) + np.nan_to_num(X[:, 3]) ** 2


def model(n_classes: int, **options: Any) -> Any:
    given = {"n_estimators": 6, "max_depth": 4, "max_bins": 31, **options}
    if n_classes == 1:
        return gw.BoostingRegressor(**given).fit(X, SCORE)
    return gw.BoostingClassifier(**given).fit(X, np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.7])[: n_classes - 1]))


def same_effects(found: Any, expected: Any) -> None:
    for own, other in zip(found.features, expected.features, strict=True):
        np.testing.assert_array_equal(own.effect, other.effect)
        np.testing.assert_array_equal(own.weight, other.weight)
        np.testing.assert_array_equal(own.baseline, other.baseline)


def same_pairs(found: Any, expected: Any) -> None:
    for own, other in zip(found.tables, expected.tables, strict=True):
        for name in ("value", "weight", "h2", "term_sd", "interaction"):
            np.testing.assert_array_equal(getattr(own, name), getattr(other, name), err_msg=name)


def attributed(device: EmulatedDevice, ensemble: Any, rows: Any, background: Any) -> Any:
    """Values of rows, (n_rows, n_features, n_outputs)."""
    prepared = prepare_attributions(ensemble, background, 10**9, 1)
    shape = (len(rows), len(ensemble.features), ensemble.n_outputs)
    out = device.zeros(8 * int(np.prod(shape)))
    tables = upload_tables(device, prepared.tables, shape[1] * shape[2])
    write_values(device, ensemble, make_grid(ensemble).paths.cells(), tables, DeviceMatrix(rows), out)
    return device.read(out, np.float64, int(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("n_classes", [1, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_effects_and_pairs_have_the_bits_of_the_cpu(n_classes: int, dtype: Any) -> None:
    fitted, rows = model(n_classes), X.astype(dtype)
    counts = DeviceRowCounts(EmulatedDevice(), DeviceMatrix(rows))
    same_effects(effects(fitted, counts), gw.effects(fitted, rows))
    same_effects(effects(fitted, counts, features=[4, 0]), gw.effects(fitted, rows, features=[4, 0]))
    same_pairs(interactions(fitted, counts), gw.interactions(fitted, rows))
    some = [(2, 0), (1, 5)]
    same_pairs(interactions(fitted, counts, pairs=some), gw.interactions(fitted, rows, pairs=some))


@pytest.mark.parametrize("n_classes", [1, 3])
@pytest.mark.parametrize("with_background", [False, True])
def test_attributions_have_the_bits_of_the_cpu(n_classes: int, with_background: bool) -> None:
    fitted, rows = model(n_classes), X[:300]
    background = X[300:400] if with_background else None
    expected = gw.attributions(fitted, rows, background=background)
    found = attributed(EmulatedDevice(), fitted.ensemble_, rows, background)
    np.testing.assert_array_equal(found.squeeze(), expected.values)
    baseline = prepare_attributions(fitted.ensemble_, background, 10**9, 1).baseline
    np.testing.assert_array_equal(baseline, expected.baseline)


@pytest.mark.parametrize("shared", [95, 159])
def test_explanations_fit_less_shared_memory(shared: int) -> None:
    """Trees of many splits, and rows of many values."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(1500, 60))
    fitted = gw.BoostingRegressor(n_estimators=2, max_depth=9, max_bins=31, min_samples_leaf=1).fit(
        rows[:, :8], rng.normal(size=1500)
    )
    device = EmulatedDevice(shared * 1024)
    counts = DeviceRowCounts(device, DeviceMatrix(rows[:300, :8]))
    same_effects(effects(fitted, counts), gw.effects(fitted, rows[:300, :8]))
    assert 0 < device.largest_launch <= shared * 1024
    wide = gw.BoostingRegressor(n_estimators=2, max_depth=2, max_bins=15).fit(rows, rows[:, 0]).ensemble_
    device = EmulatedDevice(shared * 1024)
    found = attributed(device, wide, rows[:140], None)
    np.testing.assert_array_equal(found.squeeze(), gw.attributions(wide, rows[:140]).values)
    assert 60 * 1024 < device.largest_launch <= shared * 1024


def test_what_does_not_fit_the_shared_memory_is_named() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(300, 100))
    wide = gw.BoostingRegressor(n_estimators=1, max_depth=2).fit(rows, rows[:, 0]).ensemble_
    with pytest.raises(OptionError, match="up to 128 features and 79 values per row; the model has 100"):
        attributed(EmulatedDevice(95 * 1024), wide, rows, None)
    with pytest.raises(UnsupportedModelError, match="this GPU explains trees of up to 8 splits; one has"):
        effects(model(1), DeviceRowCounts(EmulatedDevice(1024), DeviceMatrix(X)))


@pytest.mark.parametrize("most_nodes", [1, 31, 48, 100, 768, 769, 1600])
def test_an_h200_takes_tiles_as_when_it_was_verified(most_nodes: int) -> None:
    verified = int(np.clip(96 * 1024 // (4 * most_nodes) // 32 * 32, 32, 512))
    assert tile_words(most_nodes, 223 * 1024) == verified
    assert verified * 4 * most_nodes <= 200 * 1024


def test_what_a_device_does_not_explain_is_named() -> None:
    fitted = model(1)
    counts = DeviceRowCounts(EmulatedDevice(), DeviceMatrix(X))
    with pytest.raises(OptionError, match="got degree=3"):
        interactions(fitted, counts, degree=3)
    with pytest.raises(OptionError, match="got method='observed'"):
        effects(fitted, counts, method="observed")
    with pytest.raises(OptionError, match="resolution= needs X in the memory of the host"):
        interactions(fitted, counts, resolution=4)
    with pytest.raises(TableError, match="takes rows on a GPU; got ndarray"):
        gpu.attributions(fitted, X)
    table = np.array([["a", "b"], ["b", "a"]] * 10, dtype=object)
    of_text = gw.BoostingRegressor(n_estimators=1).fit(table, np.arange(20.0))
    with pytest.raises(UnsupportedModelError, match="feature 'x0' is a category"):
        effects(of_text, counts)
    deep = gw.TreeRegressor(max_depth=20).fit(np.round(RNG.normal(size=(4000, 20))), RNG.normal(size=4000))
    with pytest.raises(UnsupportedModelError, match="up to 12 features on a path; a leaf has"):
        effects(deep, DeviceRowCounts(EmulatedDevice(), DeviceMatrix(RNG.normal(size=(10, 20)))))


def test_tables_are_flat_only_where_all_trees_have_some() -> None:
    """A tree without splits has one line; deep trees and categories have none that a device could take."""
    rows = np.arange(40.0)[:, None]
    deep = gw.TreeRegressor(max_depth=20).fit(np.round(RNG.normal(size=(4000, 20))), RNG.normal(size=4000)).ensemble_
    with pytest.raises(UnsupportedModelError, match="a tree is too deep for tables"):
        upload_tables(EmulatedDevice(), prepare_attributions(deep, None, 10**9, 1).tables, 20)
    text = np.array([["a"], ["b"], ["c"], ["a"]] * 10, dtype=object)
    of_text = gw.BoostingRegressor(n_estimators=1, min_samples_leaf=1).fit(text, np.arange(40.0) % 4).ensemble_
    with pytest.raises(UnsupportedModelError, match="a tree splits a category"):
        upload_tables(EmulatedDevice(), prepare_attributions(of_text, None, 10**9, 1).tables, 1)
    small = gw.BoostingRegressor(n_estimators=2).fit(rows, rows[:, 0]).ensemble_
    with pytest.raises(UnsupportedModelError, match="more memory than max_bytes"):
        upload_tables(EmulatedDevice(), prepare_attributions(small, None, 1, 1).tables, 1)
    grid = make_grid(small)
    shares = _native.RowShares(grid.paths, np.full(1, _native.FREE, dtype=np.uint8), 1)
    with pytest.raises(ValueError, match="sums"):
        shares.add_sums(np.zeros(1, dtype=np.int64), 1)
    with pytest.raises(ValueError, match="a tree splits a category"):
        make_grid(of_text).paths.questions()


@pytest.mark.gpu
@pytest.mark.parametrize("n_classes", [1, 3])
def test_a_gpu_explains_with_the_bits_of_the_cpu(n_classes: int) -> None:
    import cupy

    fitted, rows = model(n_classes, n_estimators=30, max_depth=5, max_bins=255), np.tile(X, (50, 1))
    on_device = cupy.asarray(rows)
    same_effects(gpu.effects(fitted, on_device), gw.effects(fitted, rows, n_jobs=-1))
    same_pairs(gpu.interactions(fitted, on_device), gw.interactions(fitted, rows, n_jobs=-1))
    for background in (None, X[:200]):
        found = gpu.attributions(fitted, on_device, background=background)
        expected = gw.attributions(fitted, rows, background=background, n_jobs=-1)
        np.testing.assert_array_equal(found.values.get(), expected.values)
        np.testing.assert_array_equal(found.raw.get(), expected.raw)
