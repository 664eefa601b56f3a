"""DeviceRounds: trees of a device have the bits of quantised statistics on the CPU. Here, kernels are emulated."""

from functools import partial
from typing import Any

import pytest

from glasswood.gpu import start_device_rounds
from tests.gpu.emulated_device import EmulatedDevice
from tests.gpu.fits import FITS, bits_of, fit

emulated: Any = partial(start_device_rounds, device=EmulatedDevice())


@pytest.mark.parametrize("what", FITS)
def test_a_device_gives_the_bits_of_the_cpu(what: str) -> None:
    assert bits_of(fit(what, 260, emulated)) == bits_of(fit(what, 260))
