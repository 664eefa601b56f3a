"""ONNX files: small whole ones of every operator, and edits of their attributes, constants and nodes."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from tests.readers.onnx_models import LEVELS, MODES, ORDERS, new_model, old_attributes, old_model, random_trees
from tests.readers.onnx_models import model as made

Rng = np.random.Generator
_NUMBERS = (0, 1, -1, 2, 3, 7, 63, 64, 2**24, 2**31 - 1, 2**31, 2**53, 2**62, -(2**63))
_FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 3.0, 1e-40, 1e38, float("nan"), float("inf"), -float("inf"))
_TEXTS = (b"", b"x", b"LEAF", b"BRANCH_LEQ", b"BRANCH_GT", b"BRANCH_EQ", b"SOFTMAX", b"LOGISTIC", b"AVERAGE", b"MAX")


@functools.cache
def onnx_files() -> Sequence[bytes]:
    """Whole files."""
    rng = np.random.default_rng(1)
    nodes = random_trees(rng, 3, (*ORDERS, *LEVELS))
    every = random_trees(rng, 6, MODES)
    every = [node for node in every if sum(other["tree"] == node["tree"] for other in every) > 1]
    scaler = helper.make_node("Scaler", ["X"], ["Z"], domain="ai.onnx.ml", offset=[0.1] * 3, scale=[-2.0, 0.5, 1.0])
    plain = random_trees(rng, 2, ORDERS)
    ends = [node for node in plain if node["mode"] == "LEAF"]
    behind = helper.make_node(
        "TreeEnsembleRegressor",
        ["Z"],
        ["Y"],
        domain="ai.onnx.ml",
        **old_attributes(plain),
        nodes_values=[node.get("value", 0.0) for node in plain],
        target_treeids=[node["tree"] for node in ends],
        target_nodeids=[node["number"] for node in ends],
        target_ids=[0] * len(ends),
        target_weights=rng.normal(size=len(ends)).tolist(),
        n_targets=1,
    )
    return [
        old_model(rng, nodes, base=1),
        old_model(rng, nodes, n_outputs=3, classes=["a", "b", "c"], wide=True),
        old_model(rng, nodes, classes=[3, 7], transform="LOGISTIC"),
        new_model(rng, every, n_outputs=2),
        made(behind, before=(scaler,)),
    ]


@functools.cache
def onnx_graphs() -> Sequence[bytes]:
    """Whole files as skl2onnx writes them: texts and encoders before the trees, several ensembles in one graph."""
    import pandas as pd
    from skl2onnx import to_onnx
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor, VotingRegressor
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    rng = np.random.default_rng(2)
    X = pd.DataFrame({"city": rng.choice(["Oslo", "Rome", "Bern"], 80), "age": rng.normal(size=80).astype(np.float32)})
    y = (X.city == "Rome") * 2.0 + X.age
    small: dict[str, Any] = {"n_estimators": 2, "max_depth": 2, "random_state": 0}
    numbers = rng.normal(size=(80, 3)).astype(np.float32)
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    encoded = [
        make_pipeline(
            make_column_transformer((encoder, ["city"]), (StandardScaler(), ["age"])), RandomForestRegressor(**small)
        ).fit(X, y)
        for encoder in (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ordinal)
    ]
    votes = VotingRegressor([("a", RandomForestRegressor(**small)), ("b", RandomForestRegressor(**small))])
    per_class = OneVsRestClassifier(RandomForestClassifier(**small))
    made = [
        *(to_onnx(model, X[:1]) for model in encoded),
        to_onnx(votes.fit(numbers, numbers[:, 0]), numbers[:1]),
        to_onnx(per_class.fit(numbers, rng.integers(0, 3, 80)), numbers[:1], options={"zipmap": False}),
    ]
    return [bytes(model.SerializeToString()) for model in made]


def garble_graph(content: bytes, rng: Rng) -> bytes:
    """Like `garble_onnx`, and edits of constants, of the ways between the nodes and of the inputs."""
    if rng.random() < 0.5:
        return garble_onnx(content, rng)
    model = onnx.ModelProto.FromString(content)
    graph = model.graph
    names = [name for node in graph.node for name in (*node.input, *node.output)]
    for _ in range(int(rng.integers(1, 4))):
        node = graph.node[int(rng.integers(len(graph.node)))]
        match int(rng.integers(0, 5)):
            case 0 if graph.initializer:
                _edit_constant(graph.initializer[int(rng.integers(len(graph.initializer)))], rng)
            case 1 if node.input:
                node.input[int(rng.integers(len(node.input)))] = _pick(names, rng)
            case 2 if node.output:
                node.output[int(rng.integers(len(node.output)))] = _pick(names, rng)
            case 3:
                given = graph.input[int(rng.integers(len(graph.input)))].type.tensor_type
                given.elem_type = int(rng.integers(0, 17))
            case _:
                node.op_type = graph.node[int(rng.integers(len(graph.node)))].op_type
    return bytes(model.SerializeToString())


def _edit_constant(tensor: Any, rng: Rng) -> None:
    if tensor.dims and rng.random() < 0.3:
        tensor.dims[0] = _pick(_NUMBERS, rng)
    elif rng.random() < 0.3:
        tensor.data_type = int(rng.integers(0, 17))
    elif tensor.raw_data:
        raw = bytearray(tensor.raw_data)
        raw[int(rng.integers(len(raw)))] ^= 1 << int(rng.integers(0, 8))
        tensor.raw_data = bytes(raw)
    elif tensor.string_data:
        tensor.string_data[0] = _pick(_TEXTS, rng)
    elif tensor.int64_data:
        tensor.int64_data[0] = _pick(_NUMBERS, rng)
    elif tensor.float_data:
        tensor.float_data[0] = _pick(_FLOATS, rng)


def garble_onnx(content: bytes, rng: Rng) -> bytes:
    """A file with one to three edits of what its messages hold."""
    model = onnx.ModelProto.FromString(content)
    for _ in range(int(rng.integers(1, 4))):
        graph = model.graph
        if not graph.node:
            break
        node = graph.node[int(rng.integers(len(graph.node)))]
        match int(rng.integers(0, 10)):
            case 0:
                _edit_graph(graph, node, rng)
            case 1 if node.attribute:
                del node.attribute[int(rng.integers(len(node.attribute)))]
            case _ if node.attribute:
                _edit(node.attribute[int(rng.integers(len(node.attribute)))], rng)
    return bytes(model.SerializeToString())


def _pick(options: Sequence[Any], rng: Rng) -> Any:
    return options[int(rng.integers(len(options)))]


def _edit_graph(graph: Any, node: Any, rng: Rng) -> None:
    match int(rng.integers(0, 6)):
        case 0:
            node.op_type = _pick(["TreeEnsemble", "TreeEnsembleRegressor", "TreeEnsembleClassifier", "Cast", ""], rng)
        case 1:
            node.input[:] = [_pick(["", "X", "Y", "Z"], rng)] * int(rng.integers(0, 3))
        case 2:
            node.output[:] = [_pick(["", "X", "Y", "Z"], rng)] * int(rng.integers(0, 3))
        case 3:
            graph.node.append(node)
        case 4:
            shape = graph.input[0].type.tensor_type.shape.dim
            if len(shape) > 1:
                shape[1].dim_value = _pick(_NUMBERS, rng)
        case _:
            graph.input[0].type.tensor_type.elem_type = int(rng.integers(0, 17))


def _edit(attribute: Any, rng: Rng) -> None:
    """Change one element of a list, its length, or a single value."""
    if attribute.t.dims:
        tensor = attribute.t
        if rng.random() < 0.2:
            tensor.dims[0] = _pick(_NUMBERS, rng)
        elif rng.random() < 0.3:
            tensor.data_type = int(rng.integers(0, 17))
        else:
            raw = bytearray(tensor.raw_data)
            if raw:
                raw[int(rng.integers(len(raw)))] ^= 1 << int(rng.integers(0, 8))
            tensor.raw_data = bytes(raw)
        return
    for values, odd in ((attribute.ints, _NUMBERS), (attribute.floats, _FLOATS), (attribute.strings, _TEXTS)):
        if values:
            at = int(rng.integers(len(values)))
            match int(rng.integers(0, 6)):
                case 0:
                    del values[at]
                case 1:
                    values.append(values[at])
                case 2 | 3:
                    values[at] = values[int(rng.integers(len(values)))]
                case _:
                    values[at] = _pick(odd, rng)
            return
    attribute.i = _pick(_NUMBERS, rng)
