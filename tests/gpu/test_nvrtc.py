"""NVIDIA's compiler takes every kernel without a warning, for every architecture; no GPU is needed."""

import json
import sys
from itertools import product

import pytest

from glasswood.gpu._cuda_device import RESERVED_BYTES
from glasswood.gpu._sources import KERNEL_FILES, LOSSES
from tests.gpu.cubin import KernelSize, kernel_sizes
from tests.gpu.nvrtc import compiled, version
from tests.gpu.sizes import FILE
from tests.gpu.variants import (
    ARCHITECTURES,
    CELLS,
    DEPTHS,
    WIDTHS,
    other_variants,
    pairs_of,
    reachable_pairs,
    sums,
    tree_variants,
)

VARIANTS = [*other_variants(), *tree_variants()]
TABLE = json.loads(FILE.read_text())
DYNAMIC = ("add_lines", "bin_rows", "count_leaves", "fill", "walk_codes")  # with shared memory that the host sets
linux = pytest.mark.skipif(sys.platform != "linux", reason="the compiler is installed on Linux only")


@linux
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_compiler_takes_every_variant(number: int) -> None:
    """Without a word, and into kernels that need no more registers, stack and shared memory than the table says."""
    source, macros, architecture = VARIANTS[number]
    log, cubin = compiled(source, macros, architecture)
    assert log == ""
    for name, size in kernel_sizes(cubin).items():
        system = 1024 if architecture in ("sm_90", "sm_100", "sm_120") else 0  # of every block, not the kernel's own
        assert name not in DYNAMIC or size.shared - system <= RESERVED_BYTES
        most = KernelSize(*TABLE["kernels"][name][architecture])
        if version() == TABLE["nvrtc"]:  # another compiler may choose otherwise
            grown = f"{name} grew: if it has to, run python -m tests.gpu.sizes"
            assert size.registers <= most.registers and size.stack <= most.stack, grown
        assert size.shared <= most.shared, name


def test_every_combination_of_sums_is_compiled() -> None:
    """Every gain, with and without categories, hessians and weights; newton has squares where there are categories."""
    names = tuple(sums()[0])
    found = {tuple(macros[name] for name in names) for source, macros, _ in VARIANTS if source == "trees.cu"}
    wanted = {
        (gain, int(gain != 0 or categories), hessians, weighted, categories)
        for gain, hessians, weighted, categories in product(range(5), (0, 1), (0, 1), (0, 1))
    }
    assert names == ("GAIN", "SQUARES", "HESSIANS", "WEIGHTED", "CATEGORIES")
    assert found == wanted and len(wanted) == 40


def test_every_two_values_meet() -> None:
    found = set().union(*(pairs_of(variant) for variant in tree_variants()))
    assert found == reachable_pairs()
    values = {(name, value) for pair in found for name, value in pair}
    for name, wanted in (("NC", CELLS), ("GW", WIDTHS), ("DEPTH", DEPTHS), ("architecture", tuple(ARCHITECTURES))):
        assert {value for own, value in values if own == name} == set(wanted)


def test_every_file_and_loss_is_compiled_and_every_kernel_is_in_the_table() -> None:
    assert {source for source, _, _ in VARIANTS} == set(KERNEL_FILES)
    assert {macros["LOSS"] for source, macros, _ in VARIANTS if source == "gradients.cu"} == set(LOSSES.values())
    assert {"fill", "scan", "part", "order", *DYNAMIC} <= set(TABLE["kernels"])
