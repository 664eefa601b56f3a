"""Class shares of nodes, and the class with the largest share."""

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor

import glasswood as gw
from glasswood.ensemble import holds_shares, predicted_class, shares_of

X = np.arange(8.0).reshape(-1, 1)
Y = np.array([0, 0, 0, 0, 1, 1, 1, 1])


def test_forests_of_classes_hold_shares_and_boosting_does_not() -> None:
    assert holds_shares(gw.read(RandomForestClassifier(2, random_state=0).fit(X, Y)))
    assert not holds_shares(gw.read(RandomForestRegressor(2, random_state=0).fit(X, Y)))
    assert not holds_shares(gw.read(GradientBoostingClassifier(n_estimators=1).fit(X, Y)))


def test_one_output_is_the_share_of_the_second_of_two_classes() -> None:
    assert shares_of(np.array([[0.25]])).tolist() == [[0.75, 0.25]]
    assert shares_of(np.array([[0.25]]), 1).tolist() == [[1.0]]


def test_of_equal_shares_the_first_class_wins() -> None:
    assert predicted_class(np.array([[0.5], [0.5 + 1e-15], [0.6]])).tolist() == [0, 0, 1]
