"""ONNX: onnxruntime's own answer for every comparison and transform, refusals by name, and files that are damaged."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

import glasswood as gw
from glasswood.ensemble import Ensemble, LinkKind, unpack_set
from glasswood.errors import ModelFileError, ParityWarning, UnsupportedModelError
from glasswood.readers import onnx as reader
from glasswood.readers._parity import check_parity
from glasswood.readers.onnx._wire import Message
from glasswood.writers import put_bytes, put_floats, put_integer, put_integers
from tests.readers.mutate import mutations
from tests.readers.onnx_models import (
    LEVELS,
    MODES,
    ORDERS,
    model,
    new_model,
    old_attributes,
    old_model,
    random_trees,
    rows,
)


def agrees(content: bytes, seed: int) -> Ensemble:
    """Read the bytes and compare with onnxruntime: the leaf of every tree, the sum, and what the model answers."""
    ensemble = reader.read_file(content, "m")
    cuts = ensemble.threshold[np.isfinite(ensemble.threshold)]
    X = rows(np.random.default_rng(seed), cuts)
    opened = reader.open_file(content)
    checked = check_parity(ensemble, X, lambda part: reader.ask_opened(opened, ensemble, part))
    assert checked.source.parity.leaves_equal
    return checked


def split_trees(rng: np.random.Generator, modes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Random trees of which each has a split, as the new operator wants them."""
    nodes = random_trees(rng, 5, modes)
    return [node for node in nodes if sum(other["tree"] == node["tree"] for other in nodes) > 1]


