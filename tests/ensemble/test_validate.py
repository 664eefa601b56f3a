"""validate names the first broken invariant."""

import dataclasses
import tracemalloc
from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import Ensemble, pack_set
from glasswood.ensemble._validate import _highest_member
from glasswood.errors import InvalidEnsembleError
from tests.ensemble.examples import category_tree, stump, two_trees


def broken(ensemble: Ensemble, name: str, index: Any, value: Any) -> Ensemble:
    array = getattr(ensemble, name).copy()
    array[index] = value
    return dataclasses.replace(ensemble, **{name: array})


@pytest.mark.parametrize(
    ("name", "index", "value", "message"),
    [
        ("feature", 0, 9, "node 0 splits on a feature that does not exist"),
        ("feature", 1, -2, "feature below"),
        ("left", 0, 0, "left child of node 0 is not after it"),
        ("left", 0, 7, "left child of node 0 is not after it"),
        ("right", 0, 1, "node 1 does not have exactly one parent"),
        ("left", 1, 2, "leaf 1 has children"),
        ("threshold", 0, np.nan, "node 0 has no threshold"),
        ("threshold", 1, 2.0, "node 1 has a threshold but is a leaf"),
        ("tree_start", 1, 2, "tree_start must run from 0 to the number of nodes"),
        ("tree_output", 0, 1, "tree 0 adds to an output that does not exist"),
        ("value", (1, 0), np.inf, "the value of leaf 1 is not a finite number"),
        ("weight", 2, -1.0, "the weight of node 2 is negative"),
        ("leaf_id", 1, -1, "leaf_id must be"),
        ("category_set", 0, 0, "node 0 splits a category by a threshold"),
        ("baseline", 0, np.nan, "baseline is not a finite number"),
    ],
)
def test_a_broken_invariant_is_named(name: str, index: Any, value: Any, message: str) -> None:
    with pytest.raises(InvalidEnsembleError, match=message):
        broken(stump(), name, index, value)._validate()


@pytest.mark.parametrize(
    ("name", "index", "value", "message"),
    [
        ("set_bits", 0, 0b1101, "codes beyond the categories of feature 'colour'"),
        ("set_start", 2, 1, "set_start must rise"),
        ("category_set", 1, 5, "node 1 uses a category set that does not exist"),
        ("category_set", 1, -1, "node 1 splits a category by a threshold"),
    ],
)
def test_a_broken_category_split_is_named(name: str, index: Any, value: Any, message: str) -> None:
    with pytest.raises(InvalidEnsembleError, match=message):
        broken(category_tree(), name, index, value)._validate()


def test_the_highest_code_of_a_set_of_many_words_is_found() -> None:
    sets = ([], [0], [63], [64, 3], [1, 129], [], [200], [])
    words, start = [], [0]
    for members in sets:
        flags = np.zeros(0 if not members else 256, dtype=bool)
        flags[members] = True
        words.append(pack_set(flags))
        start.append(start[-1] + len(words[-1]))
    ensemble = dataclasses.replace(
        category_tree(), set_start=np.array(start, dtype=np.int64), set_bits=np.concatenate(words)
    )
    assert _highest_member(ensemble).tolist() == [max(members, default=-1) for members in sets]


def test_large_sets_are_checked_without_a_byte_per_level() -> None:
    bits = np.full(2_000_000, 1, dtype=np.uint64)
    ensemble = dataclasses.replace(category_tree(), set_start=np.arange(0, 2_000_001, 1000), set_bits=bits)
    tracemalloc.start()
    assert np.unique(_highest_member(ensemble)).tolist() == [63_936]
    assert tracemalloc.get_traced_memory()[1] < 4 * bits.nbytes
    tracemalloc.stop()


def test_wrong_dtype_and_length_are_named() -> None:
    with pytest.raises(InvalidEnsembleError, match="threshold has dtype float32"):
        dataclasses.replace(stump(), threshold=stump().threshold.astype(np.float32))._validate()
    with pytest.raises(InvalidEnsembleError, match="weight has 2 rows for 3 nodes"):
        dataclasses.replace(stump(), weight=np.ones(2))._validate()
    with pytest.raises(InvalidEnsembleError, match="2 output names for 1 outputs"):
        dataclasses.replace(stump(), outputs=("a", "b"))._validate()


def test_valid_ensembles_pass() -> None:
    for ensemble in (stump(), two_trees(), category_tree()):
        ensemble._validate()


def test_a_split_of_a_feature_without_categories_is_refused() -> None:
    ensemble = category_tree()
    features = dataclasses.replace(
        ensemble.features, categories=tuple(None if labels is None else () for labels in ensemble.features.categories)
    )
    with pytest.raises(InvalidEnsembleError, match="splits a feature that has no categories"):
        dataclasses.replace(ensemble, features=features)._validate()


def test_classes_are_those_of_the_outputs() -> None:
    for classes in ((), ("a",), ("a", "b")):
        dataclasses.replace(stump(), source=dataclasses.replace(stump().source, classes=classes))._validate()
    three = dataclasses.replace(stump().source, classes=("a", "b", "c"))
    with pytest.raises(InvalidEnsembleError, match=r"source.classes has 3 labels for 1 outputs"):
        dataclasses.replace(stump(), source=three)._validate()


def test_half_a_character_is_refused_everywhere() -> None:
    with pytest.raises(InvalidEnsembleError, match=r"output 'a\\ud800' holds half a character.*rename"):
        dataclasses.replace(stump(), outputs=("a\ud800",))._validate()
    source = dataclasses.replace(stump().source, classes=("a\ud800", "b"))
    with pytest.raises(InvalidEnsembleError, match=r"class 'a\\ud800' holds half a character"):
        dataclasses.replace(stump(), source=source)._validate()
    names = dataclasses.replace(stump().features, names=("a\ud800",))
    with pytest.raises(InvalidEnsembleError, match=r"feature name .* holds half a character"):
        dataclasses.replace(stump(), features=names)._validate()
    ensemble = category_tree()
    labels = tuple(None if known is None else ("\udc80", *known[1:]) for known in ensemble.features.categories)
    with pytest.raises(InvalidEnsembleError, match=r"a category of feature .* half a character"):
        dataclasses.replace(ensemble, features=dataclasses.replace(ensemble.features, categories=labels))._validate()
