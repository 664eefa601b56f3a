"""XGBoost's saved models: small ones, refusals, and damaged files."""

import copy
import json
import struct
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xgboost as xgb

import glasswood as gw
from glasswood.ensemble import OWN_TABLE
from glasswood.readers.xgboost import read_file, recognises
from glasswood.readers.xgboost._stated_threshold import stated_threshold
from glasswood.readers.xgboost._ubjson import parse_ubjson
from tests.readers.mutate import mutations

MODEL: dict[str, Any] = {
    "learner": {
        "attributes": {},
        "feature_names": ["a", "b"],
        "feature_types": ["float", "c"],
        "gradient_booster": {
            "model": {
                "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
                "iteration_indptr": [0, 1],
                "tree_info": [0],
                "trees": [
                    {
                        "base_weights": [0, 0, 0, 0, 0],
                        "categories": [1, 3],
                        "categories_nodes": [1],
                        "categories_segments": [0],
                        "categories_sizes": [2],
                        "default_left": [1, 0, 0, 0, 0],
                        "id": 0,
                        "left_children": [1, 3, -1, -1, -1],
                        "right_children": [2, 4, -1, -1, -1],
                        "parents": [2147483647, 0, 0, 1, 1],
                        "loss_changes": [8.0, 2.5, 0, 0, 0],
                        "split_conditions": [0.1, 1e-45, 20.0, 10.0, 30.0],
                        "split_indices": [0, 1, 0, 0, 0],
                        "split_type": [0, 1, 0, 0, 0],
                        "sum_hessian": [6.0, 4.0, 2.0, 1.0, 3.0],
                        "tree_param": {
                            "num_deleted": "0",
                            "num_feature": "2",
                            "num_nodes": "5",
                            "size_leaf_vector": "1",
                        },
                    }
                ],
            },
            "name": "gbtree",
        },
        "learner_model_param": {"base_score": "[5E-1]", "num_class": "0", "num_feature": "2", "num_target": "1"},
        "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
    },
    "version": [3, 2, 0],
}
TREE = ("gradient_booster", "model", "trees", 0)


def changed(*path_and_value: Any) -> bytes:
    """The model with one thing in its learner replaced."""
    *path, last, value = path_and_value
    document = copy.deepcopy(MODEL)
    part = document["learner"]
    for step in path:
        part = part[step]
    part[last] = value
    return json.dumps(document).encode()


def ubjson(value: Any) -> bytes:
    """A document in UBJSON, numbers in typed arrays, as XGBoost writes it."""
    if isinstance(value, dict):
        return b"{" + b"".join(_counted(key.encode()) + ubjson(entry) for key, entry in value.items()) + b"}"
    if isinstance(value, str):
        return b"S" + _counted(value.encode())
    if isinstance(value, int):
        return b"L" + struct.pack(">q", value)
    if value and all(isinstance(entry, dict | str) for entry in value):
        return b"[#L" + struct.pack(">q", len(value)) + b"".join(map(ubjson, value))
    kind, code = ("l", ">i4") if all(isinstance(entry, int) for entry in value) else ("d", ">f4")
    return b"[$" + kind.encode() + b"#L" + struct.pack(">q", len(value)) + np.array(value, dtype=code).tobytes()


def _counted(text: bytes) -> bytes:
    return b"L" + struct.pack(">q", len(text)) + text


def test_a_small_model_is_read_correctly() -> None:
    ensemble = read_file(json.dumps(MODEL).encode(), "small")
    assert ensemble.feature.tolist() == [0, 1, -1, -1, -1]
    assert ensemble.leaf_id.tolist() == [-1, -1, 3, 4, 2]
    assert ensemble.baseline.tolist() == [0.5]
    assert ensemble.weight.tolist() == [6, 4, 1, 3, 2]
    assert ensemble.gain[:2].tolist() == [8, 2.5]
    assert ensemble.stated_threshold[0] == 0.1
    assert ensemble.missing_left.tolist() == [True, False, False, False, False]
    assert ensemble.unseen_left.tolist() == [False, True, False, False, False]
    assert ensemble.features.categories == (None, (0, 1, 2, 3))
    assert ensemble.features.coded.tolist() == [False, True]
    # float32(0.1) is not below 0.1 in float32; categories 1 and 3 and missing values go right
    a = [0.0, 0.0, 0.0, 0.0, 0.0, 0.1, np.nan]
    b = [0, 1, 3, 9, np.nan, 0, 2]
    assert ensemble.predict_raw(np.column_stack([a, b])).tolist() == [10.5, 30.5, 30.5, 10.5, 30.5, 20.5, 10.5]
    assert ensemble.source.version == "3.2.0"


