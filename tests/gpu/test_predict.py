"""Rows on a device: raw has the bits of the CPU. Without a device the kernel is emulated."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.gpu import predict_raw
from glasswood.gpu._coded_trees import MAX_CODES, code_trees
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._predict import predict_into, walk_bytes
from tests.gpu.emulated_device import EmulatedDevice

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[RNG.random(X.shape) < 0.1] = np.nan
Y = np.digitize(np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]), [-0.5, 0.5])


def model(n_classes: int) -> Any:
    return gw.BoostingClassifier(n_estimators=5, max_depth=3).fit(X, np.minimum(Y, n_classes - 1))


def emulated_raw(ensemble: Any, rows: Any, device: EmulatedDevice | None = None) -> Any:
    device, n = device or EmulatedDevice(), len(rows)
    raw = device.zeros(8 * n * ensemble.n_outputs)
    predict_into(device, ensemble, DeviceMatrix(rows), raw, (ensemble.n_outputs, 1))
    return device.read(raw, np.float64, n * ensemble.n_outputs).reshape(n, -1).squeeze()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_on_a_device_have_the_raw_of_the_cpu(n_classes: int, dtype: Any, order: Any) -> None:
    ensemble = model(n_classes).ensemble_
    rows = np.asarray(X, dtype=dtype, order=order)
    assert code_trees(ensemble) is not None
    np.testing.assert_array_equal(emulated_raw(ensemble, rows), ensemble.predict_raw(rows))


@pytest.mark.parametrize(
    "options",
    [
        {"n_estimators": 9, "max_depth": 7},  # more nodes than fit the shared memory at once
        {"n_estimators": 2, "max_depth": 12, "min_samples_leaf": 1},  # some trees have too many nodes to be coded
    ],
)
def test_larger_trees_have_the_raw_of_the_cpu(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3000, 5)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.05] = np.nan
    ensemble = gw.BoostingRegressor(**options).fit(rows, rng.normal(size=3000)).ensemble_
    assert (code_trees(ensemble) is None) == (options["max_depth"] == 12)
    few = rows[:200]
    np.testing.assert_array_equal(emulated_raw(ensemble, few), ensemble.predict_raw(few))


@pytest.mark.parametrize(("shared", "coded"), [(95, False), (159, True)])
def test_trees_are_walked_without_codes_where_these_do_not_fit(shared: int, coded: bool) -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(600, 50)).astype(np.float32)
    y = rows.sum(axis=1) + rng.normal(size=600)
    ensemble = gw.BoostingRegressor(n_estimators=40, max_depth=3, colsample=0.2).fit(rows, y).ensemble_
    trees = code_trees(ensemble)
    assert trees is not None and 44 < len(trees.thresholds) <= 2 * 50
    device = EmulatedDevice(shared * 1024)
    np.testing.assert_array_equal(emulated_raw(ensemble, rows[:100], device), ensemble.predict_raw(rows[:100]))
    assert (device.largest_launch > 72 * 1024) == coded  # the words and values of a chunk of trees


def test_an_h200_walks_every_model_that_has_codes() -> None:
    assert walk_bytes(MAX_CODES // 4) <= 223 * 1024


def test_a_model_without_splits_predicts_its_constant() -> None:
    ensemble = gw.BoostingRegressor(n_estimators=2).fit(np.zeros((20, 2)), np.arange(20.0)).ensemble_
    np.testing.assert_array_equal(emulated_raw(ensemble, np.zeros((3, 2))), ensemble.predict_raw(np.zeros((3, 2))))


@pytest.mark.gpu
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_gpu_predicts_the_raw_of_the_cpu(n_classes: int, dtype: Any) -> None:
    import cupy

    fitted, rows = model(n_classes), np.tile(X.astype(dtype), (1000, 1))
    found = predict_raw(fitted, cupy.asarray(rows)[::2])  # a view of other strides
    np.testing.assert_array_equal(found.get(), fitted.ensemble_.predict_raw(rows[::2]))
    np.testing.assert_array_equal(fitted.predict(cupy.asarray(rows)), fitted.predict(rows))
    with pytest.raises(TableError, match=r"X must be \(n_rows, 4\); got \(300000, 2\)"):
        predict_raw(fitted, cupy.asarray(rows)[:, :2])


def test_what_does_not_lie_on_a_device_is_refused() -> None:
    with pytest.raises(TableError, match="takes an array on a GPU; got ndarray"):
        predict_raw(model(2), X)
    with pytest.raises(UnsupportedModelError, match="takes an Ensemble; got dict"):
        predict_raw({}, X)


def test_categories_are_refused_by_name() -> None:
    table = np.array([["a", "b"], ["b", "a"]] * 10, dtype=object)
    fitted = gw.BoostingRegressor(n_estimators=1).fit(table, np.arange(20.0))
    with pytest.raises(UnsupportedModelError, match="feature 'x0' is a category"):
        predict_raw(fitted, X)
