"""Reader: LightGBM's model text → Ensemble."""

import dataclasses
import importlib.metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import ZERO, Ensemble, FeatureSchema, Provenance, build_ensemble
from glasswood.errors import InvalidEnsembleError, ModelFileError, UnsupportedModelError
from glasswood.readers._classes import classes_of
from glasswood.readers._fingerprint import digest, vars_but
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers.lightgbm._categories import read_categories
from glasswood.readers.lightgbm._objective import link_of
from glasswood.readers.lightgbm._text import ModelText, TreeTexts, parse_text
from glasswood.tables import class_names

_CATEGORY, _DEFAULT_LEFT = 1, 2  # bits of decision_type; the next two bits are the missing type
_MISSING_ZERO, _MISSING_NAN = 1, 2


def recognises(content: bytes) -> bool:
    """Whether this is a LightGBM model text."""
    return content.startswith((b"tree\n", b"tree\r\n")) and b"num_class=" in content[:4096]


def written(model: Any) -> bytes:
    """The model text of a Booster or a fitted LGBM* estimator, with the trees that predict uses."""
    booster = booster_of(model)
    try:
        return str(booster.model_to_string()).encode()  # up to best_iteration, like predict
    except (ValueError, TypeError) as error:
        raise UnsupportedModelError(
            f"LightGBM cannot write this model as text ({error}); category labels must be text, numbers or booleans, "
            "so turn intervals or dates into text before training"
        ) from error


def fingerprint(model: Any, text: bytes) -> bytes:
    """Digest of the text and, for an estimator, of its other attributes."""
    return digest(type(model), text, {} if booster_of(model) is model else vars_but(model, "_Booster"))


def read_model(model: Any, text: bytes | None = None) -> Ensemble:
    """Read a Booster or a fitted LGBM* estimator, from its text if that is given."""
    ensemble = read_text(
        written(model) if text is None else text,
        type(model).__name__,
        version=importlib.metadata.version("lightgbm"),
        kind=type(model).__name__,
    )
    classes = classes_of(model, ensemble.n_outputs)
    source = dataclasses.replace(ensemble.source, classes=classes)
    if len(classes) < 2:
        return ensemble._with_source(source)
    shown = classes[1:] if ensemble.n_outputs == 1 else classes
    return dataclasses.replace(ensemble, outputs=class_names(shown), source=source)


def read_file(content: bytes, name: str) -> Ensemble:
    """Read the bytes of a model text, which may be damaged or malicious."""
    return read_text(content, name, version="", kind="model file")


def booster_of(model: Any) -> Any:
    """The Booster of an estimator, or the Booster itself."""
    many = hasattr(model, "boosters")  # CVBooster forwards every method to all of them
    if hasattr(model, "model_to_string") and not many:
        return model
    if many or not hasattr(type(model), "booster_"):
        raise UnsupportedModelError(
            f"LightGBM's {type(model).__name__} is not one model; pass a Booster (of a CVBooster: one of its boosters) "
            "or a fitted LGBM estimator"
        )
    try:
        return model.booster_
    except Exception as error:  # LightGBM's NotFittedError is a different class with and without scikit-learn
        raise not_fitted(model) from error


def read_text(content: bytes, name: str, *, version: str, kind: str) -> Ensemble:
    """Convert a model text to an Ensemble."""
    text = parse_text(content, name)
    try:
        return _assemble(text, name, version or f"text format {text.header.get('version', 'unknown')}", kind)
    except InvalidEnsembleError as error:
        raise ModelFileError(f"{name}: {error}") from error