def test_json_and_ubjson_give_the_same_ensemble() -> None:
    assert read_file(ubjson(MODEL), "small") == read_file(json.dumps(MODEL).encode(), "small")
    assert recognises(ubjson(MODEL))
    assert recognises(json.dumps(MODEL, indent=2).encode())
    assert not recognises(b'{"oblivious_trees": []}')


def test_one_base_score_serves_all_outputs_and_is_on_the_response_scale() -> None:
    score = ("learner_model_param", "base_score")
    assert read_file(changed(*score, "2.5E-1"), "before 3.1").baseline.tolist() == [0.25]
    document = json.loads(changed("objective", {"name": "count:poisson"}))
    assert read_file(json.dumps(document).encode(), "small").baseline[0] == pytest.approx(np.log(0.5), rel=1e-7)
    document["learner"]["objective"]["name"] = "binary:logistic"
    document["learner"]["learner_model_param"]["base_score"] = "[2E-1]"
    assert read_file(json.dumps(document).encode(), "small").baseline[0] == pytest.approx(np.log(0.25), rel=1e-6)


def test_trees_without_statistics_are_read_without_weights() -> None:
    document = copy.deepcopy(MODEL)
    for key in ("sum_hessian", "loss_changes"):
        del document["learner"]["gradient_booster"]["model"]["trees"][0][key]
    ensemble = read_file(json.dumps(document).encode(), "small")
    assert np.isnan(ensemble.weight).all()
    assert ensemble.source.weight_kind == "none"


def test_an_unknown_objective_is_noted() -> None:
    ensemble = read_file(changed("objective", {"name": "reg:brand_new"}), "small")
    assert str(ensemble.link) == "none"
    assert "reg:brand_new" in ensemble.source.notes[0]


def test_thresholds_are_shown_with_the_fewest_digits() -> None:
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.normal(size=500), 1.7e9 + rng.normal(size=50), 10.0 ** rng.uniform(-30, 30, 200)])
    numbers = np.append(numbers, [0, -0.0, np.inf, 1e-45, 3.4e38, 0.1, 0.30000001, 128]).astype(np.float32)
    found = stated_threshold(numbers)
    np.testing.assert_array_equal(found.astype(np.float32), numbers)
    usual = np.abs(np.log10(np.abs(numbers[:550]))) < 12
    assert [repr(x) for x in found[:550][usual].tolist()] == [repr(float(str(x))) for x in numbers[:550][usual]]


@pytest.mark.parametrize(
    ("path_and_value", "message"),
    [
        ((*TREE, "left_children", [0, 3, -1, -1, -1]), "not a tree"),
        ((*TREE, "left_children", [1, 0, -1, -1, -1]), "not a tree"),
        ((*TREE, "left_children", [1, 5, -1, -1, -1]), "outside its tree"),
        ((*TREE, "left_children", [1.5, 3, -1, -1, -1]), "whole numbers"),
        ((*TREE, "left_children", []), "no node"),
        ((*TREE, "left_children", "text"), "not an array"),
        ((*TREE, "left_children", [[1]]), "numbers"),
        ((*TREE, "left_children", [10**30]), "numbers|fit"),
        ((*TREE, "right_children", [2, 4, -1, -1]), "4 entries for 5 nodes"),
        ((*TREE, "split_indices", [0, 2, 0, 0, 0]), "feature that does not exist"),
        ((*TREE, "split_conditions", [float("nan"), 0, 1, 2, 3]), "no threshold"),
        ((*TREE, "split_conditions", [0, 0, 1, float("inf"), 3]), "finite"),
        ((*TREE, "sum_hessian", [6.0, 4.0, -2.0, 1.0, 3.0]), "negative"),
        ((*TREE, "categories_nodes", [7]), "outside its tree"),
        ((*TREE, "categories_nodes", [0]), "no set"),
        ((*TREE, "categories_sizes", [3]), "outside its tree"),
        ((*TREE, "categories_segments", [-1]), "outside its tree"),
        ((*TREE, "categories_segments", [0, 0]), "fit together"),
        ((*TREE, "categories", [-1, 3]), "negative category"),
        ((*TREE, "tree_param", {"size_leaf_vector": "1000000000"}), "values a leaf"),
        ((*TREE, "tree_param", {"size_leaf_vector": "many"}), "whole number"),
        ((*TREE, "id", 1), "tree 0 has the id 1"),
        ((*TREE, "id", "0"), "'id'"),
        ((*TREE, "parents", [2147483647, 0, 0, -1, 1]), "node 3 names the parent -1, but is a child of 1"),
        ((*TREE, "parents", [2147483647, 2, 0, 1, 1]), "node 1 names the parent 2, but is a child of 0"),
        ((*TREE, "parents", [3, 0, 0, 1, 1]), "the root of a tree has a parent"),
        ((*TREE, "parents", [2147483647, 0, 0]), "3 entries for 5 nodes"),
        ((*TREE, "split_indices", [-7, 1, 0, 0, 0]), "feature below 0"),
        ((*TREE, "split_type", [0, 2, 0, 0, 0]), "other than 0 and 1"),
        ((*TREE, "default_left", [9, 0, 0, 0, 0]), "other than 0 and 1"),
        (("feature_types", ["float", "c", "c"]), "3 feature types for 2 features"),
        (("feature_names", ["a", "b\ud800"]), "half a character"),
        (("gradient_booster", "model", "tree_info", [0, 0]), "tree_info"),
        (("gradient_booster", "model", "tree_info", [1]), "output that does not exist"),
        (("gradient_booster", "model", "trees", [7]), "list of objects"),
        (("learner_model_param", "num_class", "1000000000"), "only 1 trees"),
        (("learner_model_param", "num_feature", "1000000000"), "feature names"),
        (("learner_model_param", "base_score", "[1,2]"), "base_score"),
        (("learner_model_param", "base_score", "half"), "base_score"),
        (("learner_model_param", "base_score", "1E300"), "baseline is not a finite number"),
        (("learner_model_param", "base_score", "nan"), "baseline is not a finite number"),
        (("learner_model_param", {}), "base_score|num_feature"),
        (("objective", {}), "name"),
        (("feature_names", ["a", "a"]), "twice"),
        (("feature_names", [1, 2]), "texts"),
        (("attributes", {"scikit_learn": "", "best_iteration": "9"}), "best_iteration 9"),
    ],
)
def test_errors_of_a_file_are_reported(path_and_value: tuple[Any, ...], message: str) -> None:
    with pytest.raises(gw.ModelFileError, match=message):
        read_file(changed(*path_and_value), "small")


