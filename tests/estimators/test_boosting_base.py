"""What both boosting estimators share: failed and continued fits, stages, invalid options."""

from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import glasswood as gw
from glasswood.errors import OptionError, TableError


def test_a_fit_that_fails_changes_nothing() -> None:
    X = np.arange(20.0)[:, None]
    model = gw.BoostingClassifier(n_estimators=2, warm_start=True).fit(X, np.where(X[:, 0] > 9, "z", "a"))
    before = dict(vars(model))
    for labels in (("z", "b"), ("z", "b"), ("p", "q")):  # twice, because the first refusal must not let the second pass
        with pytest.raises(TableError, match="y has other classes than before"):
            model.fit(X, np.where(X[:, 0] > 9, *labels))
    before["warm_start"] = model.set_params(warm_start=False).warm_start
    with pytest.raises(TableError, match="sample_weight"):
        model.fit(np.hstack([X, X]), X[:, 0] > 9, sample_weight=-np.ones(20))
    assert all(vars(model)[name] is value for name, value in before.items()) and len(vars(model)) == len(before)


def test_rounds_of_another_loss_cannot_be_continued() -> None:
    X = np.arange(20.0)[:, None]
    model = gw.BoostingRegressor(n_estimators=2, warm_start=True).fit(X, X[:, 0])
    with pytest.raises(OptionError, match="had the loss squared_error, not poisson"):
        model.set_params(loss="poisson", n_estimators=4).fit(X, X[:, 0])


def test_stages_end_in_the_prediction_to_the_bit_with_an_offset() -> None:
    rng = np.random.default_rng(0)
    X, offset = rng.normal(size=(200, 3)), rng.normal(size=200)
    model = gw.BoostingRegressor(n_estimators=8).fit(X, X[:, 0] + rng.normal(size=200), offset=offset)
    *_, last = model.staged_predict(X, offset=offset)
    np.testing.assert_array_equal(last, model.predict(X, offset=offset))


def test_what_is_not_fitted_says_so() -> None:
    model = gw.BoostingRegressor()
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(NotFittedError):
        next(model.staged_predict([[0.0]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"validation_fraction": "a", "early_stopping": True},
            "validation_fraction must be a number above 0 and below 1; got 'a'",
        ),
        ({"early_stopping": "auto"}, "early_stopping must be True or False"),
        ({"monotonic_cst": 1}, "monotonic_cst must be a list"),
        ({"interaction_cst": [0]}, "interaction_cst must be a list of lists"),
        ({"interaction_cst": "pairwise"}, "interaction_cst must be a list of lists"),
        ({"interaction_cst": [[0.5]]}, "no feature 0.5"),
        ({"categorical_features": [0.5]}, "no feature 0.5"),
        ({"categorical_features": ["x00"]}, "categorical_features: the table has no feature 'x00'; did you mean 'x0'"),
        ({"interaction_cst": [["x00"]]}, "interaction_cst: the table has no feature 'x00'; did you mean 'x0'"),
        ({"monotonic_cst": {"x00": 1}}, "monotonic_cst: the table has no feature 'x00'; did you mean 'x0'"),
        ({"categorical_features": [[0]]}, "no feature"),
    ],
)
def test_options_of_the_wrong_kind_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        gw.BoostingRegressor(**change).fit(np.arange(20.0)[:, None], np.arange(20.0))


def test_limits_beyond_all_rows_are_no_limits() -> None:
    X = np.arange(20.0)[:, None]
    free = gw.BoostingRegressor(n_estimators=1, max_depth=None).fit(X, X[:, 0])
    far = gw.BoostingRegressor(n_estimators=1, max_depth=2**40).fit(X, X[:, 0])
    assert far.ensemble_ == free.ensemble_
    leaves = gw.BoostingRegressor(n_estimators=1, max_depth=None, max_leaf_nodes=2**40).fit(X, X[:, 0])
    assert leaves.ensemble_.n_leaves == free.ensemble_.n_leaves


def test_metrics_belong_to_numbers_or_to_classes() -> None:
    with pytest.raises(OptionError, match="among 'accuracy', 'auc'; got 'rmse'"):
        gw.BoostingClassifier(metrics=["rmse"]).fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(OptionError, match="among 'rmse', 'mae'; got 5"):
        gw.BoostingRegressor(metrics=5).fit([[0.0], [1.0]], [0.0, 1.0])


@pytest.mark.parametrize("model", [gw.BoostingRegressor(n_estimators=2), gw.BoostingClassifier(n_estimators=2)])
def test_everything_after_the_weight_is_given_by_name(model: Any) -> None:
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 1]
    with pytest.raises(TypeError, match="positional"):
        model.fit(X, y, None, [0.0, 0.0, 0.0])
    model.fit(X, y, [1.0, 2.0, 1.0], offset=[0.0, 0.0, 0.0])
    with pytest.raises(TypeError, match="positional"):
        model.predict(X, [0.0, 0.0, 0.0])
    assert len(model.predict(X, offset=[0.0, 0.0, 0.0])) == 3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("statistics", ["exact", "quantised"])
def test_a_leaf_has_as_many_rows_as_it_must_whatever_they_weigh(weighted: bool, statistics: Any) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    X[rng.random(size=X.shape) < 0.1] = np.nan
    weight = rng.choice([0.0, 0.01, 1.0, 50.0], size=300) if weighted else None
    options: dict[str, Any] = {"n_estimators": 5, "max_depth": None, "min_weight_leaf": 0.0, "statistics": statistics}
    counted = np.ones(300, dtype=bool) if weight is None else weight > 0
    fewest = {}
    for least in (1, 25):
        model = gw.BoostingRegressor(min_samples_leaf=least, **options).fit(X, y, sample_weight=weight)
        leaves = model.apply(X[counted]).T
        fewest[least] = min(int(np.unique(leaf, return_counts=True)[1].min()) for leaf in leaves)
        assert model.ensemble_.n_nodes > model.ensemble_.n_trees
    assert fewest[1] < 25 <= fewest[25]
    with pytest.raises(OptionError, match="min_samples_leaf must be a whole number"):
        gw.BoostingRegressor(min_samples_leaf=0).fit(X, y)
