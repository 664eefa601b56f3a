"""What is chosen for GPUs with less shared memory runs on a real one and gives the same bits. Needs a GPU."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.explain.effects import effects
from glasswood.gpu import start_device_rounds
from glasswood.gpu._cuda_device import CudaDevice
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._predict import predict_into
from glasswood.gpu._row_counts import DeviceRowCounts
from tests.gpu.fits import FITS, bits_of, fit

pytestmark = pytest.mark.gpu
KIB = 1024


def small(shared: int) -> CudaDevice:
    """A device that is told to use less: 95 KiB as an RTX 30, 40 or 50, 159 as an A100."""
    device = CudaDevice()
    device.shared_bytes = shared * KIB
    device.name = f"{device.name} with {shared} KiB"  # models keep what they made for a device by its name
    return device


@pytest.mark.filterwarnings("ignore:the .* rarest levels of 'x6' share a bin")
@pytest.mark.parametrize("shared", [95, 159])
@pytest.mark.parametrize("what", FITS)
def test_trees_have_the_same_bits_with_less_shared_memory(what: str, shared: int) -> None:
    more = {"max_bins": 128} if shared == 95 and FITS[what].get("max_bins", 31) > 128 else {}
    on_device: Any = partial(start_device_rounds, device=small(shared))
    assert bits_of(fit(what, 20_000, on_device, **more)) == bits_of(fit(what, 20_000, n_threads=4, **more))


@pytest.mark.parametrize("shared", [95, 159])
def test_rows_have_the_same_raw_and_effects_with_less_shared_memory(shared: int) -> None:
    import cupy

    rng = np.random.default_rng(2)
    rows = rng.normal(size=(6000, 50)).astype(np.float32)
    y = rows.sum(axis=1) + rng.normal(size=6000)
    model = gw.BoostingRegressor(n_estimators=40, max_depth=3, colsample=0.2).fit(rows, y)
    ensemble, device = model.ensemble_, small(shared)
    given = DeviceMatrix(cupy.asarray(rows))
    raw = device.zeros(8 * len(rows))
    predict_into(device, ensemble, given, raw, (1, 1))
    np.testing.assert_array_equal(device.read(raw, np.float64, len(rows)), ensemble.predict_raw(rows))
    found, expected = effects(model, DeviceRowCounts(device, given)), gw.effects(model, rows)
    for own, other in zip(found.features, expected.features, strict=True):
        np.testing.assert_array_equal(own.effect, other.effect)
