"""restate: the same trees with splits on other features, checked where they changed."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._ensemble import ARRAY_DTYPES, Ensemble
from glasswood.ensemble._provenance import Provenance
from glasswood.ensemble._schema import FeatureSchema
from glasswood.ensemble._validate import validate_splits
from glasswood.errors import InvalidEnsembleError

SPLIT_ARRAYS = (
    "feature",
    "threshold",
    "missing_left",
    "category_set",
    "unseen_left",
    "stated_threshold",
    "set_start",
    "set_bits",
)


def restate(
    ensemble: Ensemble,
    splits: dict[str, NDArray[Any]],
    swapped: NDArray[np.bool_],
    *,
    features: FeatureSchema,
    source: Provenance,
) -> Ensemble:
    """The trees of an ensemble with other questions at their inner nodes.

    `splits` holds the arrays of `SPLIT_ARRAYS`. Where `swapped` is true, the two children change places. Leaves and
    their values stay, so only the splits are checked: this costs a fraction of `build_ensemble`.
    """
    arrays: dict[str, Any] = {
        name: np.asarray(splits[name], dtype=ARRAY_DTYPES[name], order="C") for name in SPLIT_ARRAYS
    }
    if np.any(swapped):
        left, right = ensemble.left, ensemble.right
        arrays |= {"left": np.where(swapped, right, left), "right": np.where(swapped, left, right)}
    found = dataclasses.replace(ensemble, **arrays, features=features, source=source)
    if len(swapped) != ensemble.n_nodes or not np.array_equal(found.feature < 0, ensemble.feature < 0):
        raise InvalidEnsembleError("the splits are not those of the inner nodes")
    validate_splits(found)
    for array in arrays.values():
        array.flags.writeable = False
    return found
