"""Bins made by a device are those of the CPU, and so are the edges of rows that lie there."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from glasswood import _native
from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.gpu import find_edges, start_device_rounds
from glasswood.gpu._bin_kernel import lane_width
from glasswood.gpu._device_bins import columns_of, make_device_bins
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.train.boosting import BoostingOptions, BoostingTable, boost
from glasswood.train.boosting._binning import make_binning
from tests.gpu.emulated_device import EmulatedDevice
from tests.gpu.fits import bits_of, numbers


def values(n: int, n_features: int, dtype: Any) -> Any:
    rng = np.random.default_rng(n_features)
    X = rng.normal(size=(n, n_features))
    X[:, ::3] = np.round(X[:, ::3], 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:5, 0] = [np.inf, -np.inf, 0.0, -0.0, np.nan]
    return X.astype(dtype)


def binning_of(X: Any, max_bins: int) -> Any:
    features = FeatureSchema.numeric(FeatureSchema.positions(X.shape[1]))
    return make_binning(AlignedRows(len(X), X), features, np.empty(0), max_bins=max_bins, seed=0, n_threads=1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("place", ["host", "device", "columns first"])
@pytest.mark.parametrize(("n_features", "max_bins"), [(8, 31), (3, 255), (70, 64), (131, 20)])
def test_bins_are_those_of_the_cpu(dtype: Any, place: str, n_features: int, max_bins: int) -> None:
    X = values(400, n_features, dtype)
    binning, device = binning_of(X, max_bins), EmulatedDevice()
    data = X if place == "host" else DeviceMatrix(X if place == "device" else np.asfortranarray(X))
    stride = -(-n_features // 4) * 4
    bins = make_device_bins(device, binning, AlignedRows(len(X), data), stride, 1)
    found = bins.buffer.reshape(len(X), stride)
    np.testing.assert_array_equal(found[:, :n_features], binning.apply(AlignedRows(len(X), X), 1))
    assert not found[:, n_features:].any()
    columns = columns_of(device, bins, len(X), n_features).reshape(n_features, len(X))
    np.testing.assert_array_equal(columns, found[:, :n_features].T)


@pytest.mark.parametrize("shared", [95, 159])
@pytest.mark.parametrize(("dtype", "n_features"), [(np.float32, 65), (np.float32, 131), (np.float64, 33)])
def test_edges_are_dealt_to_as_many_groups_as_the_shared_memory_asks_for(
    shared: int, dtype: Any, n_features: int
) -> None:
    X = values(400, n_features, dtype)
    binning, device = binning_of(X, 255), EmulatedDevice(shared * 1024)
    stride = -(-n_features // 4) * 4
    bins = make_device_bins(device, binning, AlignedRows(len(X), DeviceMatrix(X)), stride, 1)
    found = bins.buffer.reshape(len(X), stride)[:, :n_features]
    np.testing.assert_array_equal(found, binning.apply(AlignedRows(len(X), X), 1))
    assert 0 < device.largest_launch <= shared * 1024


@pytest.mark.parametrize("shared_bytes", [223 * 1024, 227 * 1024])
@pytest.mark.parametrize("n_features", [1, 32, 33, 64, 65, 300])
@pytest.mark.parametrize("item_bytes", [4, 8])
@pytest.mark.parametrize("n_edges", [31, 63, 127, 255])
def test_an_h200_deals_features_as_when_it_was_verified(
    shared_bytes: int, n_features: int, item_bytes: int, n_edges: int
) -> None:
    verified = next(width for width in (1, 2, 4) if n_features <= 32 * width or width * item_bytes == 16)
    assert lane_width(n_features, item_bytes, n_edges, shared_bytes) == verified


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [300, 30_000])
def test_edges_are_those_of_the_cpu(dtype: Any, weighted: bool, n: int) -> None:
    X = values(n, 7, dtype)
    X[:, 1] = np.where(np.arange(n) % 3 == 0, X[:, 1], 1.5)  # many ties
    X[:, 2] = np.nan
    X[: n // 2, 4] = -np.inf
    rows = np.sort(np.random.default_rng(0).choice(n, n * 9 // 10, replace=False)).astype(np.uint32)
    weight = np.random.default_rng(1).random(len(rows)) if weighted else np.empty(0)
    given = (np.zeros(7, dtype=bool), rows, weight, 63, 1)
    start, edges = find_edges(DeviceMatrix(X), *given)
    expected_start, expected = _native.bin_edges(X, *given)
    np.testing.assert_array_equal(start, expected_start)
    np.testing.assert_array_equal(edges, expected)


def rows_on_device_fit(make_matrix: Any, make_rounds: Any, n: int, before: Any = None, **more: Any) -> Any:
    """Fit rows of numbers, with early stopping on other rows, and weights."""
    rng = np.random.default_rng(0)
    X = numbers(rng, n)
    y = np.nan_to_num(X[:, 0]) + X[:, 4] + rng.normal(size=n)
    weight = rng.integers(0, 4, n) * rng.random(n)
    options = BoostingOptions(
        **{"n_estimators": 4, "max_depth": 3, "statistics": "quantised", "early_stopping": True, **more}
    )
    cut = n * 2 // 3
    tables = [
        BoostingTable(
            name=name,
            rows=AlignedRows(len(part), make_matrix(X[part])),
            y=y[part],
            weight=weight[part],
            offset=y[None, part] / 9,
        )
        for name, part in (("train", np.arange(cut)), ("valid", np.arange(cut, n)))
    ]
    features = FeatureSchema.numeric(FeatureSchema.positions(X.shape[1]))
    given = {} if make_rounds is None else {"make_rounds": make_rounds, "find_edges": find_edges}
    return boost(tables[0], features, options, outputs=("y",), evaluate=tables[1:], before=before, seed=1, **given)


def test_rows_on_a_device_give_the_model_of_the_host() -> None:
    emulated: Any = partial(start_device_rounds, device=EmulatedDevice())
    found = rows_on_device_fit(DeviceMatrix, emulated, 300)
    expected = rows_on_device_fit(np.ascontiguousarray, None, 300)
    assert bits_of(found) == bits_of(expected)
    more = {"n_estimators": 6}
    assert bits_of(rows_on_device_fit(DeviceMatrix, emulated, 300, found, **more)) == bits_of(
        rows_on_device_fit(np.ascontiguousarray, None, 300, expected, **more)
    )
