"""Graphs of two boosted trees as onnxmltools writes those of Spark."""

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

ONE = np.array([1.0], dtype=np.float32)
MINUS_TWO = np.array([-2.0], dtype=np.float32)


def stump(output: str, threshold: float, left: float, right: float) -> Any:
    return helper.make_node(
        "TreeEnsembleRegressor",
        ["X"],
        [output],
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_treeids=[0, 0, 0],
        nodes_nodeids=[0, 1, 2],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_featureids=[0, 0, 0],
        nodes_values=[threshold, 0.0, 0.0],
        nodes_truenodeids=[1, 0, 0],
        nodes_falsenodeids=[2, 0, 0],
        target_treeids=[0, 0],
        target_nodeids=[1, 2],
        target_ids=[0, 0],
        target_weights=[left, right],
    )


def boosted(*after: Any, outputs: tuple[str, ...], one: np.ndarray = ONE) -> Any:
    """Two trees, their weighted sum `s`, the columns −s and s as `raw`, and what follows."""
    constants = {"weights": np.array([[1.0], [0.5]], dtype=np.float32), "minus_two": MINUS_TWO, "one": one}
    nodes = [
        stump("a", 0.5, -1.0, 2.0),
        stump("b", -0.25, 0.75, -3.0),
        helper.make_node("Concat", ["a", "b"], ["ab"], axis=1),
        helper.make_node("MatMul", ["ab", "weights"], ["s"]),
        helper.make_node("Neg", ["s"], ["minus_s"]),
        helper.make_node("Concat", ["minus_s", "s"], ["raw"], axis=1),
        *after,
        helper.make_node("ArgMax", ["raw"], ["label"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 1])],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [onnx.numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    sets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 13)]
    return helper.make_model(graph, opset_imports=sets, ir_version=9)


LOGISTIC = (
    helper.make_node("Mul", ["raw", "minus_two"], ["twice"]),
    helper.make_node("Exp", ["twice"], ["powers"]),
    helper.make_node("Add", ["powers", "one"], ["more"]),
    helper.make_node("Reciprocal", ["more"], ["probability"]),
)
X = np.linspace(-2, 2, 41).reshape(-1, 1)


def total() -> np.ndarray:
    x = X[:, 0]
    return np.where(x <= 0.5, -1.0, 2.0) + 0.5 * np.where(x <= -0.25, 0.75, -3.0)
