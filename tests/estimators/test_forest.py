"""Forests: rows are drawn, trees averaged, and scored on rows they did not draw."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import cross_val_score

import glasswood as gw
from glasswood.errors import GlasswoodWarning, OptionError


def test_a_forest_without_draws_is_its_tree() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.normal(size=100)
    tree = gw.TreeRegressor(max_depth=4).fit(X, y)
    forest = gw.ForestRegressor(3, max_depth=4, bootstrap=False).fit(X, y)
    np.testing.assert_allclose(forest.predict(X), tree.predict(X), rtol=1e-12)


def test_quantile_splits_are_values_of_the_table() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.normal(size=200)
    forest = gw.ForestRegressor(20, splits="quantile", n_quantiles=4, random_state=0).fit(X, y)
    used = forest.ensemble_.threshold[forest.ensemble_.feature == 0]
    assert set(used.tolist()) == set(np.sort(X[:, 0])[[49, 99, 149]].tolist())


def test_more_levels_than_cells_share_cells() -> None:
    import pandas as pd

    rng = np.random.default_rng(0)
    code, value = rng.integers(0, 2_000, 20_000), rng.normal(size=2_000)
    X = pd.DataFrame({"c": pd.Categorical.from_codes(code, categories=[str(k) for k in range(2_000)])})
    forest = gw.ForestRegressor(3, splits="quantile", max_depth=6, random_state=0).fit(X, value[code])
    assert forest.score(X, value[code]) > 0.95


@pytest.mark.parametrize("splits", ["exact", "quantile"])
def test_a_forest_is_as_good_as_scikit_learns(splits: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(gw.ForestClassifier(60, splits=splits, random_state=0), X, y, cv=4).mean()
    theirs = cross_val_score(RandomForestClassifier(60, random_state=0), X, y, cv=4).mean()
    assert ours > theirs - 0.015
    X, y = load_diabetes(return_X_y=True)
    ours = cross_val_score(gw.ForestRegressor(60, splits=splits, random_state=0), X, y, cv=4).mean()
    theirs = cross_val_score(RandomForestRegressor(60, random_state=0), X, y, cv=4).mean()
    assert ours > theirs - 0.03


def test_out_of_bag_scores_come_from_rows_not_drawn() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    forest = gw.ForestClassifier(100, oob_score=True, random_state=0).fit(X, y)
    assert 0.93 < forest.oob_score_ < 0.98
    assert forest.oob_decision_function_.shape == (569, 2)
    X, y = load_diabetes(return_X_y=True)
    assert 0.35 < gw.ForestRegressor(100, oob_score=True, random_state=0).fit(X, y).oob_score_ < 0.5


def test_rows_drawn_by_every_tree_are_reported() -> None:
    with pytest.warns(GlasswoodWarning, match="drawn by every tree"):
        forest = gw.ForestRegressor(1, oob_score=True, random_state=0).fit(np.arange(9.0)[:, None], np.arange(9.0))
    assert np.isnan(forest.oob_prediction_).any()


def test_out_of_bag_needs_a_bag() -> None:
    with pytest.raises(OptionError, match="bootstrap=True"):
        gw.ForestRegressor(2, oob_score=True, bootstrap=False).fit([[0.0]], [0.0])


def test_the_rows_of_each_tree_can_be_asked_for() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    forest = gw.ForestRegressor(3, max_samples=25, random_state=0).fit(X, y)
    assert [len(rows) for rows in forest.estimators_samples_] == [25, 25, 25]
    for tree, rows in enumerate(forest.estimators_samples_):
        assert forest.ensemble_.weight[forest.ensemble_.tree_start[tree]] == 25
        root = forest.ensemble_.cut(0).value[tree] * 3
        np.testing.assert_allclose(root, y[rows].mean())
    whole = gw.ForestRegressor(2, bootstrap=False).fit(X, y)
    assert [rows.tolist() for rows in whole.estimators_samples_] == [list(range(40))] * 2


def test_rows_are_drawn_by_weight() -> None:
    X, y = np.arange(4.0)[:, None], np.arange(4.0)
    forest = gw.ForestRegressor(50, random_state=0).fit(X, y, sample_weight=[0.0, 1.0, 2.0, 1.0])
    counts = np.bincount(np.concatenate(forest.estimators_samples_), minlength=4)
    assert counts[0] == 0
    assert 1.5 < 2 * counts[2] / (counts[1] + counts[3]) < 2.5


def test_progress_has_a_step_for_each_tree_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = np.arange(40.0)[:, None], np.arange(40) >= 20
    for forest in (gw.ForestRegressor(7, random_state=0), gw.ForestClassifier(7, random_state=0)):
        silent = clone(forest).fit(X, y)
        assert capsys.readouterr().err == ""
        shown = forest.fit(X, y, progress=True)
        assert "7/7" in capsys.readouterr().err
        assert shown.ensemble_ == silent.ensemble_
