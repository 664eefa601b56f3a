"""CatBoost's reader: small trees, refusals, and damaged files."""

import copy
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostClassifier, CatBoostRegressor, Pool, sum_models

import glasswood as gw
from glasswood.errors import ModelFileError, TableError, UnsupportedModelError
from glasswood.readers import catboost as reader
from glasswood.readers._library import CannotAskError, library_process

QUIET: dict[str, Any] = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}
FRAME = pd.DataFrame({"x": np.linspace(-1, 1, 60), "z": np.tile([0.0, np.nan, 2.0], 20), "c": list("abc") * 20})
Y = FRAME["x"] + 2.0 * (FRAME["c"] == "b") + FRAME["z"].fillna(5.0)


def fitted(folder: Path, **options: Any) -> tuple[bytes, bytes]:
    """The .cbm and the .json file of a small model."""
    model = CatBoostRegressor(**{**QUIET, "iterations": 3, "depth": 2, "one_hot_max_size": 5, **options})
    model.fit(FRAME, Y, cat_features=["c"])
    model.save_model(str(folder / "m.cbm"))
    model.save_model(str(folder / "m.json"), format="json")
    return (folder / "m.cbm").read_bytes(), (folder / "m.json").read_bytes()


def oblivious(splits: list[int], values: list[float], **features: Any) -> bytes:
    """A JSON model of one oblivious tree on two numbers with the borders 0.5 and 1.5."""
    number = {"has_nans": True, "nan_value_treatment": "AsTrue", "feature_id": ""}
    floats = [{**number, "flat_feature_index": j, "feature_index": j, "borders": [0.5 + j]} for j in range(2)]
    tree = {"leaf_values": values, "leaf_weights": [1.0] * len(values), "splits": [{"split_index": s} for s in splits]}
    return json.dumps(
        {
            "features_info": {"float_features": floats, **features},
            "oblivious_trees": [tree],
            "scale_and_bias": [2.0, [10.0]],
        }
    ).encode()


def test_leaf_bits_count_from_the_first_split() -> None:
    ensemble = reader.read_file(oblivious([0, 1], [1.0, 2.0, 3.0, 4.0]), "m.json")
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0], [np.nan, 0.0], [0.5, 1.5]])
    assert ensemble.apply(X).ravel().tolist() == [0, 1, 2, 3, 1, 0]
    assert ensemble.predict_raw(X).tolist() == [12.0, 14.0, 16.0, 18.0, 14.0, 12.0]
    assert str(ensemble.link) == "none" and ensemble.source.objective == "unknown"
    assert ensemble.weight.tolist() == [4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]


def test_borders_are_compared_in_float32() -> None:
    ensemble = reader.read_file(oblivious([0], [0.0, 1.0]), "m.json")
    beside = float(np.nextafter(np.float32(0.5), np.float32(1)))
    X = np.array([[np.nextafter(0.5, 1), 0.0], [beside, 0.0]])
    assert ensemble.apply(X).ravel().tolist() == [0, 1]


def test_a_tree_without_splits_is_one_leaf() -> None:
    assert reader.read_file(oblivious([], [3.0]), "m.json").predict_raw(np.zeros((1, 2))).tolist() == [16.0]


def test_files_are_recognised_by_content(tmp_path: Path) -> None:
    cbm, text = fitted(tmp_path)
    assert reader.recognises(cbm) and reader.recognises(text)
    assert not reader.recognises(b"{}") and not reader.recognises(b"tree\nversion=v4")
    (tmp_path / "odd.name").write_bytes(cbm)
    assert gw.read(tmp_path / "odd.name") == gw.read(tmp_path / "m.json")


def test_unfitted_models_and_other_objects_are_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="not fitted"):
        gw.read(CatBoostRegressor())
    with pytest.raises(UnsupportedModelError, match="not a model"):
        gw.read(Pool([[1.0]]))


def test_target_statistics_are_sets_of_levels() -> None:
    model = CatBoostRegressor(**QUIET, iterations=10, one_hot_max_size=2)
    model.fit(FRAME[["x", "c"]], 20.0 * (FRAME["c"] == "b"), cat_features=["c"])
    ensemble = gw.read(model, FRAME[["x", "c"]])
    assert set(ensemble.features.categories[1] or ()) == {"a", "b", "c"} and not ensemble.source.notes
    assert (ensemble.category_set >= 0).any() and ensemble.source.weight_kind == "weights"


def test_labels_of_levels_come_with_a_json_file_that_was_saved_with_its_table(tmp_path: Path) -> None:
    frame = FRAME[["x", "c"]]
    model = CatBoostRegressor(**QUIET, iterations=10).fit(frame, 20.0 * (frame["c"] == "b"), cat_features=["c"])
    path = tmp_path / "m.json"
    model.save_model(str(path), format="json")
    nameless = gw.read(path)
    assert all(str(label).startswith("#") for label in nameless.features.categories[1] or ())
    assert any("only hashes" in note for note in nameless.source.notes)
    model.save_model(str(path), format="json", pool=Pool(frame, cat_features=["c"]))
    named = gw.read(path)
    assert set(named.features.categories[1] or ()) == {"a", "b", "c"} and not named.source.notes


