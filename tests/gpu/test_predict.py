"""Rows on a device: raw has the bits of the CPU. Without a device the kernel is emulated."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.gpu import predict_raw
from glasswood.gpu._predict import predict_launch
from tests.gpu.emulated_device import EmulatedDevice

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[RNG.random(X.shape) < 0.1] = np.nan
Y = np.digitize(np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]), [-0.5, 0.5])


def model(n_classes: int) -> Any:
    return gw.BoostingClassifier(n_estimators=5, max_depth=3).fit(X, np.minimum(Y, n_classes - 1))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_on_a_device_have_the_raw_of_the_cpu(n_classes: int, dtype: Any, order: Any) -> None:
    ensemble, device = model(n_classes).ensemble_, EmulatedDevice()
    rows = np.asarray(X, dtype=dtype, order=order)
    raw = np.empty((300, ensemble.n_outputs))
    device.run([predict_launch(device, ensemble, rows, raw)])
    np.testing.assert_array_equal(raw.squeeze(), ensemble.predict_raw(rows))


@pytest.mark.gpu
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_gpu_predicts_the_raw_of_the_cpu(n_classes: int, dtype: Any) -> None:
    import cupy

    fitted, rows = model(n_classes), np.tile(X.astype(dtype), (1000, 1))
    found = predict_raw(fitted, cupy.asarray(rows)[::2])  # a view of other strides
    np.testing.assert_array_equal(found.get(), fitted.ensemble_.predict_raw(rows[::2]))
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
