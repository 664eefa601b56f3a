"""Variants: the macros under which every kernel file is compiled, on the GPUs that a test pretends to have.

All combinations of sums, weights, gain and categories that a fit can ask for are there. Depths, numbers of cells, bytes
of a lane and architectures are spread over them so that every pair of values that can meet does.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

from glasswood.gpu._bin_kernel import PLAIN
from glasswood.gpu._sources import GAINS, LOSSES, POWERED_WELCH

# architectures, and the shared memory of a block, less what kernels declare themselves
ARCHITECTURES = {
    "sm_80": 159 * 1024, "sm_86": 95 * 1024, "sm_90": 223 * 1024, "sm_100": 223 * 1024, "sm_120": 95 * 1024,
}  # fmt: skip
CELLS, WIDTHS, DEPTHS = (33, 65, 129, 256), (1, 2, 4), (1, 6, 8, 10)
_THREADS = 1024

Variant = tuple[str, dict[str, int], str]  # source, macros, architecture


def sums() -> list[dict[str, int]]:
    """Every combination of GAIN, SQUARES, HESSIANS, WEIGHTED and CATEGORIES that `DeviceRounds` can ask for."""
    gains = (*GAINS.values(), POWERED_WELCH)
    return [
        {
            "GAIN": gain,
            "SQUARES": int(gain != GAINS["newton"] or categories),  # as in `DeviceRounds`
            "HESSIANS": hessians,
            "WEIGHTED": weighted,
            "CATEGORIES": categories,
        }
        for gain, categories, hessians, weighted in product(gains, (0, 1), (0, 1), (0, 1))
    ]


def _shapes(own: dict[str, int]) -> Iterator[tuple[dict[str, int], str]]:
    """Depths, cells and bytes of a lane whose sums fit the shared memory of an architecture."""
    fields = 2 + own["SQUARES"] + own["HESSIANS"]
    slim = fields == 2 and not own["WEIGHTED"]
    words = 2 if slim else 5 if fields == 4 and own["WEIGHTED"] else 4
    for (architecture, shared), cells, width, depth in product(ARCHITECTURES.items(), CELLS, WIDTHS, DEPTHS):
        if fields * width * cells * 4 * 32 + _THREADS * 4 * words <= shared:
            yield {"NC": cells, "GW": width, "DEPTH": depth}, architecture


def _pairs(own: dict[str, int], shape: dict[str, int], architecture: str) -> set[tuple[Any, ...]]:
    return set(combinations([*own.items(), *shape.items(), ("architecture", architecture)], 2))


@cache
def reachable_pairs() -> frozenset[tuple[Any, ...]]:
    """Every two values that some fit brings together on some GPU."""
    return frozenset().union(*(_pairs(own, *shape) for own in sums() for shape in _shapes(own)))


@cache
def _trees() -> list[Variant]:
    """The commonest trees on every architecture, then a shape for every combination of sums, then what is left open.

    Always the shape that brings most values together for the first time.
    """
    open_pairs, found = set(reachable_pairs()), []

    def add(own: dict[str, int], shapes: list[tuple[dict[str, int], str]]) -> None:
        best = max(shapes, key=lambda shape: len(_pairs(own, *shape) & open_pairs))
        open_pairs.difference_update(_pairs(own, *best))
        found.append(("trees.cu", {**own, **best[0], "HISTOGRAM_THREADS": _THREADS, "ROOT_ONLY": 0}, best[1]))

    for architecture, shared in ARCHITECTURES.items():
        width = 2 if shared > 128 * 1024 else 1
        add(sums()[0], [({"NC": 256, "GW": width, "DEPTH": 6}, architecture)])
    for own in sums():
        add(own, list(_shapes(own)))
    while open_pairs:
        pair = min(open_pairs, key=repr)
        add(*next((own, [shape]) for own in sums() for shape in _shapes(own) if pair in _pairs(own, *shape)))
    return found


def pairs_of(variant: Variant) -> set[tuple[Any, ...]]:
    """The pairs of values that a variant of the trees brings together."""
    _, macros, architecture = variant
    own = {name: macros[name] for name in sums()[0]}
    return _pairs(own, {name: macros[name] for name in ("NC", "GW", "DEPTH")}, architecture)


def tree_variants() -> list[Variant]:
    """All sums, and the histograms of a root whose counts are known."""
    roots = [
        (source, {**macros, "ROOT_ONLY": 1}, architecture)
        for source, macros, architecture in _trees()
        if not macros["WEIGHTED"] and (macros["GAIN"], macros["CATEGORIES"]) in ((0, 0), (2, 0))
    ][len(ARCHITECTURES) :]
    return [*_trees(), *roots]


def other_variants() -> list[Variant]:
    """Every value of every macro of the other files."""
    found = [
        *(("gradients.cu", {**PLAIN, "LOSS": loss}) for loss in LOSSES.values()),
        *(("predict.cu", {**PLAIN, "FLOAT64": wide}) for wide in (0, 1)),
        *(("explain.cu", {**PLAIN, "ORDER": order}) for order in (1, 2)),
        ("tables.cu", {**PLAIN, "BINS": 0}),
        *(
            ("tables.cu", {**PLAIN, "BINS": 1, "FLOAT64": wide, "EDGES": edges, "WIDTH": width, "BIN_THREADS": threads})
            for wide, edges, width, threads in (
                (0, 31, 1, 512), (1, 63, 2, 512), (1, 127, 1, 512), (0, 255, 4, 1024), (0, 255, 2, 1024),
                (1, 255, 1, 1024),
            )
        ),
    ]  # fmt: skip
    names = list(ARCHITECTURES)
    return [(source, macros, names[k % len(names)]) for k, (source, macros) in enumerate(found)]
