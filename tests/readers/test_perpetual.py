"""perpetual's reader: small trees, refusals, and damaged files."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from perpetual import PerpetualBooster

import glasswood as gw
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers import perpetual as reader

LEAF: dict[str, Any] = {"is_leaf": True, "split_feature": 0, "left_cats": None}
FRAME = pd.DataFrame({"x": np.linspace(-1, 1, 120), "c": pd.Categorical(list("abcd") * 30)})
Y = (FRAME["x"] + 2.0 * (FRAME["c"] == "b")).to_numpy()


def leaf(num: int, value: float) -> dict[str, Any]:
    return {**LEAF, "num": num, "weight_value": value, "hessian_sum": 2.0}


def split(num: int, left: int, right: int, missing: int, **parts: Any) -> dict[str, Any]:
    node = {"num": num, "is_leaf": False, "split_feature": 0, "split_value": 0.5, "split_gain": 1.0, "left_cats": None}
    return {**node, "hessian_sum": 6.0, "left_child": left, "right_child": right, "missing_node": missing, **parts}


def document(nodes: list[dict[str, Any]], *, cats: dict[str, list[str]] | None = None) -> bytes:
    metadata = {"feature_names_in_": '["f"]', "classes_": "[]", "cat_mapping": json.dumps(cats or {})}
    cfg = {"objective": "SquaredLoss", "missing": None, "missing_node_treatment": "None", "categorical_features": None}
    trees = [{"nodes": {str(node["num"]): node for node in nodes}}]
    return json.dumps({"cfg": cfg, "base_score": 10.0, "trees": trees, "metadata": metadata}).encode()


def test_a_value_on_the_threshold_goes_right() -> None:
    ensemble = reader.read_file(document([split(0, 1, 2, 1), leaf(1, 1.0), leaf(2, 2.0)]), "m")
    X = np.array([[0.5], [np.nextafter(0.5, 0)], [np.nan]])
    assert ensemble.apply(X).ravel().tolist() == [2, 1, 1]
    assert ensemble.predict_raw(X).tolist() == [12.0, 11.0, 11.0]


def test_a_missing_branch_becomes_a_split_of_its_own() -> None:
    nodes = [split(0, 1, 2, 3), leaf(1, 1.0), leaf(2, 2.0), leaf(3, 4.0)]
    ensemble = reader.read_file(document(nodes), "m")
    X = np.array([[0.0], [1.0], [np.nan], [np.inf]])
    assert ensemble.apply(X).ravel().tolist() == [1, 2, 3, 2]
    assert ensemble.weight.tolist() == [6.0, 4.0, 2.0, 2.0, 2.0]


def test_a_split_of_a_feature_without_categories_is_refused() -> None:
    nodes = [split(0, 1, 2, 2, left_cats=[1], right_cats=[2]), leaf(1, 1.0), leaf(2, 2.0)]
    with pytest.raises(ModelFileError, match="no categories"):
        reader.read_file(document(nodes, cats={"f": ["nan"]}), "m")


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        (["1", "-2", "30"], (1, -2, 30)),
        (["1.0", "2.5", "1e-05"], (1, 2.5, 1e-05)),
        (["1e+10", "0.1"], (10**10, 0.1)),  # as float32 is written
        (["True", "False"], (True, False)),
        # texts, although Python reads numbers in them
        (["01234", "56789"], ("01234", "56789")),
        (["1_0", "2_0"], ("1_0", "2_0")),
        (["1e3", "2"], ("1e3", "2")),
        ([" 1", "2"], (" 1", "2")),
        (["inf", "2"], ("inf", "2")),
        (["nan", "2"], ("nan", "2")),
    ],
)
def test_only_what_is_written_like_a_number_is_one(written: list[str], labels: tuple[Any, ...]) -> None:
    ensemble = reader.read_file(document([leaf(0, 1.0)], cats={"f": ["nan", *written]}), "m")
    assert ensemble.features.categories == (labels,)
    assert list(map(type, ensemble.features.categories[0] or ())) == list(map(type, labels))


def test_categories_of_no_feature_are_refused() -> None:
    with pytest.raises(ModelFileError, match="the categories of 'g', which is not a feature"):
        reader.read_file(document([leaf(0, 1.0)], cats={"g": ["nan", "a"]}), "m")


def test_a_repeated_key_is_refused() -> None:
    content = document([split(0, 1, 2, 1), leaf(1, 1.0), leaf(2, 2.0)])
    with pytest.raises(ModelFileError, match="duplicate key 'base_score'"):
        reader.read_file(content.replace(b'"base_score": 10.0', b'"base_score": 10.0, "base_score": 1.0'), "m")


@pytest.mark.parametrize(
    "sides", [{"left_cats": "14"}, {"left_cats": [4, 2], "right_cats": [1, 3]}], ids=["bits", "lists"]
)
def test_both_forms_of_category_splits(sides: dict[str, Any]) -> None:
    nodes = [split(0, 1, 2, 2, **sides), leaf(1, 1.0), leaf(2, 2.0)]
    ensemble = reader.read_file(document(nodes, cats={"f": ["nan", "a", "b", "c", "d"]}), "m")
    X = pd.DataFrame({"f": ["a", "b", "c", "d", None, "e"]})
    assert ensemble.apply(X).ravel().tolist() == [2, 1, 2, 1, 2, 2]


def test_leaves_are_float32() -> None:
    ensemble = reader.read_file(document([leaf(0, 0.1)]), "m")
    assert ensemble.value.tolist() == [[float(np.float32(0.1))]]


def test_refusals_say_why() -> None:
    with pytest.raises(UnsupportedModelError, match="not fitted"):
        gw.read(PerpetualBooster())
    model = PerpetualBooster(objective="SquaredLoss", missing=-999.0, budget=0.1, num_threads=1)
    with pytest.raises(UnsupportedModelError, match=r"-999\.0 as missing"):
        gw.read(model.fit(np.arange(40.0).reshape(-1, 1), np.arange(40.0)))
    model = PerpetualBooster(objective="LogLoss", budget=0.1, num_threads=1)
    with pytest.raises(UnsupportedModelError, match=r"a single class, 0: .*; fit it on rows of two classes or more"):
        gw.read(model.fit(np.arange(40.0).reshape(-1, 1), np.zeros(40)))


def test_cycles_and_shared_nodes_are_refused() -> None:
    for nodes in ([split(0, 0, 0, 0)], [split(0, 1, 1, 1), leaf(1, 1.0)], [split(0, 1, 2, 1), leaf(1, 1.0)]):
        with pytest.raises(ModelFileError):
            reader.read_file(document(nodes), "m")


def test_a_file_is_recognised_by_content(tmp_path: Path) -> None:
    model = PerpetualBooster(objective="SquaredLoss", budget=0.1, num_threads=1).fit(FRAME.copy(), Y)
    model.save_booster(str(tmp_path / "any.name"))
    assert gw.read(tmp_path / "any.name") == gw.read(model)
    assert not reader.recognises(b'{"trees": []}')


def places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def survives(content: bytes) -> None:
    try:
        ensemble = reader.read_file(content, "garbled")
    except (ModelFileError, UnsupportedModelError):
        return
    ensemble._validate()


@pytest.mark.parametrize("classes", [0, 3])
def test_garbled_files_are_refused(classes: int) -> None:
    objective = "LogLoss" if classes else "SquaredLoss"
    model = PerpetualBooster(objective=objective, budget=0.3, num_threads=1, iteration_limit=2)
    text = model.fit(FRAME.copy(), np.digitize(Y, [-0.5, 1.0]) if classes else Y).json_dump()
    good = json.loads(text)
    everywhere = places(good)
    odd: list[Any] = [
        None,
        -1,
        0,
        1,
        10**30,
        2**40,
        1e400,
        float("nan"),
        "x",
        "0",
        [],
        {},
        True,
        0.5,
        [1, 2, 3],
        "ffff",
    ]
    rng = np.random.default_rng(0)
    for _ in range(1500):
        garbled = copy.deepcopy(good)
        path = everywhere[rng.integers(len(everywhere))]
        target = garbled
        for key in path[:-1]:
            target = target[key]
        if rng.random() < 0.2:
            del target[path[-1]]
        else:
            target[path[-1]] = odd[rng.integers(len(odd))]
        survives(json.dumps(garbled).encode())
    raw = text.encode()
    for end in range(0, len(raw), len(raw) // 100):
        survives(raw[:end])
    for _ in range(500):
        flipped = bytearray(raw)
        flipped[rng.integers(len(raw))] ^= 1 << int(rng.integers(8))
        survives(bytes(flipped))
    survives(b'{"cfg": ' + b"[" * 100_000)