def _assemble(text: ModelText, name: str, version: str, kind: str) -> Ensemble:
    trees = text.trees
    n_trees, n_outputs = len(trees.n_leaves), _header_integer(text, "num_tree_per_iteration", name)
    if n_outputs < 1 or n_outputs > max(n_trees, 1) or n_trees % n_outputs:
        raise ModelFileError(f"{name}: {n_trees} trees do not make whole iterations of {n_outputs}")
    names = text.header.get("feature_names", "").split(" ")
    infos = text.header.get("feature_infos", "").split(" ")
    if not len(names) == len(infos) == _header_integer(text, "max_feature_idx", name) + 1:
        raise ModelFileError(f"{name}: feature_names, feature_infos and max_feature_idx do not fit together")
    if np.any((trees.split_feature < 0) | (trees.split_feature >= len(names))):
        raise ModelFileError(f"{name}: a split uses a feature that does not exist; there are {len(names)}")
    is_category = (trees.decision_type & _CATEGORY) > 0
    categories = read_categories(text, infos, is_category, name)
    order, tree_start, left, right, of_split, of_leaf = _lay_out(trees, name)
    leaf = of_split[order] < 0
    split, leaf_number = of_split[order], of_leaf[order]
    averaged = n_trees // n_outputs if "average_output" in text.header else 1  # rf
    missing_left = _missing_left(trees, is_category)
    category_set = np.where(is_category, np.cumsum(is_category) - 1, -1)
    stated = np.where(is_category, np.nan, trees.threshold)
    return build_ensemble(
        tree_start=tree_start,
        tree_output=np.arange(n_trees) % n_outputs,
        feature=_spread(trees.split_feature, split, -1),
        threshold=_spread(_largest_left(stated), split, np.nan),
        stated_threshold=_spread(stated, split, np.nan),
        left=left,
        right=right,
        missing_left=_spread(missing_left, split, False),
        category_set=_spread(category_set, split, -1),
        leaf_id=np.where(leaf, leaf_number - _first(trees.n_leaves, tree_start), -1),
        value=_spread(trees.leaf_value / averaged, leaf_number, 0.0),
        weight=_weights(trees, leaf, split, leaf_number),
        gain=_spread(trees.split_gain, split, np.nan),
        set_start=categories.set_start,
        set_bits=categories.set_bits,
        baseline=np.zeros(n_outputs),
        link=link_of(text.header.get("objective", ""), n_outputs),
        features=_schema(names, categories.labels, trees, is_category, name),
        outputs=_outputs(text.header.get("objective", ""), n_outputs),
        source=Provenance(
            library="LightGBM",
            version=version,
            model=kind,
            objective=text.header.get("objective", "custom"),
            weight_kind="none" if trees.leaf_count is None else "rows",
        ),
    )


