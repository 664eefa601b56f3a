"""A model whose features and levels were moved to those of another schema."""

import dataclasses

import numpy as np
import pandas as pd

import glasswood as gw
from glasswood.ensemble import placed, unite
from glasswood.ensemble._place import Place


def tree(levels: str) -> gw.Ensemble:
    table = pd.DataFrame({"k": pd.Categorical(list(levels)), "a": np.arange(4.0)})
    return gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(table, [0.0, 1.0, 5.0, 9.0]).ensemble_


def test_a_moved_model_predicts_the_same_also_for_levels_of_the_other() -> None:
    model, other = tree("xyzx"), tree("wvzz")
    schema, (place, _) = unite(model, other)
    moved = dataclasses.replace(model, features=schema, **placed(model, place, schema))
    rows = pd.DataFrame({"k": list("xyzwvq"), "a": [0.0, 1.0, 2.0, 3.0, 0.0, 1.0]})
    assert np.array_equal(moved.predict_raw(rows), model.predict_raw(rows))
    assert np.array_equal(moved.apply(rows), model.apply(rows))


def test_places_follow_each_other() -> None:
    first = Place(np.array([1, 0], dtype=np.int32), (np.array([2, 0]), None))
    later = Place(np.array([3, 2], dtype=np.int32), (None, np.array([5, 6, 7])))
    both = first.then(later)
    assert both.feature.tolist() == [2, 3]
    assert both.codes[0] is not None and both.codes[0].tolist() == [7, 5]
    assert both.codes[1] is None