def test_a_model_with_divided_trees_is_saved_and_loaded(tmp_path: Path) -> None:
    target = 5.0 * ((FRAME["c"] == "b") ^ (FRAME["z"] == 2.0)) + FRAME["x"]
    frame = FRAME.assign(d=np.where(FRAME["x"] > 0.2, "u", "v"))
    options = {"iterations": 10, "one_hot_max_size": 1, "max_ctr_complexity": 2, "model_size_reg": 0}
    model = CatBoostRegressor(**QUIET, **options).fit(frame, target, cat_features=["c", "d"])
    ensemble = gw.read(model, frame)
    assert ensemble.source.weight_kind == "none"
    ensemble.save(tmp_path / "m.gw")
    assert gw.load(tmp_path / "m.gw") == ensemble


def test_a_model_that_catboost_cannot_save_is_refused() -> None:
    models = [CatBoostRegressor(**QUIET, iterations=2, one_hot_max_size=1, random_seed=k) for k in range(2)]
    for model in models:
        model.fit(FRAME[["x", "c"]], Y, cat_features=["c"])
    total = sum_models(models, ctr_merge_policy="KeepAllTables")
    with pytest.raises(UnsupportedModelError, match="CatBoost itself cannot save this model"):
        gw.read(total)


def test_text_and_embeddings_are_refused() -> None:
    frame = FRAME.assign(note=["some words", "other words", "more"] * 20)
    model = CatBoostClassifier(**QUIET, iterations=3, one_hot_max_size=5)
    model.fit(frame, Y > 2, cat_features=["c"], text_features=["note"])
    with pytest.raises(UnsupportedModelError, match="text"):
        gw.read(model)
    vectors = FRAME.assign(v=[np.array([x, -x]) for x in FRAME["x"]])
    model = CatBoostClassifier(**QUIET, iterations=3, one_hot_max_size=5)
    model.fit(vectors, Y > 2, cat_features=["c"], embedding_features=["v"])
    with pytest.raises(UnsupportedModelError, match="embedding"):
        gw.read(model)


def test_a_missing_category_is_refused_by_name_where_catboost_refuses_it(tmp_path: Path) -> None:
    fitted(tmp_path)
    holed = FRAME.assign(c=[None, *FRAME["c"][1:]])
    with pytest.raises(TableError, match="'c' has a missing category in row 0"):
        gw.read(tmp_path / "m.cbm", holed)


def test_leaf_weights_may_be_stripped(tmp_path: Path) -> None:
    document = json.loads(fitted(tmp_path)[1])
    for tree in document["oblivious_trees"]:
        del tree["leaf_weights"]
    ensemble = reader.read_file(json.dumps(document).encode(), "m.json")
    assert ensemble.source.weight_kind == "none" and np.isnan(ensemble.weight).all()


def test_a_file_that_catboost_cannot_load_is_reported(tmp_path: Path) -> None:
    whole = reader.read_file(fitted(tmp_path)[0], "m.cbm")
    with (
        library_process("glasswood.readers.catboost", b"CBM1" + bytes(40), whole) as ask,
        pytest.raises(CannotAskError, match=r"CatBoost (does not load|crashes with) the file"),
    ):
        ask(FRAME)


def test_a_side_without_a_step_is_a_leaf(tmp_path: Path) -> None:
    """In old files a node may be a leaf on one side; current CatBoost does not write them, so the parts are made
    here."""
    from glasswood.readers.catboost._model_content import FloatFeature, ModelContent
    from glasswood.readers.catboost._trees import node_arrays

    parts = ModelContent(
        dimension=1, scale=1.0, bias=np.zeros(1), categories=(), info={}, leaf_weights=np.zeros(0),
        floats=(FloatFeature(0, "", np.array([0.0, 1.0], dtype=np.float32), False, False),),
        tree_sizes=np.array([2]), splits=np.array([0, 0]), steps=np.array([[0, 1], [0, 0]]), leaf_of=np.array([1, 0]),
        leaf_values=np.array([5.0, 7.0]),
    )  # fmt: skip
    nodes = node_arrays(parts, np.array([0]))
    assert nodes["left"].tolist() == [1, -1, -1] and nodes["right"].tolist() == [2, -1, -1]
    assert nodes["leaf_id"].tolist() == [-1, 1, 0] and nodes["value"].ravel().tolist() == [0.0, 7.0, 5.0]


def survives(content: bytes) -> None:
    """A damaged file is read or refused; nothing else happens."""
    try:
        ensemble = reader.read_file(content, "garbled")
    except (ModelFileError, UnsupportedModelError):
        return
    ensemble._validate()