def test_far_too_many_unnamed_features_are_refused() -> None:
    document = json.loads(changed("feature_names", []))
    document["learner"]["learner_model_param"]["num_feature"] = "1000000000"
    with pytest.raises(gw.ModelFileError, match="more than the file could use"):
        read_file(json.dumps(document).encode(), "small")


def test_a_category_number_cannot_ask_for_memory() -> None:
    tracemalloc.start()
    with pytest.raises(gw.UnsupportedModelError, match="from 0 without gaps"):
        read_file(changed(*TREE, "categories", [1, 2**31 - 1]), "small")
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_a_repeated_key_is_refused() -> None:
    content = json.dumps(MODEL).encode().replace(b'"id": 0', b'"id": 0, "id": 0')
    with pytest.raises(gw.ModelFileError, match="duplicate key 'id'"):
        read_file(content, "small")


@pytest.mark.parametrize("weight", [float("inf"), float("nan"), 1e300])
def test_a_dart_weight_that_is_not_finite_is_refused_without_a_warning(weight: float) -> None:
    document = copy.deepcopy(MODEL)
    booster = document["learner"]["gradient_booster"]
    document["learner"]["gradient_booster"] = {"name": "dart", "gbtree": booster, "weight_drop": [weight]}
    with pytest.raises(gw.ModelFileError, match="finite"):
        read_file(json.dumps(document).encode(), "small")


def test_gblinear_is_refused() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    with pytest.raises(gw.UnsupportedModelError, match="gblinear"):
        gw.read(xgb.train({"booster": "gblinear", "nthread": 1}, xgb.DMatrix(X, X[:, 0]), 2))


def test_what_is_not_one_fitted_model_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(xgb.XGBRegressor())
    with pytest.raises(gw.UnsupportedModelError, match=r"this Booster holds no model.*train it"):
        gw.read(xgb.Booster())
    with pytest.raises(gw.UnsupportedModelError, match="pass a Booster"):
        gw.read(xgb.DMatrix(np.zeros((2, 2))))


def test_an_estimator_with_its_own_missing_value_is_refused() -> None:
    X = np.where(np.random.default_rng(0).random((60, 2)) < 0.3, -999.0, 1.0)
    model = xgb.XGBRegressor(n_estimators=2, missing=-999.0, n_jobs=1).fit(X, X[:, 0])
    with pytest.raises(gw.UnsupportedModelError, match=r"get_booster\(\).*NaN"):
        gw.read(model)
    holes = np.where(X == -999.0, np.nan, X)
    ensemble = gw.read(model.get_booster(), holes)
    np.testing.assert_allclose(ensemble.predict(holes), model.predict(X), rtol=1e-5)


