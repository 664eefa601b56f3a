"""A model as an ONNX file: the trees, in double precision, and the link."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import ZERO, Ensemble, LinkKind, unpack_set
from glasswood.errors import UnsupportedModelError
from glasswood.writers import _onnx_file as onnx
from glasswood.writers._model_tables import check_writable
from glasswood.writers._zip_map import zip_map

_LEQ, _LT, _MEMBER = 0, 1, 6  # modes of a node
_SUM = 1


def model_onnx(ensemble: Ensemble, opset: int = 5, classes: str = "plain") -> bytes:
    """A file whose input `X` has a column per feature and whose outputs are `raw` and `prediction`.

    A category is its code, NaN if it is missing; `metadata_props` lists features, levels and outputs. Opset 5 of
    ai.onnx.ml computes in double precision; opset 3 as well, but it rounds raw to float32 at the end. Classes as
    "zipmap" add the output `probabilities`: a dict of float32 by class for each row.
    """
    check_writable(ensemble)
    if not len(ensemble.features):
        raise UnsupportedModelError("an ONNX model needs a feature, and this model has none")
    splits = _splits(ensemble)
    nodes, constants, given = _zeros_as_missing(ensemble)
    if opset == 5:
        nodes.append(_two_lists(ensemble, splits, given))
        kind = onnx.DOUBLE
    else:
        nodes.append(_one_list(ensemble, splits, given))
        kind = onnx.FLOAT
    link, more = _link(ensemble, kind)
    dicts: list[bytes] = []
    if classes == "zipmap":
        zipped, ones, output = zip_map(ensemble, kind)
        link, more, dicts = [*link, *zipped], [*more, *ones], [output]
    n, k = len(ensemble.features), ensemble.n_outputs
    return onnx.model(
        [*nodes, *link],
        [*constants, *more],
        ("X", onnx.DOUBLE, n),
        [("raw", kind, k), ("prediction", kind, k)],
        tree_opset=opset,
        properties=_properties(ensemble),
        more_outputs=dicts,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Splits:
    """Inner nodes as ONNX asks them; arrays are (n_nodes,), and leaves have entries that mean nothing."""

    mode: NDArray[np.int64]
    value: NDArray[np.float64]
    true: NDArray[np.int64]  # node
    false: NDArray[np.int64]
    missing_true: NDArray[np.bool_]
    members: dict[int, NDArray[np.int64]]  # node of mode MEMBER → codes


def _splits(ensemble: Ensemble) -> _Splits:
    """A set that contains unseen levels is asked for as its complement, because ONNX lists the members."""
    mode = np.full(ensemble.n_nodes, _LEQ, dtype=np.int64)
    value = np.where(np.isnan(ensemble.threshold), 0.0, ensemble.threshold)
    swapped = np.zeros(ensemble.n_nodes, dtype=bool)
    members: dict[int, NDArray[np.int64]] = {}
    n_levels = ensemble.features.n_levels
    for node in np.flatnonzero(ensemble.category_set >= 0).tolist():
        first, last = ensemble.set_start[ensemble.category_set[node] : ensemble.category_set[node] + 2]
        known = np.zeros(n_levels[ensemble.feature[node]], dtype=bool)
        left = unpack_set(ensemble.set_bits[first:last])[: len(known)]
        known[: len(left)] = left
        swapped[node] = ensemble.unseen_left[node]
        codes = np.flatnonzero(known != swapped[node])
        if len(codes):
            mode[node], members[node] = _MEMBER, codes
        else:  # no level is asked for; no number is below −inf
            mode[node], value[node] = _LT, -np.inf
    left, right = ensemble.left.astype(np.int64), ensemble.right.astype(np.int64)
    return _Splits(
        mode=mode,
        value=value,
        true=np.where(swapped, right, left),
        false=np.where(swapped, left, right),
        missing_true=ensemble.missing_left != swapped,
        members=members,
    )


def _two_lists(ensemble: Ensemble, splits: _Splits, given: str) -> bytes:
    """TreeEnsemble of ai.onnx.ml 5: a list of nodes and a list of leaves, each of which adds to one output.

    A tree that adds to several outputs is written once for each. The baseline is a tree too, the first one, so that
    sums run in the order of glasswood's.
    """
    inner = ensemble.feature >= 0
    n_inner, n_leaves, width = int(inner.sum()), ensemble.n_leaves, ensemble.value.shape[1]
    number = np.where(inner, np.cumsum(inner) - 1, np.cumsum(~inner) - 1)
    root = ensemble.tree_start[:-1].astype(np.int64)
    alone = np.flatnonzero(~inner[root])  # trees of one leaf: ONNX wants a node, whose branches are the same leaf
    n_base = ensemble.n_outputs
    n_first = n_base + len(alone) * width  # nodes that ask nothing
    tree = np.repeat(np.arange(ensemble.n_trees), np.diff(ensemble.tree_start))
    at = np.flatnonzero(inner)
    columns: dict[str, list[NDArray[np.int64]]] = {"true": [], "false": []}
    roots: list[NDArray[np.int64]] = []
    for column in range(width):
        shift = np.where(inner, n_first + column * n_inner, n_base + column * n_leaves)
        place = number + shift
        for side, child in (("true", splits.true), ("false", splits.false)):
            columns[side].append(place[child[at]])
        own = place[root]
        own[alone] = n_base + column * len(alone) + np.arange(len(alone))
        roots.append(own)
    idle = np.concatenate(
        [np.arange(n_base), *(n_base + column * n_leaves + number[root[alone]] for column in range(width))]
    )
    leaf = np.flatnonzero(~inner)
    target = np.concatenate([np.arange(n_base), *(ensemble.tree_output[tree[leaf]] + c for c in range(width))])
    weight = np.concatenate([ensemble.baseline, *(ensemble.value[leaf, c] for c in range(width))])
    sets = [splits.members[node] for _ in range(width) for node in at.tolist() if node in splits.members]

    def nodes(of_inner: NDArray[Any], of_idle: float) -> NDArray[Any]:
        return np.concatenate([np.full(n_first, of_idle, dtype=of_inner.dtype), *(of_inner[at] for _ in range(width))])

    attributes = [
        onnx.integer("n_targets", ensemble.n_outputs),
        onnx.integer("aggregate_function", _SUM),
        onnx.integers("tree_roots", np.concatenate([np.arange(n_base), *roots])),
        onnx.integers("nodes_featureids", nodes(ensemble.feature, 0)),
        onnx.tensor_attribute("nodes_modes", nodes(splits.mode, _LEQ), onnx.UINT8),
        onnx.tensor_attribute("nodes_splits", nodes(splits.value, 0.0), onnx.DOUBLE),
        onnx.integers("nodes_missing_value_tracks_true", nodes(splits.missing_true, False)),
        onnx.integers("leaf_targetids", target),
        onnx.tensor_attribute("leaf_weights", weight, onnx.DOUBLE),
    ]
    for side, child in (("true", splits.true), ("false", splits.false)):
        attributes += [
            onnx.integers(f"nodes_{side}nodeids", np.concatenate([idle, *columns[side]])),
            onnx.integers(f"nodes_{side}leafs", nodes(~inner[np.maximum(child, 0)], True)),
        ]
    if sets:
        parts = [np.append(codes.astype(np.float64), np.nan) for codes in sets]
        attributes.append(onnx.tensor_attribute("membership_values", np.concatenate(parts), onnx.DOUBLE))
    return onnx.operator("TreeEnsemble", [given], "raw", *attributes, domain=onnx.TREES)


def _one_list(ensemble: Ensemble, splits: _Splits, given: str) -> bytes:
    """TreeEnsembleRegressor of ai.onnx.ml 3: nodes are named by their tree and a number in it.

    A question for membership is a chain of questions for equality whose true branches lead to the same node.
    """
    width = ensemble.value.shape[1]
    inner = ensemble.feature >= 0
    start = ensemble.tree_start.astype(np.int64)
    tree = np.repeat(np.arange(1, ensemble.n_trees + 1), np.diff(start))
    number = np.arange(ensemble.n_nodes) - start[tree - 1]
    modes = np.where(inner, np.where(splits.mode == _LT, "BRANCH_LT", "BRANCH_LEQ"), "LEAF").astype(object)
    value, true, false = splits.value.copy(), number[splits.true], number[splits.false]
    true, false = np.where(inner, true, 0), np.where(inner, false, 0)
    used = np.diff(start)  # numbers of each tree that are taken
    chains: list[tuple[int, ...]] = []  # tree, number, feature, code, number if true, number if false, missing_true
    for node, codes in splits.members.items():
        t, last = int(tree[node]) - 1, int(false[node])
        modes[node], value[node] = "BRANCH_EQ", codes[0]
        for k in range(1, len(codes)):
            own = int(used[t]) + k - 1
            following = own + 1 if k + 1 < len(codes) else last
            column, missing = int(ensemble.feature[node]), int(splits.missing_true[node])
            chains.append((t + 1, own, column, int(codes[k]), int(true[node]), following, missing))
        if len(codes) > 1:
            false[node] = used[t]
            used[t] += len(codes) - 1
    more = np.array(chains, dtype=np.int64).reshape(-1, 7)
    leaf = np.flatnonzero(~inner)
    k = ensemble.n_outputs

    # the first tree is a leaf with the baseline; trees must stand together, so the chains are sorted in
    def nodes(baseline: object, own: NDArray[Any], chain: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([np.array([baseline], dtype=own.dtype), np.concatenate([own, chain])[order]])

    order = np.argsort(np.concatenate([tree, more[:, 0]]), kind="stable")
    equal = np.full(len(more), "BRANCH_EQ", dtype=object)
    feature = np.where(inner, ensemble.feature, 0).astype(np.int64)
    attributes = [
        onnx.integer("n_targets", k),
        onnx.text("aggregate_function", "SUM"),
        onnx.integers("nodes_treeids", nodes(0, tree, more[:, 0])),
        onnx.integers("nodes_nodeids", nodes(0, number, more[:, 1])),
        onnx.integers("nodes_featureids", nodes(0, feature, more[:, 2])),
        onnx.texts("nodes_modes", nodes("LEAF", modes, equal).tolist()),
        onnx.tensor_attribute("nodes_values_as_tensor", nodes(0.0, value, more[:, 3].astype(float)), onnx.DOUBLE),
        onnx.integers("nodes_truenodeids", nodes(0, true, more[:, 4])),
        onnx.integers("nodes_falsenodeids", nodes(0, false, more[:, 5])),
        onnx.integers(
            "nodes_missing_value_tracks_true", nodes(False, splits.missing_true & inner, more[:, 6].astype(bool))
        ),
        onnx.integers("target_treeids", np.concatenate([np.zeros(k, dtype=np.int64), np.repeat(tree[leaf], width)])),
        onnx.integers("target_nodeids", np.concatenate([np.zeros(k, dtype=np.int64), np.repeat(number[leaf], width)])),
        onnx.integers(
            "target_ids",
            np.concatenate([np.arange(k), (ensemble.tree_output[tree[leaf] - 1][:, None] + np.arange(width)).ravel()]),
        ),
        onnx.tensor_attribute(
            "target_weights_as_tensor", np.concatenate([ensemble.baseline, ensemble.value[leaf].ravel()]), onnx.DOUBLE
        ),
    ]
    return onnx.operator("TreeEnsembleRegressor", [given], "raw", *attributes, domain=onnx.TREES)


def _zeros_as_missing(ensemble: Ensemble) -> tuple[list[bytes], list[bytes], str]:
    """Operators and constants that make zeros missing where the model takes them so, and the name of the result."""
    flags = ensemble.features.zero_is_missing
    if not flags.any():
        return [], [], "X"
    nodes = [
        onnx.operator("Abs", ["X"], "size"),
        onnx.operator("LessOrEqual", ["size", "reach of zero"], "is zero"),
        onnx.operator("Where", ["is zero", "missing", "X"], "given"),
    ]
    constants = [
        onnx.tensor(np.where(flags, ZERO, -1.0), onnx.DOUBLE, "reach of zero"),
        onnx.tensor(np.array([np.nan]), onnx.DOUBLE, "missing"),
    ]
    return nodes, constants, "given"


def _link(ensemble: Ensemble, kind: int) -> tuple[list[bytes], list[bytes]]:
    """Operators and constants that turn raw into the prediction."""
    match ensemble.link.kind:
        case LinkKind.LOG:
            return [onnx.operator("Exp", ["raw"], "prediction")], []
        case LinkKind.SOFTMAX:
            return [onnx.operator("Softmax", ["raw"], "prediction", onnx.integer("axis", 1))], []
        case LinkKind.LOGIT | LinkKind.OVA:
            if ensemble.link.scale == 1.0:
                return [onnx.operator("Sigmoid", ["raw"], "prediction")], []
            scaled = onnx.operator("Mul", ["raw", "scale"], "scaled")
            scale = onnx.tensor(np.array([ensemble.link.scale]), kind, "scale")
            return [scaled, onnx.operator("Sigmoid", ["scaled"], "prediction")], [scale]
    return [onnx.operator("Identity", ["raw"], "prediction")], []


def _properties(ensemble: Ensemble) -> dict[str, str]:
    features = ensemble.features
    levels = {name: list(labels) for name, labels in zip(features.names, features.categories, strict=True) if labels}
    parts = {"features": list(features.names), "levels": levels, "outputs": list(ensemble.outputs)}
    return {name: json.dumps(part, ensure_ascii=False) for name, part in parts.items()}
