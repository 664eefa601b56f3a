"""Rewritten models: the same graph made to tell what onnxruntime keeps to itself, the sum and the leaf of each tree.

onnxruntime gives neither. So the operator of the trees is replaced by one with the same nodes: without what follows the
sum, or with the number of the leaf in place of its weight and an output per tree.
"""

import numpy as np
from numpy.typing import NDArray

from glasswood.readers.onnx._document import (
    DOUBLE,
    FLOAT,
    GRAPH_NODE,
    GRAPH_OUTPUT,
    MODEL_GRAPH,
    NODE_ATTRIBUTE,
    Document,
    Node,
)
from glasswood.readers.onnx._trees import LEAF, Trees
from glasswood.readers.onnx._wire import Message
from glasswood.writers import put_bytes, put_floats, put_integer, put_integers

ANSWER = "glasswood_answer"
_INT, _TEXT, _TENSOR, _FLOATS, _INTS = 2, 3, 4, 6, 7  # kinds of attributes
MAX_LEAVES = 2**24  # numbers of leaves that a float32 holds


def with_output(document: Document, name: str) -> bytes:
    """The model with one value of the graph as its output."""
    return _model(document, _graph(document).without([GRAPH_OUTPUT]), name)


def with_trees(document: Document, trees: Node, replaced: bytes) -> bytes:
    """The model up to its trees, with another operator in their place."""
    kept = b"".join(
        put_bytes(GRAPH_NODE, node.message.without([])) for node in document.nodes[: document.nodes.index(trees)]
    )
    graph = _graph(document).without([GRAPH_NODE, GRAPH_OUTPUT])
    constants = b"".join(
        put_bytes(GRAPH_NODE, content)
        for content in _graph(document).contents(GRAPH_NODE)
        if Message(content).text(4) == "Constant"
    )
    return _model(document, graph + constants + kept + put_bytes(GRAPH_NODE, replaced), ANSWER)


def sum_node(node: Node, n_outputs: int, base: NDArray[np.float64]) -> bytes:
    """The operator without what follows the sum."""
    if node.operator == "TreeEnsemble":
        return _node(node, "TreeEnsemble", _kept(node, "post_transform"))
    renamed = [
        put_bytes(NODE_ATTRIBUTE, put_bytes(1, f"target_{name[6:]}".encode()) + attribute.message.without([1]))
        for name, attribute in node.attributes.items()
        if name in ("class_ids", "class_nodeids", "class_treeids", "class_weights", "class_weights_as_tensor")
    ]
    gone = {"post_transform", "n_targets", "base_values", "base_values_as_tensor"}
    gone |= {name for name in node.attributes if name.startswith("class")}
    parts = [*_kept(node, *gone), *renamed, _integer("n_targets", n_outputs)]
    if len(base):
        wide = "base_values_as_tensor" in node.attributes
        parts.append(_tensor("base_values_as_tensor", base, DOUBLE) if wide else _floats("base_values", base))
    return _node(node, "TreeEnsembleRegressor", parts)


def leaf_node(node: Node, trees: Trees, tree: NDArray[np.int64]) -> bytes:
    """The operator with an output per tree, to which a leaf adds its number; `tree` is −1 where no row comes."""
    leaves = np.flatnonzero((trees.mode == LEAF) & (tree >= 0))
    n_trees = len(trees.root)
    if node.operator == "TreeEnsemble":
        kept = _kept(node, "post_transform", "n_targets", "leaf_targetids", "leaf_weights", "aggregate_function")
        number = trees.number[leaves]
        owner = np.zeros(len(node.integers("leaf_targetids")), dtype=np.int64)
        owner[number] = tree[leaves]
        wide = node.attributes["leaf_weights"].tensor().dtype == np.float64
        weights = _tensor("leaf_weights", np.arange(len(owner), dtype=np.float64), DOUBLE if wide else FLOAT)
        parts = [*kept, _integer("n_targets", n_trees), _integers("leaf_targetids", owner), weights]
        return _node(node, "TreeEnsemble", parts)
    kept = [put_bytes(NODE_ATTRIBUTE, a.message.without([])) for name, a in node.attributes.items() if "nodes_" in name]
    tree_ids = node.integers("nodes_treeids")
    wide = "nodes_values_as_tensor" in node.attributes
    added = trees.number[leaves].astype(np.float64)
    weights = _tensor("target_weights_as_tensor", added, DOUBLE) if wide else _floats("target_weights", added)
    parts = [
        *kept,
        _integer("n_targets", n_trees),
        _integers("target_ids", tree[leaves]),
        _integers("target_nodeids", trees.number[leaves]),
        _integers("target_treeids", tree_ids[leaves]),
        weights,
    ]
    return _node(node, "TreeEnsembleRegressor", parts)


def _graph(document: Document) -> Message:
    graph = document.message.message(MODEL_GRAPH)
    assert graph is not None  # it has been parsed
    return graph


def _model(document: Document, graph: bytes, output: str) -> bytes:
    whole = graph + put_bytes(GRAPH_OUTPUT, put_bytes(1, output.encode()))
    return document.message.without([MODEL_GRAPH]) + put_bytes(MODEL_GRAPH, whole)


def _node(node: Node, operator: str, attributes: list[bytes]) -> bytes:
    parts = [put_bytes(1, node.inputs[0].encode()), put_bytes(2, ANSWER.encode()), put_bytes(4, operator.encode())]
    return b"".join([*parts, put_bytes(7, node.domain.encode()), *attributes])


def _kept(node: Node, *gone: str) -> list[bytes]:
    return [
        put_bytes(NODE_ATTRIBUTE, attribute.message.without([]))
        for name, attribute in node.attributes.items()
        if name not in gone
    ]


def _attribute(name: str, kind: int, content: bytes) -> bytes:
    return put_bytes(NODE_ATTRIBUTE, put_bytes(1, name.encode()) + content + put_integer(20, kind))


def _integer(name: str, number: int) -> bytes:
    return _attribute(name, _INT, put_integer(3, number))


def _integers(name: str, numbers: NDArray[np.int64]) -> bytes:
    return _attribute(name, _INTS, put_integers(8, numbers.tolist()))


def _floats(name: str, numbers: NDArray[np.float64]) -> bytes:
    return _attribute(name, _FLOATS, put_floats(7, numbers))


def _tensor(name: str, numbers: NDArray[np.float64], kind: int) -> bytes:
    raw = numbers.astype("<f8" if kind == DOUBLE else "<f4").tobytes()
    tensor = put_integers(1, [len(numbers)]) + put_integer(2, kind) + put_bytes(9, raw)
    return _attribute(name, _TENSOR, put_bytes(5, tensor))
