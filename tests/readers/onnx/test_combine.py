"""Sums of several ensembles in a graph as onnxmltools writes Spark's boosted trees."""

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

import glasswood as gw
from tests.readers.spark_graphs import LOGISTIC, ONE, X, boosted, stump, total


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
