"""Boxes: the region of feature space that each leaf owns, in CSR form."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble._ensemble import Ensemble


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Per box only the features on its path: sides `start[i]` to `start[i + 1]` belong to the i-th box."""

    leaf: NDArray[np.int32]  # (n_boxes,) node index
    start: NDArray[np.int64]  # (n_boxes + 1,)
    feature: NDArray[np.int32]  # (n_sides,) in the order in which the path first splits on them
    lower: NDArray[np.float64]  # (n_sides,) exclusive; NaN for a category
    upper: NDArray[np.float64]  # (n_sides,) inclusive; NaN for a category
    missing: NDArray[np.bool_]  # (n_sides,) a missing value can reach the leaf
    unseen: NDArray[np.bool_]  # (n_sides,) an unseen category can reach the leaf
    category_set: NDArray[np.int32]  # (n_sides,) −1, or the set of codes that can reach the leaf
    set_start: NDArray[np.int64]  # (n_sets + 1,)
    set_bits: NDArray[np.uint64]


def boxes(ensemble: Ensemble, *, of_inner: bool = False) -> Boxes:
    """Box of every leaf of every tree, or of every node, in the order of the nodes."""
    found = cast(dict[str, Any], _native.boxes(ensemble._trees(), of_inner))
    return Boxes(
        **{name: found[name] for name in found if name not in ("missing", "unseen")},
        missing=found["missing"].view(np.bool_),
        unseen=found["unseen"].view(np.bool_),
    )