@pytest.mark.parametrize("policy", ["SymmetricTree", "Lossguide"])
def test_garbled_binary_files_are_refused(policy: str, tmp_path: Path) -> None:
    good = fitted(tmp_path, grow_policy=policy)[0]
    rng = np.random.default_rng(0)
    for end in range(0, len(good), max(1, len(good) // 300)):
        survives(good[:end])
    numbers = [0, 1, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 4, len(good)]
    for _ in range(1500):
        flipped = bytearray(good)
        for at in rng.integers(8, len(good), rng.integers(1, 4)):
            flipped[at] ^= 1 << int(rng.integers(0, 8))
        survives(bytes(flipped))
        swapped = bytearray(good)
        struct.pack_into("<I", swapped, int(rng.integers(0, len(good) // 4)) * 4, int(rng.choice(numbers)))
        survives(bytes(swapped))


def test_every_word_of_a_binary_file_may_be_huge_or_zero(tmp_path: Path) -> None:
    good = fitted(tmp_path)[0]
    text_ends = good.index(b"catboost_version_info")
    for at in range(0, min(len(good), text_ends) - 4, 4):
        for number in (0, 2**31 - 1, 2**32 - 1):
            garbled = bytearray(good)
            struct.pack_into("<I", garbled, at, number)
            survives(bytes(garbled))


def test_overlapping_parts_are_not_read_again_and_again(tmp_path: Path) -> None:
    """A million features that share one long vector would take a terabyte."""
    from glasswood.readers.catboost._flatbuffer import Budget, FlatTable

    n = 1000
    shared = struct.pack("<I", 4 * n) + bytes(16 * n)
    vtable = struct.pack("<HHH", 6, 8, 4)
    table = struct.pack("<iI", len(vtable), 4) + shared
    feature = FlatTable(vtable + table, len(vtable), Budget(2 * len(shared)))
    with pytest.raises(ModelFileError, match="overlap"):
        for _ in range(n):
            feature.vector(0, "<f4")


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, part in items:
        found += places(part, (*path, key))
    return found


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise"])
def test_garbled_json_files_are_refused(policy: str, tmp_path: Path) -> None:
    text = fitted(tmp_path, grow_policy=policy)[1]
    document = json.loads(text)
    del document["model_info"]["params"], document["model_info"]["output_options"]
    rng = np.random.default_rng(0)
    everywhere = places(document)
    odd: list[Any] = [None, -1, 10**30, 2**40, 1e400, float("nan"), "x", [], {}, [[]], True, 0.5, [1, 2, 3]]
    for _ in range(1500):
        garbled = copy.deepcopy(document)
        path = everywhere[rng.integers(len(everywhere))]
        target = garbled
        for key in path[:-1]:
            target = target[key]
        if rng.random() < 0.2:
            del target[path[-1]]
        else:
            target[path[-1]] = odd[rng.integers(len(odd))]
        survives(json.dumps(garbled).encode())
    for end in range(0, len(text), len(text) // 100):
        survives(text[:end])


def test_a_border_that_is_not_a_number_is_refused(tmp_path: Path) -> None:
    good = fitted(tmp_path)[0]
    border = reader.read_file(good, "m").stated_threshold
    border = border[~np.isnan(border)][0]
    for odd in (0x7FC00000, 0x7F800001):  # the second is a signalling NaN: numpy warns when converting it
        garbled = good.replace(struct.pack("<f", border), struct.pack("<I", odd))
        assert garbled != good
        with pytest.raises(ModelFileError, match="border is not a number"):
            reader.read_file(garbled, "m")


def test_a_border_beyond_float32_is_infinite_without_a_warning() -> None:
    document = json.loads(oblivious([0, 1], [1.0, 2.0, 3.0, 4.0]))
    document["features_info"]["float_features"][0]["borders"] = [1e300]
    ensemble = reader.read_file(json.dumps(document).encode(), "m.json")
    assert ensemble.apply(np.array([[1e300, 0.0], [3e38, 2.0]])).ravel().tolist() == [0, 2]


@pytest.mark.parametrize("weights", [[1e308] * 4, [float("inf"), float("-inf"), 1.0, 1.0], [-1.0, 1.0, 1.0, 1.0]])
def test_invalid_leaf_weights_are_refused_without_a_warning(weights: list[float]) -> None:
    document = json.loads(oblivious([0, 1], [1.0, 2.0, 3.0, 4.0]))
    document["oblivious_trees"][0]["leaf_weights"] = weights
    with pytest.raises(ModelFileError, match=r"weight of node . is negative or infinite"):
        reader.read_file(json.dumps(document).encode(), "m.json")


def test_deep_nesting_is_refused() -> None:
    deep = b'{"features_info": {}, "trees": [' + b'{"left":' * 100_000 + b"1" + b"}" * 100_000 + b"]}"
    with pytest.raises(ModelFileError):
        reader.read_file(deep, "deep.json")
    survives(b'{"features_info": ' + b"[" * 100_000)


def test_huge_counts_take_no_memory() -> None:
    many = oblivious([0] * 62, [1.0, 2.0])
    with pytest.raises(ModelFileError, match="62 splits"):
        reader.read_file(many, "many.json")
    levels = {"categorical_features": [{"feature_index": 0, "flat_feature_index": 2**40, "values": [1, 2]}]}
    with pytest.raises(ModelFileError):
        reader.read_file(oblivious([0], [1.0, 2.0], **levels), "far.json")
