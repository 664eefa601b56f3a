"""One schema for the features of two models."""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import FeatureSchema, text_hash
from glasswood.ensemble._unite import unite
from glasswood.errors import UnsupportedModelError


def tree(table: dict[str, Any], y: list[float]) -> gw.Ensemble:
    return gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(pd.DataFrame(table), y).ensemble_


Y = [0.0, 1.0, 5.0, 9.0]
NUMBERS = {"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 0.0, 0.0, 0.0]}


def text(levels: str) -> pd.Categorical:
    return pd.Categorical(list(levels))


def test_features_are_joined_by_name() -> None:
    other = tree({"c": [1.0, 2.0, 3.0, 4.0], "a": [1.0, 1.0, 2.0, 2.0]}, Y)
    schema, (place_a, place_b) = unite(tree(NUMBERS, Y), other)
    assert schema.names == ("a", "b", "c")
    assert place_a.feature.tolist() == [0, 1] and place_b.feature.tolist() == [2, 0]


def test_levels_are_united() -> None:
    schema, (place_a, place_b) = unite(tree({"k": text("xyzx")}, Y), tree({"k": text("wyzz")}, Y))
    assert schema.categories == (("x", "y", "z", "w"),)
    assert place_a.codes[0].tolist() == [0, 1, 2] and place_b.codes[0].tolist() == [3, 1, 2]


def test_several_models_are_united_one_after_the_other() -> None:
    first, unused = tree({"k": text("xyzx")}, Y), tree({"k": [0.0, 0.0, 0.0, 0.0], "b": NUMBERS["a"]}, Y)
    models = (first, unused, tree({"k": text("wyzz"), "c": [0.0, 0.0, 0.0, 0.0]}, Y), first)
    schema, places = unite(*models)
    assert schema.names == ("k", "b", "c") and schema.categories[0] == ("x", "y", "z", "w")
    assert [place.feature.tolist() for place in places] == [[0], [0, 1], [0, 2], [0]]
    assert [None if place.codes[0] is None else place.codes[0].tolist() for place in places] == [
        [0, 1, 2],
        None,
        [3, 1, 2],
        [0, 1, 2],
    ]


def test_levels_known_by_hash_meet_levels_known_by_label() -> None:
    plain = tree({"k": text("xyzx")}, Y)
    features = dataclasses.replace(
        plain.features,
        categories=(("#1", "#2", "#3"),),
        hashes=(tuple(text_hash(word) for word in ("y", "q", "x")),),
    )
    schema, (place_a, place_b) = unite(plain, dataclasses.replace(plain, features=features))
    assert schema.categories == (("x", "y", "z", "#2"),)
    assert schema.hashes == (tuple(text_hash(word) for word in ("x", "y", "z", "q")),)
    assert place_a.codes[0].tolist() == [0, 1, 2] and place_b.codes[0].tolist() == [1, 3, 0]


def test_a_model_without_names_is_matched_by_position() -> None:
    nameless = gw.TreeRegressor().fit(np.array([[1.0, 2.0], [3.0, 4.0]]), [0.0, 1.0]).ensemble_
    assert unite(nameless, tree(NUMBERS, Y))[0].names == ("a", "b")
    with pytest.raises(UnsupportedModelError, match="matched by position, but one model has 2 and the other 1"):
        unite(nameless, tree({"a": [1.0, 2.0, 3.0, 4.0]}, Y))


def test_underscores_of_lightgbm_mean_spaces() -> None:
    spaced = tree({"sepal length": [1.0, 2.0, 3.0, 4.0]}, Y)
    features = dataclasses.replace(FeatureSchema.numeric(["sepal_length"]), underscored=True)
    written = dataclasses.replace(spaced, features=features)
    for pair in ((spaced, written), (written, spaced)):
        assert unite(*pair)[0].names == ("sepal length",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"categories": (("x", "y", "z"),)}, "'k' is a number in one model and a category in the other"),
        ({"zero_is_missing": np.array([True])}, "one model takes 0 for missing"),
        ({"coded": np.array([True])}, "only their codes"),
    ],
)
def test_features_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    number = tree({"k": [1.0, 2.0, 3.0, 4.0]}, Y)
    with pytest.raises(UnsupportedModelError, match=message):
        unite(number, dataclasses.replace(number, features=dataclasses.replace(number.features, **change)))


def test_a_feature_that_one_model_does_not_use_may_be_of_any_kind() -> None:
    unused = tree({"k": [0.0, 0.0, 0.0, 0.0], "a": NUMBERS["a"]}, Y)
    used = tree({"k": text("xyzx"), "a": [0.0, 0.0, 0.0, 0.0]}, Y)
    assert unite(unused, used)[0].categories[0] == unite(used, unused)[0].categories[0] == ("x", "y", "z")
