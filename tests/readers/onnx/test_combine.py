"""Sums of several ensembles in a graph as onnxmltools writes Spark's boosted trees."""

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import glasswood as gw

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


def test_a_logistic_function_in_three_operators_is_a_link() -> None:
    ensemble = gw.read(boosted(*LOGISTIC, outputs=("label", "probability")), X)
    assert ensemble.source.parity.leaves_equal
    assert str(ensemble.link) == "logit"
    assert np.allclose(ensemble.predict(X), 1 / (1 + np.exp(-2 * total())), rtol=1e-12)


def test_the_one_may_stand_first() -> None:
    turned = helper.make_node("Add", ["one", "powers"], ["more"])
    ensemble = gw.read(boosted(*LOGISTIC[:2], turned, LOGISTIC[3], outputs=("label", "probability")), X)
    assert np.allclose(ensemble.predict(X), 1 / (1 + np.exp(-2 * total())), rtol=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        boosted(*LOGISTIC, outputs=("probability",), one=2 * ONE),
        boosted(*LOGISTIC[:1], helper.make_node("Reciprocal", ["twice"], ["probability"]), outputs=("probability",)),
    ],
    ids=["another constant", "no power"],
)
def test_other_reciprocals_are_refused(model: Any) -> None:
    with pytest.raises(gw.UnsupportedModelError, match="joins them, which is not a sum over trees"):
        gw.read(model)


def test_the_way_out_of_a_refusal_works() -> None:
    model = boosted(outputs=("label",))
    with pytest.raises(gw.UnsupportedModelError, match=r"'ArgMax' joins them.*make_empty_tensor_value_info\('raw'\)"):
        gw.read(model)
    model.graph.output.append(helper.make_empty_tensor_value_info("s"))
    ensemble = gw.read(model, X)
    assert ensemble.source.parity.leaves_equal
    assert np.allclose(ensemble.predict(X), total(), rtol=1e-12)


@pytest.mark.parametrize("operator", ["Cast", "Flatten", "Identity", "Neg", "Sigmoid", "Normalizer", "Reciprocal"])
def test_an_operator_whose_first_input_no_node_makes_is_refused(operator: str) -> None:
    """Found with damaged files: the sum came second, and a KeyError was raised."""
    joined = helper.make_node(operator, ["nobody", "s"], ["answer"])
    with pytest.raises(gw.UnsupportedModelError, match=f"'{operator}' joins them"):
        gw.read(boosted(joined, outputs=("answer",)))


def test_trees_behind_a_join_of_nothing_are_refused() -> None:
    """Found with damaged files: numpy was asked to join no columns."""
    tree = stump("Y", 0.5, 1.0, 2.0)
    tree.input[:] = ["joined"]
    graph = helper.make_graph(
        [helper.make_node("Concat", [], ["joined"], axis=1), tree],
        "g",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 1])],
        [helper.make_empty_tensor_value_info("Y")],
    )
    sets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 13)]
    with pytest.raises(gw.ModelFileError, match="a table without columns"):
        gw.read(helper.make_model(graph, opset_imports=sets, ir_version=9))
