"""The private parts of HistGradientBoosting have the expected names in this release of scikit-learn."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

from glasswood.readers.sklearn._hist_private import insides, raw_prediction

X = np.column_stack([np.repeat([0.0, 1.0, 2.0], 20), np.tile([3.0, 8.0], 30)])
Y = np.repeat([1.0, 9.0, 2.0], 20)


def test_the_nodes_have_the_fields_the_reader_needs() -> None:
    parts = insides(HistGradientBoostingRegressor(max_iter=3).fit(X, Y))
    assert len(parts.trees) == 3
    needed = ("value", "count", "feature_idx", "num_threshold", "missing_go_to_left", "left", "right", "gain")
    assert set(parts.trees[0].nodes.dtype.names) >= {*needed, "is_leaf", "is_categorical", "bitset_idx"}
    assert parts.baseline == pytest.approx([4.0])
    assert parts.categories == ()


def test_the_encoder_keeps_its_categories() -> None:
    parts = insides(HistGradientBoostingRegressor(max_iter=1, categorical_features=[0]).fit(X, Y))
    assert [learnt.tolist() for learnt in parts.categories] == [[0.0, 1.0, 2.0]]
    assert parts.trees[0].left_sets.shape[1] == 8
    assert parts.trees[0].left_sets[0, 0] in (0b010, 0b101)


def test_raw_is_before_the_link() -> None:
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=2).fit(X, Y)
    assert np.exp(raw_prediction(model, X)).ravel() == pytest.approx(model.predict(X))
