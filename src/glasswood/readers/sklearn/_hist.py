"""HistGradientBoosting: trees with float64 thresholds and category sets; leaves include the learning rate."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import (
    IDENTITY,
    LOG,
    LOGIT,
    NO_LINK,
    SOFTMAX,
    Ensemble,
    FeatureSchema,
    Link,
    at_most,
    build_ensemble,
)
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers._stack import TreeNodes, stack
from glasswood.readers.sklearn._categories import EncodedCategories, encoded_categories
from glasswood.readers.sklearn._common import (
    answer,
    feature_schema,
    named_like,
    output_names,
    provenance,
    require_fitted,
)
from glasswood.readers.sklearn._hist_private import HistTree, insides, raw_prediction
from glasswood.tables import Table

_LINKS = {
    "squared_error": IDENTITY,
    "absolute_error": IDENTITY,
    "quantile": IDENTITY,
    "poisson": LOG,
    "gamma": LOG,
}
_WORDS = 4  # 256 bits per category set: scikit-learn allows at most 255 categories


def read_hist(model: Any) -> Ensemble:
    """Read the stages that fit kept (with early stopping fewer than max_iter)."""
    require_fitted(model, "n_iter_")
    parts = insides(model)
    classes = [model.classes_] if hasattr(model, "classes_") else None
    if classes is not None and len(classes[0]) < 2:
        raise UnsupportedModelError(f"this {type(model).__name__} knows a single class; fit it on two or more")
    order, known = _feature_order(model), encoded_categories(model, parts.categories)
    nodes = stack([_tree_nodes(tree, order) for tree in parts.trees])
    source = provenance(model, _objective(model), classes, "rows")
    return build_ensemble(
        **_route_categories(nodes, parts.trees, known),
        tree_output=np.tile(np.arange(len(parts.baseline)), len(parts.trees) // len(parts.baseline)),
        baseline=parts.baseline,
        link=_link(model, len(parts.baseline)),
        features=_schema(model, known),
        outputs=output_names(classes, 1),
        source=dataclasses.replace(source, notes=known.notes),
    )


def ask_hist(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with scikit-learn, which gives no leaf numbers."""
    if hasattr(model, "classes_"):
        raw = np.asarray(answer(model, "decision_function", X), dtype=np.float64)
    else:
        raw = raw_prediction(named_like(model, X), X)
    return Oracle(raw=raw.reshape(len(raw), -1), leaves=None)


def _tree_nodes(tree: HistTree, order: NDArray[np.intp]) -> TreeNodes:
    nodes = tree.nodes
    leaf = nodes["is_leaf"].astype(bool)
    number = ~leaf & ~nodes["is_categorical"].astype(bool)
    threshold = np.where(number, at_most(nodes["num_threshold"]), np.nan)
    return TreeNodes(
        feature=np.where(leaf, -1, order[nodes["feature_idx"]]).astype(np.int32),
        threshold=threshold,
        stated_threshold=threshold,
        left=np.where(leaf, -1, nodes["left"].astype(np.int32)),
        right=np.where(leaf, -1, nodes["right"].astype(np.int32)),
        missing_left=nodes["missing_go_to_left"].astype(bool) & ~leaf,
        value=nodes["value"][:, np.newaxis].astype(np.float64),
        weight=nodes["count"].astype(np.float64),
        gain=np.where(leaf, np.nan, nodes["gain"]),
    )


def _route_categories(
    nodes: dict[str, NDArray[Any]], trees: tuple[HistTree, ...], known: EncodedCategories
) -> dict[str, NDArray[Any]]:
    """Add the category splits: their sets, and where unseen categories go, which is where missing values go."""
    records = [tree.nodes for tree in trees]
    split = np.concatenate([part["is_categorical"].astype(bool) & ~part["is_leaf"].astype(bool) for part in records])
    first = np.cumsum([0] + [len(tree.left_sets) for tree in trees])
    own = np.concatenate([part["bitset_idx"].astype(np.int64) for part in records])
    own += np.repeat(first[:-1], [len(part) for part in records])
    category_set = np.where(split, own, -1)
    pool = np.concatenate([tree.left_sets for tree in trees]).astype("<u4")
    member = np.unpackbits(pool.view(np.uint8).reshape(len(pool), 8 * _WORDS), axis=1, bitorder="little").astype(bool)
    missing_left, unseen_left = nodes["missing_left"].copy(), nodes["missing_left"] & split
    for feature, code in known.null_code.items():
        here = np.flatnonzero(split & (nodes["feature"] == feature))
        missing_left[here] = member[category_set[here], code]
        member[category_set[here], code] = False  # no label has this code: a null is missing in every table
    bits = np.packbits(member, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return {
        **nodes,
        "missing_left": missing_left,
        "unseen_left": unseen_left,
        "category_set": category_set,
        "set_start": np.arange(len(pool) + 1) * _WORDS,
        "set_bits": bits.ravel(),
    }


def _feature_order(model: Any) -> NDArray[np.intp]:
    """Column of the table for each position inside the model, where category features come first."""
    if model.is_categorical_ is None:
        return np.arange(model.n_features_in_)
    return np.argsort(~model.is_categorical_, kind="stable")


def _schema(model: Any, known: EncodedCategories) -> FeatureSchema:
    return dataclasses.replace(
        feature_schema(model), categories=tuple(known.labels.get(j) for j in range(model.n_features_in_))
    )


def _objective(model: Any) -> str:
    return model.loss if isinstance(model.loss, str) else type(model.loss).__name__


def _link(model: Any, n_outputs: int) -> Link:
    if hasattr(model, "classes_"):
        return LOGIT if n_outputs == 1 else SOFTMAX
    return _LINKS.get(_objective(model), NO_LINK)
