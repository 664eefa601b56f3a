"""The kernels as they are were compared on a device, and their trees are those of the CPU of this machine."""

import json

import pytest

from tests.gpu.fits import FITS, fit, hash_of
from tests.gpu.verified import FILE, N_ROWS, hash_of_kernels

VERIFIED = json.loads(FILE.read_text())


def test_the_kernels_were_compared_on_a_device() -> None:
    advice = "a kernel or a formula changed: run `make gpu` on a machine with an NVIDIA GPU"
    assert VERIFIED["kernels"] == hash_of_kernels(), advice
    assert list(VERIFIED["hashes"]) == list(FITS) and VERIFIED["rows"] == N_ROWS, advice


@pytest.mark.parametrize("what", FITS)
def test_the_trees_of_the_device_are_those_of_this_cpu(what: str) -> None:
    assert hash_of(fit(what, N_ROWS)) == VERIFIED["hashes"][what]
