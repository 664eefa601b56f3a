"""NVIDIA's compiler takes every kernel without a warning, for every architecture; no GPU is needed."""

import sys
from itertools import product

import pytest

from glasswood.gpu._bin_kernel import PLAIN
from glasswood.gpu._sources import KERNEL_FILES, LOSSES
from tests.gpu.nvrtc import log_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the compiler is installed on Linux only")

ARCHITECTURES = ("sm_80", "sm_90", "sm_100", "sm_120")
CELLS, WIDTHS, DEPTHS = (33, 65, 129, 256), (1, 2, 4), (1, 6, 8, 10)


def tree_variants() -> list[dict[str, int]]:
    """Every value of every macro, and every combination of sums with and without weights."""
    found = []
    for k, (squares, hessians, weighted) in enumerate(product((0, 1), repeat=3)):
        found.append(
            {
                "DEPTH": DEPTHS[k % 4],
                "SQUARES": squares,
                "HESSIANS": hessians,
                "WEIGHTED": weighted,
                "NC": CELLS[(k + k // 4) % 4],
                "GW": WIDTHS[k % 3],
                "GAIN": 1 + k % 4 if squares else 0,
                "CATEGORIES": squares * (k % 2),
                "HISTOGRAM_THREADS": 1024,
                "ROOT_ONLY": 0,
            }
        )
    return found


VARIANTS = [
    *(("gradients.cu", {**PLAIN, "LOSS": loss}) for loss in LOSSES.values()),
    *(("predict.cu", {**PLAIN, "FLOAT64": wide}) for wide in (0, 1)),
    *(("explain.cu", {**PLAIN, "ORDER": order}) for order in (1, 2)),
    ("tables.cu", {**PLAIN, "BINS": 0}),
    *(
        ("tables.cu", {**PLAIN, "BINS": 1, "FLOAT64": wide, "EDGES": edges, "WIDTH": width, "BIN_THREADS": threads})
        for wide, edges, width, threads in ((0, 31, 1, 512), (1, 63, 2, 512), (1, 127, 1, 512), (0, 255, 4, 1024))
    ),
    *(("trees.cu", macros) for macros in tree_variants()),
    *(("trees.cu", {**macros, "ROOT_ONLY": 1}) for macros in tree_variants() if not macros["WEIGHTED"]),
]


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_compiler_takes_every_variant(number: int) -> None:
    source, macros = VARIANTS[number]
    assert log_of(source, macros, ARCHITECTURES[number % len(ARCHITECTURES)]) == ""


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_commonest_trees_compile_for_every_architecture(architecture: str) -> None:
    macros = {**tree_variants()[0], "DEPTH": 6, "NC": 256, "GW": 2}
    assert log_of("trees.cu", macros, architecture) == ""


def test_every_file_is_compiled() -> None:
    assert {source for source, _ in VARIANTS} == set(KERNEL_FILES)