def _largest_left(threshold: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest float64 that goes left: x <= t, except that predict reads every |x| <= float32(1e-35) as 0."""
    as_zero_left = np.where((threshold >= 0) & (threshold < ZERO), ZERO, threshold)
    return np.where((threshold < 0) & (threshold >= -ZERO), np.nextafter(-ZERO, -np.inf), as_zero_left)


def _lay_out(
    trees: TreeTexts, name: str
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Number inner nodes and leaves of every tree together and put them in pre-order.

    Returns the order, the first node of each tree, both children in the new order, and for each node (in the old
    numbering) its split and its leaf; one of these is −1.
    """
    n_leaves = trees.n_leaves
    size = 2 * n_leaves - 1
    base = np.cumsum(size) - size
    n_nodes = int(size.sum())
    split_tree = np.repeat(np.arange(len(n_leaves)), n_leaves - 1)
    split_node = np.arange(len(split_tree)) + split_tree + (base - np.cumsum(n_leaves) + n_leaves)[split_tree]
    left, right = np.full(n_nodes, -1, dtype=np.int64), np.full(n_nodes, -1, dtype=np.int64)
    for side, child in ((left, trees.left_child), (right, trees.right_child)):
        if np.any((child < -n_leaves[split_tree]) | (child > n_leaves[split_tree] - 2)):
            raise ModelFileError(f"{name}: a child is outside its tree")
        side[split_node] = base[split_tree] + np.where(child >= 0, child, n_leaves[split_tree] - 2 - child)
    of_split = np.full(n_nodes, -1, dtype=np.int64)
    of_split[split_node] = np.arange(len(split_node))
    of_leaf = np.full(n_nodes, -1, dtype=np.int64)
    of_leaf[of_split < 0] = np.arange(int(n_leaves.sum()))
    try:
        order, tree_start = _native.preorder(base, left, right)
    except ValueError as error:
        raise ModelFileError(f"{name}: not a tree, {error}") from error
    if len(order) != n_nodes:
        raise ModelFileError(f"{name}: {n_nodes - len(order)} nodes cannot be reached")
    position = np.empty(n_nodes + 1, dtype=np.int64)
    position[order] = np.arange(n_nodes)
    position[-1] = -1  # the child of a leaf
    return order, tree_start, position[left[order]], position[right[order]], of_split, of_leaf


def _first(n_leaves: NDArray[np.int64], tree_start: NDArray[Any]) -> NDArray[np.int64]:
    """Number, among all leaves, of the first leaf of each node's tree."""
    return np.repeat(np.cumsum(n_leaves) - n_leaves, np.diff(tree_start))


def _spread(values: NDArray[Any], at: NDArray[np.int64], otherwise: Any) -> NDArray[Any]:
    """values[at], or `otherwise` if `at` is −1."""
    return np.append(values, np.array([otherwise], dtype=values.dtype))[at]


def _weights(
    trees: TreeTexts, leaf: NDArray[np.bool_], split: NDArray[np.int64], leaf_number: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    if trees.leaf_count is None or trees.internal_count is None:
        return None
    return np.where(
        leaf,
        _spread(trees.leaf_count, leaf_number, np.nan),
        _spread(trees.internal_count, split, 0),
    )


def _missing_type(trees: TreeTexts) -> NDArray[np.int64]:
    return (trees.decision_type >> 2) & 3


def _missing_left(trees: TreeTexts, is_category: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where NaN goes: in the default direction, or like the number 0 if the feature had no NaN in training."""
    routed = _missing_type(trees) != 0
    by_default = (trees.decision_type & _DEFAULT_LEFT) > 0
    return ~is_category & np.where(routed, by_default, trees.threshold >= 0)  # a missing category goes right


def _schema(
    names: list[str],
    labels: tuple[Any, ...],
    trees: TreeTexts,
    is_category: NDArray[np.bool_],
    name: str,
) -> FeatureSchema:
    n, feature, missing = len(names), trees.split_feature, _missing_type(trees)
    by_type = [np.bincount(feature[(missing == kind) & ~is_category], minlength=n) > 0 for kind in range(4)]
    by_type_category = np.bincount(feature[(missing == _MISSING_NAN) & is_category], minlength=n) > 0
    zero = by_type[_MISSING_ZERO]
    mixed = zero & (by_type[0] | by_type[_MISSING_NAN])
    if np.any(mixed):
        raise UnsupportedModelError(
            f"{name}: feature {names[int(np.argmax(mixed))]!r} reads 0 as missing in some splits and as a number in "
            "others (training was continued with another zero_as_missing); train it in one go"
        )
    if np.any(by_type[3]):
        raise ModelFileError(f"{name}: a split has an unknown missing type")
    named = names != [f"Column_{j}" for j in range(n)]
    return FeatureSchema(
        names=tuple(names) if named else FeatureSchema.positions(n),
        named=named,
        categories=labels,
        coded=np.zeros(n, dtype=bool),
        missing_routed=zero | by_type[_MISSING_NAN] | by_type_category,
        zero_is_missing=zero,
        underscored=True,
    )


def _outputs(objective: str, n_outputs: int) -> tuple[str, ...]:
    if n_outputs > 1:
        return tuple(str(k) for k in range(n_outputs))
    return ("1",) if objective.startswith("binary") else ("y",)


def _header_integer(text: ModelText, key: str, name: str) -> int:
    value = text.header.get(key, "")
    if not value.isdecimal() or len(value) > 9:
        raise ModelFileError(f"{name}: the header has no number {key!r}")
    return int(value)
