"""HistGradientBoosting: small models whose numbers one can check by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import glasswood as gw

X = np.repeat([[0.0], [1.0]], 20, axis=0)
Y = np.repeat([1.0, 5.0], 20)
WOOD = pd.DataFrame({"size": np.tile([1.0, 2.0], 30), "wood": pd.Categorical(np.repeat(["ash", "elm", "oak"], 20))})


def test_leaves_include_the_learning_rate_once() -> None:
    ensemble = gw.read(HistGradientBoostingRegressor(max_iter=1, learning_rate=0.5).fit(X, Y), X)
    assert ensemble.baseline.tolist() == [3.0]
    assert ensemble.predict(X[[0, -1]]) == pytest.approx([2.0, 4.0])
    assert ensemble.threshold[0] == 0.5


def test_weights_are_rows() -> None:
    model = HistGradientBoostingRegressor(max_iter=1).fit(X, Y, sample_weight=np.full(40, 3.0))
    ensemble = gw.read(model)
    assert ensemble.weight.tolist() == [40.0, 20.0, 20.0]
    assert ensemble.source.weight_kind == "rows"
    assert np.isnan(ensemble.gain).tolist() == [False, True, True]


@pytest.mark.parametrize(("loss", "link"), [("poisson", "log"), ("gamma", "log"), ("absolute_error", "identity")])
def test_a_loss_decides_the_link(loss: str, link: str) -> None:
    model = HistGradientBoostingRegressor(loss=loss, max_iter=2).fit(X, Y)
    ensemble = gw.read(model, X)
    assert str(ensemble.link) == link
    assert np.allclose(ensemble.predict(X), model.predict(X), rtol=1e-14)


def test_classes_are_outputs() -> None:
    two = gw.read(HistGradientBoostingClassifier(max_iter=2).fit(X, np.repeat(["no", "yes"], 20)), X)
    assert (two.outputs, str(two.link), two.n_trees) == (("yes",), "logit", 2)
    three = gw.read(HistGradientBoostingClassifier(max_iter=2).fit(WOOD[["size"]], WOOD["wood"].astype(str)))
    assert (three.outputs, str(three.link)) == (("ash", "elm", "oak"), "softmax")
    assert three.tree_output.tolist() == [0, 1, 2, 0, 1, 2]


def test_missing_values_follow_the_learnt_side() -> None:
    holes = np.where(X == 1, np.nan, X)
    ensemble = gw.read(HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0).fit(holes, Y), holes)
    assert ensemble.predict(np.array([[7.0], [np.nan]])) == pytest.approx([1.0, 5.0])


def test_categories_are_found_behind_the_numbers_and_unseen_ones_go_with_the_missing() -> None:
    wood = WOOD.copy()
    wood.loc[40:49, "wood"] = None
    y = np.where(wood["wood"].isna(), 9.0, np.where(wood["wood"] == "elm", 5.0, 1.0))
    model = HistGradientBoostingRegressor(
        max_iter=1, learning_rate=1.0, min_samples_leaf=5, categorical_features="from_dtype"
    )
    ensemble = gw.read(model.fit(wood, y), wood)
    assert ensemble.features.categories == (None, ("ash", "elm", "oak"))
    assert ensemble.feature_names == ("size", "wood")
    rows = pd.DataFrame({"size": [1.0] * 4, "wood": ["elm", "ash", None, "yew"]})
    assert ensemble.predict(rows) == pytest.approx([5.0, 1.0, 9.0, 9.0])


def test_a_column_of_one_category_or_none_is_never_split() -> None:
    table = np.column_stack([X[:, 0], np.full(40, 3.0), np.full(40, np.nan)])
    ensemble = gw.read(HistGradientBoostingRegressor(max_iter=2, categorical_features=[1, 2]).fit(table, Y), table)
    assert ensemble.features.categories == (None, (3.0,), ())
    assert set(ensemble.feature.tolist()) == {-1, 0}


def test_a_single_class_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="a single class"):
        gw.read(HistGradientBoostingClassifier(max_iter=1).fit(X, np.zeros(40)))
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(HistGradientBoostingClassifier())
