"""build_ensemble: parts of a model → a frozen, validated Ensemble; fills in what a source does not provide."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glasswood import _native
from glasswood.ensemble._ensemble import ARRAY_DTYPES, Ensemble
from glasswood.ensemble._link import IDENTITY, Link
from glasswood.ensemble._provenance import Provenance
from glasswood.ensemble._schema import FeatureSchema
from glasswood.ensemble._validate import validate
from glasswood.errors import InvalidEnsembleError


def build_ensemble(
    *,
    tree_start: ArrayLike,
    feature: ArrayLike,
    threshold: ArrayLike,
    left: ArrayLike,
    right: ArrayLike,
    value: ArrayLike,
    baseline: ArrayLike,
    features: FeatureSchema,
    source: Provenance,
    tree_output: ArrayLike | None = None,
    missing_left: ArrayLike | None = None,
    category_set: ArrayLike | None = None,
    unseen_left: ArrayLike | None = None,
    leaf_id: ArrayLike | None = None,
    stated_threshold: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    gain: ArrayLike | None = None,
    set_start: ArrayLike | None = None,
    set_bits: ArrayLike | None = None,
    link: Link = IDENTITY,
    outputs: tuple[str, ...] | None = None,
) -> Ensemble:
    """Make an Ensemble from node arrays in which every child comes after its parent.

    `value` may be (n_nodes,) if each tree has one output. Only the values of leaves are used; inner nodes get the
    weighted mean of their leaves. Defaults: trees add to output 0, missing and unseen values go right, leaves are
    numbered from the root of their tree, and labels show the thresholds unchanged.
    """
    starts = _as("tree_start", tree_start)
    n_trees, n_nodes = max(len(starts) - 1, 0), len(_as("feature", feature))
    base = np.atleast_1d(_as("baseline", baseline))
    threshold_array = _as("threshold", threshold)
    if leaf_id is None:
        root = np.repeat(starts[:-1], np.diff(starts)) if _is_partition(starts, n_nodes) else 0
        leaf_id = np.where(_as("feature", feature) < 0, np.arange(n_nodes) - root, -1)
    values = _as("value", value)
    arrays: dict[str, NDArray[Any]] = {
        "tree_start": starts,
        "tree_output": _as("tree_output", np.zeros(n_trees) if tree_output is None else tree_output),
        "feature": _as("feature", feature),
        "threshold": threshold_array,
        "left": _as("left", left),
        "right": _as("right", right),
        "missing_left": _as("missing_left", np.zeros(n_nodes) if missing_left is None else missing_left),
        "category_set": _as("category_set", np.full(n_nodes, -1) if category_set is None else category_set),
        "unseen_left": _as("unseen_left", np.zeros(n_nodes) if unseen_left is None else unseen_left),
        "leaf_id": _as("leaf_id", leaf_id),
        "stated_threshold": _as("stated_threshold", threshold_array if stated_threshold is None else stated_threshold),
        "value": values.reshape(n_nodes, -1)
        if values.ndim == 1 and n_nodes
        else values.reshape(n_nodes, -1 if n_nodes else 1),
        "weight": _as("weight", np.full(n_nodes, np.nan) if weight is None else weight),
        "gain": _as("gain", np.full(n_nodes, np.nan) if gain is None else gain),
        "set_start": _as("set_start", [0] if set_start is None else set_start),
        "set_bits": _as("set_bits", [] if set_bits is None else set_bits),
        "baseline": base,
    }
    names = tuple(f"output{k}" for k in range(len(base))) if outputs is None else outputs
    draft = Ensemble(**arrays, link=link, features=features, outputs=names, source=source)
    validate(draft)
    filled = _native.fill_inner_values(draft.left, draft.right, draft.weight, draft.value)
    object.__setattr__(draft, "value", filled)
    for array in draft._arrays().values():
        array.flags.writeable = False
    return draft


def _as(name: str, values: ArrayLike) -> NDArray[Any]:
    """Copy into the dtype of the field; a number that does not fit is an error, never wrapped."""
    dtype = np.dtype(ARRAY_DTYPES[name])
    given = np.asarray(values)
    if dtype.kind == "i" and given.size and (given.min() < np.iinfo(dtype).min or given.max() > np.iinfo(dtype).max):
        raise InvalidEnsembleError(f"{name} holds numbers that do not fit {dtype}")
    return np.array(given, dtype=dtype, order="C")


def _is_partition(starts: NDArray[np.int32], n_nodes: int) -> bool:
    return len(starts) > 0 and starts[0] == 0 and starts[-1] == n_nodes and bool(np.all(np.diff(starts) >= 0))
