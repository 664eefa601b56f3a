"""DeviceRounds: trees of a device have the bits of quantised statistics on the CPU. Here, kernels are emulated."""

import weakref
from functools import partial
from typing import Any

import pytest

from glasswood.errors import OptionError
from glasswood.gpu import start_device_rounds
from tests.gpu.emulated_device import EmulatedDevice
from tests.gpu.fits import FITS, bits_of, fit

emulated: Any = partial(start_device_rounds, device=EmulatedDevice())


@pytest.mark.parametrize("what", FITS)
def test_a_device_gives_the_bits_of_the_cpu(what: str) -> None:
    assert bits_of(fit(what, 260, emulated)) == bits_of(fit(what, 260))


class Interrupted(Exception):  # noqa: N818
    """In the place of Ctrl-C."""


@pytest.mark.parametrize("where", ["while preparing", "between rounds"])
def test_rounds_under_way_are_waited_for_when_a_fit_is_interrupted(where: str) -> None:
    device = EmulatedDevice()

    def make_rounds(plan: Any, done: int) -> Any:
        if where == "while preparing":
            device.record = interrupt  # type: ignore[method-assign]
        rounds = start_device_rounds(plan, done, device)
        rounds.tables[0].loss = interrupt  # type: ignore[method-assign]
        return rounds

    def interrupt(*given: Any) -> Any:
        raise Interrupted

    with pytest.raises(Interrupted):
        fit("squared error", 260, make_rounds)
    assert device.finished == 1


class CountingDevice(EmulatedDevice):
    """Knows how many bytes are in use."""

    def __init__(self) -> None:
        super().__init__()
        self.used = 0

    def _count(self, buffer: Any) -> Any:
        self.used += buffer.nbytes
        weakref.finalize(buffer, self._uncount, buffer.nbytes)
        return buffer

    def _uncount(self, n_bytes: int) -> None:
        self.used -= n_bytes

    def upload(self, array: Any) -> Any:
        return self._count(super().upload(array))

    def zeros(self, n_bytes: int) -> Any:
        return self._count(super().zeros(n_bytes))


@pytest.mark.parametrize(
    "what",
    [
        "squared error", "squared error, 255 bins, deep", "logistic with weights", "quantile with weights",
        "three classes", "classes with weights and categories", "drawn rows and features", "early stopping",
    ],
)  # fmt: skip
def test_a_fit_knows_what_it_needs_before_it_begins(what: str) -> None:
    found: list[tuple[int, int]] = []

    def make_rounds(plan: Any, done: int) -> Any:
        device = CountingDevice()
        rounds = start_device_rounds(plan, done, device)
        found.append((device.expected, device.used))
        return rounds

    fit(what, 2000, make_rounds, n_estimators=1)
    ((expected, used),) = found
    assert 0.97 * used < expected <= used  # the rest does not grow with the table


def test_fewer_bins_fit_less_shared_memory() -> None:
    """GPUs of capability 8.6, 8.9 and 12.0: three sums of 255 bins do not fit, those of 128 do."""
    small: Any = partial(start_device_rounds, device=EmulatedDevice(95 * 1024))
    what = "credibility of variances"
    with pytest.raises(OptionError, match="255 bins with 3 sums each do not fit: lower max_bins to 128"):
        fit(what, 400, small, max_bins=255)
    assert bits_of(fit(what, 400, small, max_bins=128)) == bits_of(fit(what, 400, max_bins=128))