@given(
    st.integers(0, 10**6), st.sampled_from([*((mode,) for mode in ORDERS), ORDERS, (*ORDERS, *LEVELS)]), st.booleans()
)
@settings(max_examples=30)
def test_every_comparison_in_either_width(seed: int, modes: tuple[str, ...], wide: bool) -> None:
    rng = np.random.default_rng(seed)
    nodes = random_trees(rng, int(rng.integers(1, 5)), modes)
    agrees(old_model(rng, nodes, wide=wide, base=seed % 2, aggregate=("SUM", "AVERAGE")[seed // 2 % 2]), seed)


@given(st.integers(0, 10**6), st.sampled_from([ORDERS, MODES]), st.booleans())
@settings(max_examples=20)
def test_the_operator_of_nodes_and_leaves(seed: int, modes: tuple[str, ...], wide: bool) -> None:
    rng = np.random.default_rng(seed)
    nodes = split_trees(rng, modes)
    if nodes:
        agrees(new_model(rng, nodes, wide=wide, n_outputs=1 + seed % 2, aggregate=seed // 2 % 2), seed)


TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
LINKS = {  # what onnxruntime makes of each: of one target, two targets, three classes
    "NONE": ("identity", "identity", "identity"),
    "LOGISTIC": ("identity", "ova", "ova"),
    "SOFTMAX": ("identity", "softmax", "softmax"),
    "SOFTMAX_ZERO": ("identity", "none", "none"),
    "PROBIT": ("none", "none", "none"),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_every_transform_of_targets_and_classes(transform: str) -> None:
    rng = np.random.default_rng(3)
    nodes = random_trees(rng, 3, ORDERS)
    options: list[dict[str, Any]] = [
        {},
        {"n_outputs": 2, "base": 2},
        {"n_outputs": 3, "classes": ["a", "b", "c"], "base": 3},
    ]
    found = [agrees(old_model(rng, nodes, transform=transform, **option), k) for k, option in enumerate(options)]
    assert tuple(str(ensemble.link) for ensemble in found) == LINKS[transform]
    assert found[2].source.classes == found[2].outputs == ("a", "b", "c")


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("positive", [False, True], ids=["", "positive"])
def test_two_classes_with_one_score(transform: str, positive: bool) -> None:
    rng = np.random.default_rng(4)
    nodes = random_trees(rng, 3, ORDERS)
    ensemble = agrees(old_model(rng, nodes, transform=transform, classes=[3, 7], positive=positive, base=1), 0)
    assert (ensemble.outputs, ensemble.source.classes) == (("7",), (3, 7))
    shares = positive and transform in ("NONE", "SOFTMAX")
    assert str(ensemble.link) == ("logit" if transform == "LOGISTIC" else "identity" if shares else "none")


@pytest.mark.parametrize("transform", [0, 1, 2, 3, 4])
def test_transforms_on_which_onnxruntime_and_the_standard_disagree_leave_raw(transform: int) -> None:
    rng = np.random.default_rng(5)
    nodes = split_trees(rng, ORDERS)
    ensemble = agrees(new_model(rng, nodes, n_outputs=2, transform=transform), 0)
    assert (ensemble.link.kind is LinkKind.NONE) == (transform > 0)


def stump(mode: str = "BRANCH_LEQ", value: float = 0.5, **changed: Any) -> dict[str, Any]:
    """Attributes of one split of column 0 with the leaves 1 and 2."""
    nodes = [
        {"tree": 0, "number": 0, "mode": mode, "feature": 0, "true": 1, "false": 2},
        {"tree": 0, "number": 1, "mode": "LEAF"},
        {"tree": 0, "number": 2, "mode": "LEAF"},
    ]
    return {
        **old_attributes(nodes),
        "nodes_values": [value, 0.0, 0.0],
        "target_treeids": [0, 0],
        "target_nodeids": [1, 2],
        "target_ids": [0, 0],
        "target_weights": [10.0, 20.0],
        "n_targets": 1,
        **changed,
    }


def regressor(given: str = "X", result: str = "Y", **attributes: Any) -> Any:
    return helper.make_node("TreeEnsembleRegressor", [given], [result], domain="ai.onnx.ml", **attributes)


def test_a_float32_comparison_is_met_to_the_last_float64() -> None:
    ensemble = reader.read_file(model(regressor(**stump(value=0.1))), "m")
    cut = ensemble.threshold[0]
    assert np.float32(cut) <= np.float32(0.1) < np.float32(np.nextafter(cut, 1))
    wide = reader.read_file(model(regressor(**stump(value=0.5)), wide=True), "m")
    assert wide.threshold[0] == 0.5


def test_a_chain_of_equalities_is_one_set_of_levels() -> None:
    nodes: list[dict[str, Any]] = [
        {"tree": 0, "number": 0, "mode": "BRANCH_EQ", "feature": 2, "true": 2, "false": 1},
        {"tree": 0, "number": 1, "mode": "BRANCH_EQ", "feature": 2, "true": 2, "false": 3},
        {"tree": 0, "number": 2, "mode": "LEAF"},
        {"tree": 0, "number": 3, "mode": "LEAF"},
    ]
    weights = {"target_treeids": [0, 0], "target_nodeids": [2, 3], "target_ids": [0, 0], "target_weights": [1.0, 2.0]}
    node = regressor(**old_attributes(nodes), nodes_values=[4.0, 7.0, 0.0, 0.0], n_targets=1, **weights)
    ensemble = agrees(model(node), 0)
    assert ensemble.features.categories == (None, None, (4, 7))
    assert ensemble.n_nodes == 3
    assert unpack_set(ensemble.set_bits)[:2].all()


def prepared(*nodes: Any, constants: tuple[Any, ...] = (), inputs: tuple[Any, ...] = (), after: str = "Y") -> bytes:
    """A model of some nodes, the trees among them."""
    given = inputs or (helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 3]),)
    ends = [helper.make_empty_tensor_value_info(after)]
    graph = helper.make_graph(list(nodes), "g", list(given), ends, initializer=list(constants))
    sets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 18)]
    return bytes(helper.make_model(graph, opset_imports=sets, ir_version=9).SerializeToString())


def constant(name: str, *values: float) -> Any:
    return onnx.numpy_helper.from_array(np.array(values, dtype=np.float32), name)


def test_columns_are_followed_through_a_scaler_an_imputer_and_arithmetic() -> None:
    content = prepared(
        helper.make_node(
            "Imputer",
            ["X"],
            ["A"],
            "",
            domain="ai.onnx.ml",
            imputed_value_floats=[2.0, 3.0, 4.0],
            replaced_value_float=float("nan"),
        ),
        helper.make_node("Scaler", ["A"], ["B"], domain="ai.onnx.ml", offset=[0.1, 0.2, 0.3], scale=[-3.3, 0.7, 1.0]),
        helper.make_node("Mul", ["B", "c"], ["C"]),
        helper.make_node("Sub", ["d", "C"], ["D"]),
        helper.make_node("Cast", ["D"], ["E"], to=TensorProto.DOUBLE),
        helper.make_node("ArrayFeatureExtractor", ["E", "e"], ["F"], domain="ai.onnx.ml"),
        regressor("F", **stump()),
        constants=(
            constant("c", 1.5, -2.5, 3.0),
            constant("d", 0.3),
            onnx.numpy_helper.from_array(np.array([1, 0], dtype=np.int64), "e"),
        ),
    )
    ensemble = agrees(content, 0)
    assert ensemble.feature[0] == 1


def test_columns_of_several_inputs_have_their_names() -> None:
    inputs = tuple(helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 1]) for name in ("age", "fare"))
    joined = helper.make_node("Concat", ["fare", "age"], ["X"], axis=1)
    content = prepared(joined, regressor(**stump()), inputs=inputs)
    ensemble = reader.read_file(content, "m")
    assert ensemble.feature_names == ("age", "fare")
    assert ensemble.feature[0] == 1
    table = pd.DataFrame({"fare": [0.0, 1.0], "age": [5.0, 5.0]})
    assert ensemble.predict_raw(table).ravel().tolist() == [10.0, 20.0]


