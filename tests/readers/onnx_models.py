"""Small ONNX models made at random: trees of every comparison, in the old and the new form, and rows for them."""

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

N_FEATURES = 3  # columns 0 and 1 are numbers, column 2 holds levels 0 to 9
ORDERS = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
LEVELS = ("BRANCH_EQ", "BRANCH_NEQ")
MODES = (*ORDERS, *LEVELS, "BRANCH_MEMBER")
Rng = np.random.Generator


def model(
    node: Any, *, wide: bool = False, outputs: tuple[str, ...] = ("Y",), before: tuple[Any, ...] = (), opset: int = 3
) -> bytes:
    """The bytes of a model with some nodes and one input of three columns."""
    kind = TensorProto.DOUBLE if wide else TensorProto.FLOAT
    given = [helper.make_tensor_value_info("X", kind, [None, N_FEATURES])]
    ends = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph([*before, node], "g", given, ends)
    trees = 5 if node.op_type == "TreeEnsemble" else opset
    sets = [helper.make_opsetid("ai.onnx.ml", trees), helper.make_opsetid("", 18)]
    made = helper.make_model(graph, opset_imports=sets, ir_version=9)
    return bytes(made.SerializeToString())


def random_trees(rng: Rng, n_trees: int, modes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Nodes of trees in the order node, true, false; a split has a mode, a feature, a value or values, and children."""
    nodes: list[dict[str, Any]] = []
    for tree in range(n_trees):
        start = len(nodes)
        _grow(rng, nodes, tree, start, modes, depth=int(rng.integers(0, 4)))
    return nodes


def _grow(rng: Rng, nodes: list[dict[str, Any]], tree: int, start: int, modes: tuple[str, ...], depth: int) -> int:
    here: dict[str, Any] = {"tree": tree, "number": len(nodes) - start}
    nodes.append(here)
    if depth == 0:
        here |= {"mode": "LEAF"}
        return int(here["number"])
    mode = str(rng.choice(modes))
    order = mode in ORDERS
    here |= {"mode": mode, "feature": int(rng.integers(0, 2)) if order else 2, "missing": int(rng.integers(0, 2))}
    here["value"] = float(np.float32(rng.normal())) if order else float(rng.integers(0, 10))
    here["values"] = rng.choice(40 if rng.random() < 0.3 else 10, int(rng.integers(1, 6)), replace=False).tolist()
    here["true"] = _grow(rng, nodes, tree, start, modes, depth - 1)
    here["false"] = _grow(rng, nodes, tree, start, modes, depth - 1)
    return int(here["number"])


def old_attributes(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """What the two older operators call the nodes."""
    return {
        "nodes_treeids": [node["tree"] for node in nodes],
        "nodes_nodeids": [node["number"] for node in nodes],
        "nodes_modes": [node["mode"] for node in nodes],
        "nodes_featureids": [node.get("feature", 0) for node in nodes],
        "nodes_truenodeids": [node.get("true", 0) for node in nodes],
        "nodes_falsenodeids": [node.get("false", 0) for node in nodes],
        "nodes_missing_value_tracks_true": [node.get("missing", 0) for node in nodes],
    }


def old_model(
    rng: Rng,
    nodes: list[dict[str, Any]],
    *,
    n_outputs: int = 1,
    classes: list[Any] | None = None,
    wide: bool = False,
    positive: bool = False,
    base: int = 0,
    transform: str = "NONE",
    aggregate: str = "SUM",
    opset: int = 3,
) -> bytes:
    """A TreeEnsembleRegressor, or with classes a TreeEnsembleClassifier."""
    leaves = [node for node in nodes if node["mode"] == "LEAF"]
    kind = "target" if classes is None else "class"
    k = n_outputs if classes is None else len(classes)
    per_leaf = 1 if k == 1 or n_outputs == 1 else k
    owner = [leaf for leaf in leaves for _ in range(per_leaf)]
    weights = rng.normal(size=len(owner)).astype(np.float32)
    weights = np.abs(weights) if positive else weights
    bases = rng.normal(size=base).astype(np.float32)
    values = [node.get("value", 0.0) for node in nodes]
    attributes = {
        **old_attributes(nodes),
        f"{kind}_treeids": [node["tree"] for node in owner],
        f"{kind}_nodeids": [node["number"] for node in owner],
        f"{kind}_ids": [j for _ in leaves for j in range(per_leaf)],
        "post_transform": transform,
    }
    if wide:
        attributes |= {
            "nodes_values_as_tensor": tensor(np.array(values) + [1e-9 * (n["mode"] in ORDERS) for n in nodes], wide),
            f"{kind}_weights_as_tensor": tensor(weights.astype(np.float64) / 3, wide),
        }
        attributes |= {"base_values_as_tensor": tensor(bases.astype(np.float64), wide)} if base else {}
    else:
        attributes |= {"nodes_values": values, f"{kind}_weights": weights.tolist()}
        attributes |= {"base_values": bases.tolist()} if base else {}
    if classes is None:
        more = {"n_targets": n_outputs, "aggregate_function": aggregate}
        node = helper.make_node("TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", **attributes, **more)
        return model(node, wide=wide, opset=opset)
    labels = {"classlabels_strings" if isinstance(classes[0], str) else "classlabels_int64s": classes}
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["L", "Y"], domain="ai.onnx.ml", **attributes, **labels)
    return model(node, wide=wide, outputs=("L", "Y"), opset=opset)


def tensor(values: NDArray[Any], wide: bool) -> Any:
    """Floats of either width."""
    return onnx.numpy_helper.from_array(np.asarray(values, dtype=np.float64 if wide else np.float32))


def new_model(
    rng: Rng,
    nodes: list[dict[str, Any]],
    *,
    n_outputs: int = 1,
    wide: bool = False,
    aggregate: int = 1,
    transform: int = 0,
) -> bytes:
    """A TreeEnsemble; a tree of one leaf is written as a split whose branches are that leaf."""
    inner = [node for node in nodes if node["mode"] != "LEAF"]
    leaves = [node for node in nodes if node["mode"] == "LEAF"]
    place = {(node["tree"], node["number"]): k for k, node in enumerate(inner)}
    leaf = {(node["tree"], node["number"]): k for k, node in enumerate(leaves)}
    assert all((node["tree"], 0) in place for node in nodes), "every tree has a split"
    sides: dict[str, list[int]] = {}
    for side in ("true", "false"):
        keys = [(node["tree"], node[side]) for node in inner]
        sides[f"nodes_{side}leafs"] = [int(key in leaf) for key in keys]
        sides[f"nodes_{side}nodeids"] = [leaf.get(key, place.get(key, 0)) for key in keys]
    members = [node["values"] for node in inner if node["mode"] == "BRANCH_MEMBER"]
    parted = [value for values in members for value in [*values, np.nan]]
    attributes = {
        **sides,
        "tree_roots": [place[tree, 0] for tree in sorted({node["tree"] for node in nodes})],
        "nodes_featureids": [node["feature"] for node in inner],
        "nodes_modes": onnx.numpy_helper.from_array(np.array([MODES.index(n["mode"]) for n in inner], dtype=np.uint8)),
        "nodes_splits": tensor(np.array([node["value"] for node in inner]), wide),
        "nodes_missing_value_tracks_true": [node["missing"] for node in inner],
        "leaf_targetids": rng.integers(0, n_outputs, len(leaves)).tolist(),
        "leaf_weights": tensor(rng.normal(size=len(leaves)), wide),
        "n_targets": n_outputs,
        "aggregate_function": aggregate,
        "post_transform": transform,
    }
    attributes |= {"membership_values": tensor(np.array(parted), wide)} if members else {}
    node = helper.make_node("TreeEnsemble", ["X"], ["Y"], domain="ai.onnx.ml", **attributes)
    return model(node, wide=wide)


def rows(rng: Rng, cuts: NDArray[np.float64], n: int = 60) -> NDArray[np.float64]:
    """Numbers on the thresholds and one step beside, levels known and not, and missing values."""
    near = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf), rng.normal(size=20)])
    near = np.concatenate([near, near.astype(np.float32).astype(np.float64), [np.inf, -np.inf, 0.0, -0.0]])
    table = np.column_stack([rng.choice(near, n), rng.choice(near, n), rng.integers(0, 45, n).astype(float)])
    table[rng.random(table.shape) < 0.1] = np.nan
    return table
