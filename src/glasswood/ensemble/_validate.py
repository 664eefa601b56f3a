"""validate: the invariants of an Ensemble; the first broken one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._category_set import unpack_set
from glasswood.ensemble._provenance import fit_outputs
from glasswood.ensemble._schema import check_texts
from glasswood.errors import InvalidEnsembleError

if TYPE_CHECKING:
    from glasswood.ensemble._ensemble import Ensemble

_NODE_ARRAYS = (
    "feature",
    "threshold",
    "left",
    "right",
    "missing_left",
    "category_set",
    "unseen_left",
    "leaf_id",
    "stated_threshold",
    "value",
    "weight",
    "gain",
)


def validate(ensemble: Ensemble) -> None:
    """Raise `InvalidEnsembleError` that names the first broken invariant."""
    ensemble.features.validate()
    _check_shapes(ensemble)
    _check_trees(ensemble)
    _check_children(ensemble)
    _check_splits(ensemble)
    _check_category_splits(ensemble)
    _check_numbers(ensemble)


def validate_splits(ensemble: Ensemble) -> None:
    """Like `validate` for trees whose shape, leaves and values are known to be valid."""
    ensemble.features.validate()
    _check_shapes(ensemble)
    _check_features(ensemble)
    _check_splits(ensemble)
    _check_category_splits(ensemble)


def _check_shapes(e: Ensemble) -> None:
    from glasswood.ensemble._ensemble import ARRAY_DTYPES

    for name, dtype in ARRAY_DTYPES.items():
        array = getattr(e, name)
        if array.dtype != np.dtype(dtype):
            raise InvalidEnsembleError(f"{name} has dtype {array.dtype}, expected {np.dtype(dtype)}")
        if array.ndim != (2 if name == "value" else 1):
            raise InvalidEnsembleError(f"{name} has {array.ndim} dimensions")
    for name in _NODE_ARRAYS:
        if len(getattr(e, name)) != e.n_nodes:
            raise InvalidEnsembleError(f"{name} has {len(getattr(e, name))} rows for {e.n_nodes} nodes")
    if e.n_outputs == 0:
        raise InvalidEnsembleError("baseline is empty: a model has at least one output")
    if len(e.outputs) != e.n_outputs:
        raise InvalidEnsembleError(f"{len(e.outputs)} output names for {e.n_outputs} outputs")
    check_texts("output", e.outputs)
    classes = e.source.classes
    if classes and not fit_outputs(classes, e.n_outputs):
        raise InvalidEnsembleError(f"source.classes has {len(classes)} labels for {e.n_outputs} outputs")
    check_texts("class", classes)


def _check_trees(e: Ensemble) -> None:
    if len(e.tree_start) != e.n_trees + 1:
        raise InvalidEnsembleError(f"tree_start has {len(e.tree_start)} entries for {e.n_trees} trees")
    if e.tree_start[0] != 0 or e.tree_start[-1] != e.n_nodes:
        raise InvalidEnsembleError(f"tree_start must run from 0 to the number of nodes, {e.n_nodes}")
    _refuse(np.diff(e.tree_start) < 1, "tree {} has no node")
    width = e.value.shape[1]
    if width < 1:
        raise InvalidEnsembleError("value has no column")
    _refuse(
        (e.tree_output < 0) | (e.tree_output.astype(np.int64) + width > e.n_outputs),
        f"tree {{}} adds to an output that does not exist; there are {e.n_outputs}",
    )


def _check_features(e: Ensemble) -> None:
    _refuse(e.feature < -1, "node {} has a feature below −1")
    _refuse(
        e.feature >= len(e.features),
        f"node {{}} splits on a feature that does not exist; there are {len(e.features)}",
    )


def _check_children(e: Ensemble) -> None:
    inner = e.feature >= 0
    _check_features(e)
    _refuse(~inner & ((e.left != -1) | (e.right != -1)), "leaf {} has children")
    nodes = np.arange(e.n_nodes)
    end = np.repeat(e.tree_start[1:], np.diff(e.tree_start))
    for side, child in (("left", e.left), ("right", e.right)):
        _refuse(
            inner & ((child <= nodes) | (child >= end)),
            f"the {side} child of node {{}} is not after it in its tree",
        )
    parents = np.bincount(np.concatenate([e.left[inner], e.right[inner]]), minlength=e.n_nodes)
    wanted = np.ones(e.n_nodes, dtype=parents.dtype)
    wanted[e.tree_start[:-1]] = 0
    _refuse(parents != wanted, "node {} does not have exactly one parent")


def _check_splits(e: Ensemble) -> None:
    inner, category = e.feature >= 0, e.category_set >= 0
    _refuse(e.category_set < -1, "node {} has a category set below −1")
    _refuse(~inner & category, "leaf {} has a category set")
    is_category = np.append(e.features.is_category, False)  # index −1, used for leaves, reads the last entry
    _refuse(
        inner & (is_category[e.feature] != category),
        "node {} splits a category by a threshold, or a number by a set",
    )
    _refuse(inner & ~category & np.isnan(e.threshold), "node {} has no threshold")
    _refuse(
        (~inner | category) & ~np.isnan(e.threshold),
        "node {} has a threshold but is a leaf or a category split",
    )
    _refuse((e.leaf_id < 0) != inner, "leaf_id must be −1 in inner nodes and at least 0 in leaves, see node {}")


def _check_category_splits(e: Ensemble) -> None:
    n_sets = len(e.set_start) - 1
    if n_sets < 0 or e.set_start[0] != 0 or e.set_start[-1] != len(e.set_bits) or np.any(np.diff(e.set_start) < 0):
        raise InvalidEnsembleError("set_start must rise from 0 to the number of words in set_bits")
    _refuse(e.category_set >= n_sets, f"node {{}} uses a category set that does not exist; there are {n_sets}")
    category = np.flatnonzero(e.category_set >= 0)
    if not len(category):
        return
    levels = e.features.n_levels[e.feature[category]].astype(np.int64)
    if np.any(levels == 0):
        raise InvalidEnsembleError(f"node {category[np.argmax(levels == 0)]} splits a feature that has no categories")
    highest = _highest_member(e)[e.category_set[category]]
    bad = highest >= levels
    if np.any(bad):
        node = category[np.argmax(bad)]
        name = e.features.names[e.feature[node]]
        raise InvalidEnsembleError(
            f"the category set of node {node} has codes beyond the categories of feature {name!r}"
        )


def _highest_member(e: Ensemble) -> NDArray[np.int64]:
    """Largest code in each set, −1 for an empty one."""
    used = np.flatnonzero(e.set_bits)
    last = np.full(len(e.set_start) - 1, -1, dtype=np.int64)
    last[np.searchsorted(e.set_start, used, side="right") - 1] = used  # of the words of a set the last one stays
    held = np.flatnonzero(last >= 0)
    top = 63 - np.argmax(unpack_set(e.set_bits[last[held]]).reshape(-1, 64)[:, ::-1], axis=1)
    highest = np.full(len(last), -1, dtype=np.int64)
    highest[held] = 64 * (last[held] - e.set_start[held]) + top
    return highest


def _check_numbers(e: Ensemble) -> None:
    leaf = e.feature < 0
    _refuse(leaf & ~np.isfinite(e.value).all(axis=1), "the value of leaf {} is not a finite number")
    _refuse(np.isinf(e.weight) | (e.weight < 0), "the weight of node {} is negative or infinite")
    if not np.all(np.isfinite(e.baseline)):
        raise InvalidEnsembleError("the baseline is not a finite number")


def _refuse(broken: NDArray[np.bool_] | Any, message: str) -> None:
    if np.any(broken):
        raise InvalidEnsembleError(message.format(int(np.argmax(broken))))