def test_what_follows_the_trees_is_a_link_a_factor_and_a_shift() -> None:
    tree = regressor(result="S", **stump(target_weights=[0.5, -0.25]))
    half = helper.make_node("Div", ["S", "two"], ["H"])
    exponential, scaled = helper.make_node("Exp", ["H"], ["E"]), helper.make_node("Mul", ["E", "three"], ["Y"])
    content = prepared(tree, half, exponential, scaled, constants=(constant("two", 2.0), constant("three", 3.0)))
    ensemble = agrees(content, 0)
    assert str(ensemble.link) == "log"
    assert ensemble.predict([[0.0, 0.0, 0.0]]).ravel() == pytest.approx([3 * np.exp(0.25)])


def labels_only() -> Any:
    """A classifier whose second output, the scores, is left out."""
    parts = {name.replace("target_", "class_"): value for name, value in stump().items() if name != "n_targets"}
    return helper.make_node(
        "TreeEnsembleClassifier", ["X"], ["Y"], domain="ai.onnx.ml", classlabels_int64s=[0, 1], **parts
    )


REFUSED: dict[str, Any] = {
    "labels only": (labels_only(),),
    "Normalizer": (helper.make_node("Normalizer", ["X"], ["Z"], domain="ai.onnx.ml"), regressor("Z", **stump())),
    "Add": (helper.make_node("Add", ["X", "X"], ["Z"]), regressor("Z", **stump())),
    "Tanh": (regressor(result="Z", **stump()), helper.make_node("Tanh", ["Z"], ["Y"])),
    "2 tree ensembles, and 'Max' joins them": (
        regressor(result="A", **stump()),
        regressor(result="B", **stump()),
        helper.make_node("Max", ["A", "B"], ["Y"]),
    ),
    "no tree ensemble; it begins with 'Relu'": (helper.make_node("Relu", ["X"], ["Y"]),),
    "by order in some nodes and by equality": (
        regressor(
            **old_attributes(
                [
                    {"tree": 0, "number": 0, "mode": "BRANCH_EQ", "feature": 0, "true": 1, "false": 2},
                    {"tree": 0, "number": 1, "mode": "BRANCH_LEQ", "feature": 0, "true": 3, "false": 4},
                    *({"tree": 0, "number": k, "mode": "LEAF"} for k in (2, 3, 4)),
                ]
            ),
            nodes_values=[1.0] * 5,
            target_treeids=[0] * 3,
            target_nodeids=[2, 3, 4],
            target_ids=[0] * 3,
            target_weights=[1.0] * 3,
            n_targets=1,
        ),
    ),
}


def fixed(name: str, values: Any) -> Any:
    """A node that gives fixed numbers."""
    return helper.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(np.asarray(values)))


TWO_SUMS = (regressor(result="A", **stump()), regressor(result="B", **stump(value=-0.25)))
JOINED: dict[str, tuple[tuple[Any, ...], list[float]]] = {  # nodes after the sums, and the weight of each sum
    "Sum": ((helper.make_node("Sum", ["A", "B"], ["Y"]),), [1, 1]),
    "weights": (
        (
            fixed("w", np.float32([0.25])),
            helper.make_node("Mul", ["w", "A"], ["a"]),
            helper.make_node("Neg", ["B"], ["b"]),
            helper.make_node("Add", ["a", "b"], ["Y"]),
        ),
        [0.25, -1],
    ),
    "MatMul": (
        (
            fixed("m", np.float32([[2.0], [3.0]])),
            helper.make_node("Concat", ["A", "B"], ["AB"], axis=1),
            helper.make_node("MatMul", ["AB", "m"], ["Y"]),
        ),
        [2, 3],
    ),
    "mean": (
        (
            fixed("s", np.int64([1, -1, 1])),
            fixed("zero", np.int64([0])),
            helper.make_node("Reshape", ["A", "s"], ["a"]),
            helper.make_node("Reshape", ["B", "s"], ["b"]),
            helper.make_node("Concat", ["a", "b"], ["ab"], axis=0),
            helper.make_node("ReduceMean", ["ab", "zero"], ["Y"], keepdims=0),
        ),
        [0.5, 0.5],
    ),
}


