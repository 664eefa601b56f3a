"""ONNX, operator by operator: every comparison, transform, width and version, compared with onnxruntime."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper

import glasswood as gw
from glasswood.ensemble import Ensemble
from glasswood.readers import onnx as reader
from glasswood.readers._parity import check_parity
from tests.agreement.record import record
from tests.readers.onnx_models import LEVELS, MODES, ORDERS, new_model, old_model, random_trees, rows
from tests.readers.spark_graphs import LOGISTIC, X, boosted, total

WIDTHS = {"float": False, "double": True}
TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


def agrees(content: bytes, operator: str, what: str) -> Ensemble:
    """Read the bytes and compare with onnxruntime: the leaf of every tree, the sum, and what the model answers."""
    ensemble = reader.read_file(content, "m")
    table = rows(np.random.default_rng(0), ensemble.threshold[np.isfinite(ensemble.threshold)])
    opened = reader.open_file(content)
    checked = check_parity(ensemble, table, lambda part: reader.ask_opened(opened, ensemble, part))
    assert checked.source.parity.leaves_equal
    record("onnxruntime", operator, what)
    return checked


def trees(rng: np.random.Generator, modes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Random trees of which each has a split, and at least one tree."""
    while True:
        nodes = random_trees(rng, 5, modes)
        found = [node for node in nodes if sum(other["tree"] == node["tree"] for other in nodes) > 1]
        if found and {node["mode"] for node in found} >= set(modes):
            return found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", (*ORDERS, *LEVELS))
def test_comparisons_of_the_older_operators(mode: str, width: str) -> None:
    rng = np.random.default_rng(0)
    agrees(old_model(rng, trees(rng, (mode,)), wide=WIDTHS[width]), "TreeEnsembleRegressor", f"{mode} in {width}")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", MODES)
def test_comparisons_of_the_newer_operator(mode: str, width: str) -> None:
    rng = np.random.default_rng(1)
    content = new_model(rng, trees(rng, (mode,)), wide=WIDTHS[width], n_outputs=2)
    agrees(content, "TreeEnsemble (ai.onnx.ml 5)", f"{mode} in {width}")


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms_of_the_older_operators(transform: str) -> None:
    rng = np.random.default_rng(3)
    nodes = trees(rng, ORDERS)
    content = old_model(rng, nodes, transform=transform, n_outputs=2)
    agrees(content, "TreeEnsembleRegressor", f"post_transform {transform}")
    for classes in ([3, 7], ["a", "b", "c"]):
        content = old_model(rng, nodes, transform=transform, classes=classes)
        agrees(content, "TreeEnsembleClassifier", f"post_transform {transform}, {len(classes)} classes")


@pytest.mark.parametrize("transform", range(5))
def test_transforms_of_the_newer_operator(transform: int) -> None:
    rng = np.random.default_rng(5)
    content = new_model(rng, trees(rng, ORDERS), n_outputs=2, transform=transform)
    agrees(content, "TreeEnsemble (ai.onnx.ml 5)", f"post_transform {TRANSFORMS[transform]}, raw only")


@pytest.mark.parametrize("opset", [1, 2, 3])
def test_versions_of_the_older_operators(opset: int) -> None:
    rng = np.random.default_rng(6)
    nodes = trees(rng, (*ORDERS, *LEVELS))
    agrees(old_model(rng, nodes, opset=opset, base=1), "TreeEnsembleRegressor", f"ai.onnx.ml {opset}")
    content = old_model(rng, nodes, opset=opset, classes=["a", "b", "c"], transform="SOFTMAX")
    agrees(content, "TreeEnsembleClassifier", f"ai.onnx.ml {opset}")


def test_boosted_trees_as_the_converter_of_spark_writes_them(tmp_path: Path) -> None:
    classifier = boosted(*LOGISTIC, outputs=("label", "probability"))
    (tmp_path / "m.onnx").write_bytes(classifier.SerializeToString())
    ensemble = gw.read(tmp_path / "m.onnx", X)
    assert ensemble.source.parity.leaves_equal
    assert np.allclose(ensemble.predict(X), 1 / (1 + np.exp(-2 * total())), rtol=1e-12)
    record("onnxruntime", "graph as onnxmltools writes Spark's", "GBTClassifier")
    regressor = boosted(outputs=("label",))
    with pytest.raises(gw.UnsupportedModelError, match="'ArgMax' joins them"):
        gw.read(regressor)
    record(
        "onnxruntime",
        "graph as onnxmltools writes Spark's",
        "GBTRegressor, whose answer is 0 or 1 by mistake",
        "refused",
    )
    regressor.graph.output.append(helper.make_empty_tensor_value_info("s"))
    assert gw.read(regressor, X).source.parity.leaves_equal
    record("onnxruntime", "graph as onnxmltools writes Spark's", "GBTRegressor with its sum as an output")
