"""DeviceRounds: trees of a device have the bits of quantised statistics on the CPU. Here, kernels are emulated."""

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


def test_fewer_bins_fit_less_shared_memory() -> None:
    """GPUs of capability 8.6, 8.9 and 12.0: three sums of 255 bins do not fit, those of 128 do."""
    small: Any = partial(start_device_rounds, device=EmulatedDevice(95 * 1024))
    what = "credibility of variances"
    with pytest.raises(OptionError, match="255 bins with 3 sums each do not fit: lower max_bins to 128"):
        fit(what, 400, small, max_bins=255)
    assert bits_of(fit(what, 400, small, max_bins=128)) == bits_of(fit(what, 400, max_bins=128))