@pytest.mark.parametrize("what", JOINED)
def test_several_tree_ensembles_are_joined_with_their_weights(what: str) -> None:
    nodes, weights = JOINED[what]
    ensemble = agrees(prepared(*TWO_SUMS, *nodes), 0)
    assert ensemble.n_trees == 2
    table = np.array([[0.0, 0.0, 0.0]])  # at most .5, above −.25
    assert ensemble.predict(table).tolist() == [weights[0] * 10 + weights[1] * 20]


@pytest.mark.parametrize("reason", REFUSED)
def test_what_cannot_be_read_exactly_is_refused_by_name(reason: str) -> None:
    with pytest.raises(UnsupportedModelError, match=f"m: .*{reason}"):
        reader.read_file(prepared(*REFUSED[reason]), "m")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"nodes_truenodeids": [0, 0, 0]}, "do not form trees"),
        ({"nodes_truenodeids": [9, 0, 0]}, "node 9 of tree 0 is named but is not there"),
        ({"nodes_nodeids": [0, 1, 1]}, "is listed twice"),
        ({"nodes_featureids": [7, 0, 0]}, "splits column 7"),
        ({"nodes_featureids": [0]}, "1 featureids for 3 nodes"),
        ({"nodes_values": [float("nan"), 0.0, 0.0]}, "compares with NaN"),
        ({"target_ids": [0, 5]}, "an output that does not exist"),
        ({"target_weights": [float("inf"), 0.0]}, "not a finite number"),
        ({"target_nodeids": [1, 1]}, "a leaf has no weight"),
        ({"n_targets": 2**40}, "more than the file"),
        ({"nodes_modes": ["BRANCH_MAYBE", "LEAF", "LEAF"]}, "BRANCH_MAYBE"),
    ],
)
def test_attributes_that_do_not_fit_together_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises((ModelFileError, UnsupportedModelError), match=message):
        reader.read_file(model(regressor(**stump(**changed))), "m")


def test_a_file_and_an_object_are_read_and_proved(tmp_path: Path) -> None:
    content = model(regressor(**stump()))
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    X = np.array([[0.25, 0.0, 0.0], [0.75, 0.0, 0.0]])
    from_file, from_object = gw.read(path, X), gw.read(onnx.load(path), X)
    assert from_file.source.parity.leaves_equal and from_object.source.parity.leaves_equal
    assert from_file.source.library == "ONNX" and from_file.source.parity.n_rows == 2
    assert np.array_equal(from_file.leaf_id, from_object.leaf_id)


def test_without_onnxruntime_a_model_is_read_but_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(model(regressor(**stump())))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    X = np.zeros((2, 3))
    for given_model in (path, onnx.load(path)):
        with pytest.warns(ParityWarning, match="onnxruntime is not installed here"):
            ensemble = gw.read(given_model, X)
        assert "onnxruntime" in ensemble.source.certificate


# the bytes


def test_a_message_is_taken_apart_and_put_together() -> None:
    numbers = [0, 1, 127, 128, 300, 2**31, 2**63 - 1, *range(100)]
    single = b"".join(put_integer(8, number) for number in numbers)
    content = put_bytes(1, "näme".encode()) + single + put_floats(7, np.array([0.5, -1.5])) + put_integer(3, -2)
    message = Message(content)
    assert message.text(1) == "näme"
    assert message.integers(8).tolist() == numbers
    assert message.floats(7, "<f4").tolist() == [0.5, -1.5]
    assert message.integer(3) == -2
    assert Message(put_integers(8, numbers)).integers(8).tolist() == numbers
    again = Message(message.without([1]))
    assert again.integers(8).tolist() == numbers and again.text(1) == ""


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=60), st.binary(max_size=30))
@settings(max_examples=30)
def test_a_run_of_numbers_ends_where_another_field_begins(numbers: list[int], after: bytes) -> None:
    content = b"".join(put_integer(8, number) for number in numbers) + put_bytes(9, after) + put_integer(8, 5)
    message = Message(content)
    assert message.integers(8).tolist() == [*numbers, 5]
    assert message.contents(9) == [after]


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    for whole in (content, b"\x08\x09" + content, put_integer(1, 9) + put_bytes(7, content)):
        with pytest.raises((ModelFileError, UnsupportedModelError)):
            reader.read_file(whole, "m")


def test_damaged_files_are_read_or_refused() -> None:
    rng = np.random.default_rng(0)
    nodes = random_trees(rng, 3, (*ORDERS, *LEVELS))
    whole = [
        old_model(rng, nodes, base=1),
        old_model(rng, nodes, n_outputs=3, classes=["a", "b", "c"], wide=True),
        new_model(rng, split_trees(rng, MODES)),
    ]
    for k, content in enumerate(whole):
        for damaged in mutations(content, 200, seed=k):
            try:
                reader.read_file(damaged, "m")
            except (ModelFileError, UnsupportedModelError):
                continue
