"""A CUDA device, where there is one: `make gpu`. Without one, the error says what is needed."""

import sys
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import DeviceError, MissingDependencyError
from glasswood.gpu import start_device_rounds
from glasswood.gpu._cuda_device import CudaDevice, import_cupy
from tests.gpu.fits import FITS, bits_of, fit


def test_a_machine_without_cupy_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'glasswood\[gpu13\]'"):
        import_cupy()


@pytest.mark.gpu
@pytest.mark.parametrize("n", [777, 100_000])
@pytest.mark.parametrize("what", FITS)
def test_a_gpu_gives_the_bits_of_the_cpu(what: str, n: int) -> None:
    assert bits_of(fit(what, n, start_device_rounds)) == bits_of(fit(what, n, n_threads=4))


@pytest.mark.gpu
def test_sums_of_rows_in_one_bin_do_not_overflow() -> None:
    """The largest gradients of all rows fall into one cell, four times as much as 32 bits hold."""
    n = 150_000
    X = np.zeros((n, 3))
    X[:7, 0] = 1.0
    y = np.where(np.arange(n) < 7, -1.0, 1.0) * 65535.0
    options: dict[str, Any] = {"n_estimators": 3, "max_depth": 2, "statistics": "quantised"}
    models = [gw.BoostingRegressor(device=device, **options).fit(X, y) for device in ("cpu", "cuda")]
    np.testing.assert_array_equal(models[0].ensemble_.value, models[1].ensemble_.value)


@pytest.mark.gpu
def test_three_runs_have_the_same_bits() -> None:
    runs = [bits_of(fit("logistic, 255 bins", 200_000, start_device_rounds, n_estimators=5)) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.gpu
def test_too_little_memory_is_a_clear_error() -> None:
    with pytest.raises(DeviceError, match=r"GiB free and 9\d\d\d\d\.\d\d more are needed"):
        CudaDevice().zeros(10**14)
