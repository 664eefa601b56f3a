"""Trees with CTRs of combinations, divided into splits of one feature, against CatBoost's rule row by row."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.errors import UnsupportedModelError
from glasswood.readers import catboost as reader
from glasswood.readers.catboost import _divide
from tests.readers.ctr_documents import key_of, random_document, rows_of, signed_hash
from tests.reference.catboost_ctr import leaf_of


def read(document: dict[str, Any]) -> Any:
    return reader.read_file(json.dumps(document).encode(), "m.json")


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=150)
def test_random_models_reach_the_leaves_of_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    document = random_document(rng)
    ensemble = read(document)
    rows = rows_of(document, rng, 40)
    table = pd.DataFrame(rows).set_axis(ensemble.feature_names, axis=1)
    wanted = [[leaf_of(document, t, row) for t in range(ensemble.n_trees)] for row in rows]
    np.testing.assert_array_equal(ensemble.apply(table), wanted)
    values = [tree["leaf_values"] for tree in document["oblivious_trees"]]
    raw = [0.5 + sum(own[leaf] for own, leaf in zip(values, leaves, strict=True)) for leaves in wanted]
    np.testing.assert_allclose(ensemble.predict_raw(table), raw, rtol=1e-12)


def pairs(levels: list[list[str]], passing: set[tuple[str, str]]) -> dict[str, Any]:
    """A model with one split: is the pair of levels one of the given pairs?"""
    single = [[{"cat_feature_index": c, "combination_element": "cat_feature_value"}] for c in range(2)]
    ctrs, data = [], {}
    for elements in (single[0], single[1], single[0] + single[1]):
        name = json.dumps({"identifier": elements, "type": "Counter"})
        flat: list[Any] = []
        if len(elements) == 1:
            for text in levels[elements[0]["cat_feature_index"]]:
                flat += [str(key_of([signed_hash(text)])), 1]
        else:
            for pair in sorted(passing):
                flat += [str(key_of(map(signed_hash, pair))), 1]
        data[name] = {"hash_stride": 2, "hash_map": flat, "counter_denominator": 1}
        ctrs.append({
            "elements": elements, "identifier": name, "ctr_type": "Counter", "target_border_idx": 0, "shift": 0.0,
            "scale": 1.0, "prior_numerator": 0.0, "prior_denomerator": 0.0, "borders": [0.5],
        })  # fmt: skip
    categories = [{"feature_index": c, "flat_feature_index": c, "feature_id": f"c{c}"} for c in range(2)]
    tree = {"splits": [{"split_index": 2}], "leaf_values": [1.0, 2.0], "leaf_weights": [3.0, 4.0]}
    return {
        "features_info": {"categorical_features": categories, "ctrs": ctrs},
        "oblivious_trees": [tree],
        "ctr_data": data,
    }


def test_a_pair_becomes_a_split_of_each_category() -> None:
    ensemble = read(pairs([["a", "b", "c"], ["u", "v"]], {("a", "u"), ("b", "u"), ("c", "v")}))
    table = pd.DataFrame([(x, y) for x in "abcd" for y in "uvw"], columns=["c0", "c1"])
    wanted = [2.0 if pair in {("a", "u"), ("b", "u"), ("c", "v")} else 1.0 for pair in table.itertuples(index=False)]
    assert ensemble.predict_raw(table).tolist() == wanted
    # {a, b} pass with u, {c} with v, all others with none: three groups, two of them divided again
    assert np.count_nonzero(ensemble.feature < 0) == 5
    assert set(ensemble.leaf_id[ensemble.feature < 0].tolist()) == {0, 1}


def test_weights_of_divided_leaves_are_unknown_with_a_note() -> None:
    ensemble = read(pairs([["a", "b"], ["u", "v"]], {("a", "u"), ("b", "v")}))
    assert np.isnan(ensemble.weight).all() and ensemble.source.weight_kind == "none"
    assert any("node weights are unknown" in note for note in ensemble.source.notes)


def test_a_pair_that_depends_on_one_category_is_one_split_and_keeps_its_weights() -> None:
    ensemble = read(pairs([["a", "b"], ["u"]], set()))
    assert ensemble.n_nodes == 3 and ensemble.weight.tolist() == [7.0, 3.0, 4.0]
    assert ensemble.predict_raw(pd.DataFrame({"c0": ["a", "z"], "c1": ["u", "z"]})).tolist() == [1.0, 1.0]


def test_too_many_leaves_are_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    document = pairs([["a", "b", "c"], ["u", "v"]], {("a", "u"), ("b", "v")})
    assert read(document).n_trees == 1
    monkeypatch.setattr(_divide, "MAX_LEAVES", 4)
    with pytest.raises(UnsupportedModelError, match=r"'c0', 'c1'.*more than 4 leaves; train with max_ctr_complexity=1"):
        read(document)
    monkeypatch.setattr(_divide, "MAX_LEAVES", 5)
    monkeypatch.setattr(_divide, "MAX_NODES", 8)
    with pytest.raises(UnsupportedModelError, match="more than 8 nodes"):
        read(document)


def test_levels_that_all_differ_take_two_leaves_each() -> None:
    texts = [f"t{k}" for k in range(80)]
    rng = np.random.default_rng(0)
    passing = {(x, y) for x in texts for y in texts if rng.random() < 0.5}
    ensemble = read(pairs([texts, texts], passing))
    assert np.count_nonzero(ensemble.feature < 0) == 2 * len(texts) + 1  # and one for an unseen level
    table = pd.DataFrame([(x, y) for x in [*texts, "new"] for y in [*texts, "new"]], columns=["c0", "c1"])
    wanted = [2.0 if pair in passing else 1.0 for pair in table.itertuples(index=False, name=None)]
    assert ensemble.predict_raw(table).tolist() == wanted
