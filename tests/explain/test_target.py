import dataclasses

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier

import glasswood as gw
from glasswood.ensemble import Ensemble
from glasswood.explain import target_rows

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


def unlisted(ensemble: Ensemble) -> Ensemble:
    """A model as read from a file that does not list the classes."""
    return ensemble._with_source(dataclasses.replace(ensemble.source, classes=()))


def test_classes_stand_in_the_order_of_the_model() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, NAMES)
    for ensemble in (model.ensemble_, unlisted(model.ensemble_)):
        rows = target_rows(ensemble, NAMES, len(X))
        assert rows.classes == ("setosa", "versicolor", "virginica") and rows.n_rows == 150
        np.testing.assert_array_equal(rows.codes, Y)


def test_of_two_classes_the_output_is_the_second() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X[:100], NAMES[:100])
    ensemble = unlisted(model.ensemble_)
    rows = target_rows(ensemble, NAMES[:100], 100)
    assert rows.classes == ("setosa", "versicolor")
    np.testing.assert_array_equal(rows.codes, Y[:100])
    assert target_rows(ensemble, NAMES[50:60], 10).classes == ("not versicolor", "versicolor")


def test_unnamed_classes_are_taken_in_order() -> None:
    ensemble = unlisted(gw.read(GradientBoostingClassifier(n_estimators=1, random_state=0).fit(X, Y)))
    assert target_rows(ensemble, NAMES, 150).classes == ("setosa", "versicolor", "virginica")


def test_whole_numbers_are_one_class_however_they_are_written() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, Y.astype(float))
    for ensemble in (model.ensemble_, unlisted(model.ensemble_)):
        rows = target_rows(ensemble, Y, len(X))
        assert rows.classes == ("0", "1", "2")
        np.testing.assert_array_equal(rows.codes, target_rows(ensemble, Y.astype(float), len(X)).codes)


def test_a_class_the_model_does_not_know_is_named() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, NAMES)
    with pytest.raises(gw.TableError, match="the class 'rose'"):
        target_rows(model.ensemble_, np.where(Y == 1, "rose", NAMES), 150)


def test_words_name_the_classes_of_a_model_fitted_on_numbers() -> None:
    words = np.array(["no", "yes"])[(Y[:100] == 1).astype(int)]
    for numbers in (Y[:100], Y[:100].astype(bool), Y[:100].astype(float)):
        model = gw.TreeClassifier(max_depth=2).fit(X[:100], numbers)
        for ensemble in (model.ensemble_, unlisted(model.ensemble_)):
            rows = target_rows(ensemble, words, 100)
            assert rows.classes == ("no", "yes")
            np.testing.assert_array_equal(rows.codes, Y[:100])
    three = gw.TreeClassifier(max_depth=2).fit(X, Y)
    assert target_rows(three.ensemble_, NAMES, 150).classes == ("setosa", "versicolor", "virginica")


def test_words_that_cannot_be_the_numbered_classes_are_refused() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X[:100], Y[:100])
    for words in (np.where(Y[:100] == 1, "yes", "1"), np.full(100, "yes"), np.resize(["a", "b", "c"], 100)):
        with pytest.raises(gw.TableError, match="which the model does not know"):
            target_rows(model.ensemble_, words, 100)
    other = gw.TreeClassifier(max_depth=2).fit(X[:100], Y[:100] + 1)
    with pytest.raises(gw.TableError, match="the class 'setosa'"):
        target_rows(other.ensemble_, NAMES[:100], 100)


def test_numbers_stay_numbers() -> None:
    model = gw.TreeRegressor(max_depth=2).fit(X, X[:, 0])
    rows = target_rows(model.ensemble_, X[:, 0], 150)
    assert rows.classes is None and rows.n_rows == 150
    with pytest.raises(gw.TableError, match="y holds text"):
        target_rows(model.ensemble_, NAMES, 150)


def test_fewer_classes_are_found_by_the_names_of_the_outputs() -> None:
    ensemble = unlisted(gw.TreeClassifier(max_depth=2).fit(X, NAMES).ensemble_)
    rows = target_rows(ensemble, NAMES[50:], 100)
    assert rows.classes == ("setosa", "versicolor", "virginica")
    np.testing.assert_array_equal(rows.codes, Y[50:])
    with pytest.raises(gw.TableError, match=r"y has 2 classes, the model 3 \(setosa, versicolor, virginica\)"):
        target_rows(ensemble, Y[50:], 100)  # it is not known which of the three 1 and 2 are


def test_classes_given_as_their_text_are_the_same_classes() -> None:
    model = gw.TreeClassifier(max_depth=2).fit(X, Y)
    np.testing.assert_array_equal(target_rows(model.ensemble_, Y.astype(str), 150).codes, Y)


def test_classes_of_several_targets_are_refused() -> None:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(2, random_state=0).fit(X, np.column_stack([Y, Y > 0]))
    with pytest.raises(gw.UnsupportedModelError, match="the classes of 2 targets"):
        target_rows(gw.read(model), Y, 150)


@pytest.mark.parametrize("factor", [1e300, 1e200, 1e-300])
def test_numbers_whose_squares_overflow_or_underflow_are_refused(factor: float) -> None:
    y = X[:, 0] * factor
    tree = gw.TreeRegressor(max_depth=2).fit(X, X[:, 0])
    for use in (gw.rules, gw.tree_profile):
        with pytest.raises(gw.TableError, match=r"^y .* y by a constant first"):
            use(tree, X, y)


def test_squares_count_with_the_weight_of_their_rows() -> None:
    tree = gw.TreeRegressor(max_depth=2).fit(X, X[:, 0])
    weight = np.full(150, 1e100)
    # weights are scaled to an ordinary size first, so only y decides
    assert np.isfinite(gw.rules(tree, X, X[:, 0] * 1e120, sample_weight=weight).score)
    with pytest.raises(gw.TableError, match="divide y by a constant"):
        gw.rules(tree, X, X[:, 0] * 1e160, sample_weight=weight)