@pytest.mark.parametrize("key", ["split_conditions", "sum_hessian", "loss_changes"])
def test_a_signalling_nan_causes_no_warning(key: str) -> None:
    """numpy warns when it converts one."""
    good = ubjson(MODEL)
    numbers = np.array(MODEL["learner"]["gradient_booster"]["model"]["trees"][0][key], dtype=">f4").tobytes()
    signal = struct.pack(">I", 0x7F800001) + numbers[4:]
    assert good.count(numbers) == 1
    if key == "split_conditions":
        with pytest.raises(gw.ModelFileError, match="no threshold"):
            read_file(good.replace(numbers, signal), "small")
    else:
        assert np.isnan(
            read_file(good.replace(numbers, signal), "small")._arrays()[{"sum_hessian": "weight"}.get(key, "gain")][0]
        )


def test_lists_of_objects_are_read_by_column() -> None:
    document = parse_ubjson(
        ubjson({"a": [1, 2], "b": {"c": "text", "d": 7}, "e": [{"f": [3]}, {"f": [4, 5]}]}), "small"
    )
    assert document["a"].tolist() == [1, 2]
    assert document["b"] == {"c": "text", "d": 7}
    numbers, lengths = document["e"].column("f")
    assert numbers.tolist() == [3, 4, 5]
    assert lengths.tolist() == [1, 2]
    assert document["e"].column("g") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cut off"),
        (b"[" * 100_000, "nested deeper"),
        (b"{i\x01a" * 100_000, "nested deeper"),
        (b"[$T#L" + struct.pack(">q", 2**62), "numbers"),
        (b"[$l#L" + struct.pack(">q", 2**62), "announced"),
        (b"[#L" + struct.pack(">q", 2**40), "announced"),
        (b"[#i\xff", "announced"),
        (b"SL" + struct.pack(">q", -5), "announced"),
        (b"Si\x02\xff\xff", "UTF-8"),
        (b"{i\x01ai\x01i\x01ai\x01}", "duplicate key"),
        (b"{$i#i\x01", "count"),
        (b"H", "unknown marker"),
        (b"?", "unknown marker"),
        (b"[$l#d\0\0\0\0", "whole number"),
        (b"N" * 1000, "cut off"),
        (b"[$d#i\x04\0\0", "cut off|announced"),
    ],
)
def test_garbled_ubjson_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(gw.ModelFileError, match=message):
        parse_ubjson(content, "garbled")


def test_deep_json_is_refused() -> None:
    content = b'{"learner": ' + b"[" * 200_000 + b"gradient_booster"
    with pytest.raises(gw.ModelFileError):
        read_file(content, "deep")


@pytest.fixture(scope="module")
def real_models() -> Iterator[list[xgb.Booster]]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(rng.choice(list("abcd"), 200)),
            "d": pd.Categorical(rng.choice([3, 7], 200)),
            "x": rng.normal(size=200),
        }
    )
    y = frame["x"] + (frame["c"] == "a")
    data = xgb.DMatrix(frame, y, enable_categorical=True)
    many = xgb.DMatrix(frame[["x"]], np.column_stack([y, -y]))
    small = {"max_depth": 2, "nthread": 1}
    yield [
        xgb.train(small, data, 3),
        xgb.train({**small, "booster": "dart", "rate_drop": 0.5}, data, 3),
        xgb.train({**small, "multi_strategy": "multi_output_tree"}, many, 3),
    ]


@pytest.mark.parametrize("kind", ["json", "ubj"])
def test_damaged_files_raise_the_right_error_or_are_read(real_models: list[xgb.Booster], kind: str) -> None:
    outcomes = {"read": 0, "refused": 0}
    for k, model in enumerate(real_models):
        content = bytes(model.save_raw(kind))
        read_file(content, "whole")
        for damaged in mutations(content, 1000, seed=k):
            try:
                read_file(damaged, "damaged")._validate()
                outcomes["read"] += 1
            except (gw.ModelFileError, gw.UnsupportedModelError):
                outcomes["refused"] += 1
    assert min(outcomes.values()) > 300


def test_category_labels_that_xgboost_would_misread_are_refused() -> None:
    labels = pd.Index([7, 2**60 + 1, 2**60 + 2])
    X = pd.DataFrame({"id": pd.Categorical(labels[[0, 1, 2] * 20]), "x": np.arange(60.0)})
    model = xgb.XGBRegressor(n_estimators=3, n_jobs=1, enable_categorical=True).fit(X, X["id"].cat.codes)
    reversed_view = X.assign(id=X["id"].cat.reorder_categories(labels[::-1]))
    with pytest.raises(gw.ParityError, match=r"misreads column 'id'.*set_categories"):
        gw.read(model, reversed_view)
    copied = X.assign(id=reversed_view["id"].cat.set_categories(list(reversed_view["id"].cat.categories)))
    assert gw.read(model, copied).source.parity.asked_with == OWN_TABLE
