"""Labels for codes."""

import dataclasses

import numpy as np
import pandas as pd

import glasswood as gw
from glasswood.ensemble import label_codes


def test_codes_take_the_labels_of_a_table_that_declares_them() -> None:
    X = pd.DataFrame({"k": pd.Categorical(list("xyzx")), "a": [1.0, 2.0, 3.0, 4.0]})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [0.0, 1.0, 5.0, 9.0]).ensemble_
    schema = dataclasses.replace(model.features, categories=((0, 1, 2), None), coded=np.array([True, False]), hashes=())
    coded = dataclasses.replace(model, features=schema)
    named = label_codes(coded, X)
    assert named.features.categories == (("x", "y", "z"), None) and not named.features.coded.any()
    np.testing.assert_array_equal(named.predict(X), coded.predict(X))
    fewer = X.assign(k=pd.Categorical(list("xyyx")))
    assert label_codes(coded, fewer).features.coded[0]
    assert label_codes(model, X) is model
