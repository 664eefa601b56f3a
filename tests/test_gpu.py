"""The room for GPUs: nothing of it is loaded without need, and its parts fit together."""

import subprocess
import sys

import numpy as np

from glasswood.gpu._device import number
from glasswood.gpu._records import FEATURE, LOSS_SUM, NODE, RULES, state_bytes
from glasswood.gpu._sources import kernel_text
from glasswood.gpu._tree_program import KERNELS


def test_cupy_is_not_imported_for_a_fit_on_the_cpu() -> None:
    code = (
        "import sys, numpy, glasswood;"
        "glasswood.BoostingRegressor(n_estimators=1).fit(numpy.ones((4, 1)), numpy.arange(4));"
        "print('cupy' in sys.modules, 'glasswood.gpu._cuda_device' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["False", "False"]


def test_records_are_as_long_as_the_kernels_say() -> None:
    text = kernel_text("trees.cu") + kernel_text("gradients.cu")
    for name, record in (("Node", NODE), ("FeatureInfo", FEATURE), ("Rules", RULES)):
        assert f"static_assert(sizeof({name}) == {record.itemsize}," in text
    assert LOSS_SUM.itemsize == 40
    # tree, four times four units, one; three sums, a value, a weight, a value of rows and a slot per leaf; a counter
    # per level and leaf, and one of leaves
    assert state_bytes(2, 3) == 8 + 128 + 8 + 4 * (24 + 8 + 8 + 8 + 4) + 2 * 4 * 4 + 8


def test_every_kernel_is_in_the_source() -> None:
    text = kernel_text("trees.cu")
    assert all(f"{name}(" in text for name in KERNELS)


def test_numbers_have_the_size_a_kernel_expects() -> None:
    assert number(3, "u4").dtype == np.uint32 and number(0.5, "f8").dtype == np.float64
