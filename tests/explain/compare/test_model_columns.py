"""Columns of one model in a larger table."""

import numpy as np
import pandas as pd

from glasswood.ensemble import FeatureSchema
from glasswood.explain.compare._model_columns import columns_for


def test_other_columns_are_left_out() -> None:
    X = pd.DataFrame({"a": [1.0], "b": [2.0], "c": [3.0]})
    assert list(columns_for(X, FeatureSchema.numeric(["c", "a"])).columns) == ["a", "c"]
    matrix = np.zeros((2, 2))
    assert columns_for(matrix, FeatureSchema.numeric(["c", "a"])) is matrix
