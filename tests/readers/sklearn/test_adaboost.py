"""AdaBoost: votes and weights one can check by hand."""

import numpy as np
import pytest
import sklearn
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import GaussianNB

import glasswood as gw

X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
# scikit-learn 1.5 still has a second algorithm, which is its default
HARD = {"algorithm": "SAMME"} if sklearn.__version__.startswith("1.5.") else {}


def test_a_single_stump_votes_with_all_the_weight() -> None:
    model = AdaBoostClassifier(n_estimators=1, **HARD).fit(X, ["no", "no", "yes", "no", "no"])
    ensemble = gw.read(model, X)
    votes = np.where(model.estimators_[0].predict(X) == "yes", 2.0, -2.0)
    assert ensemble.predict_raw(X).tolist() == votes.tolist()
    assert (ensemble.outputs, str(ensemble.link)) == (("yes",), "logit")


def test_weights_are_shares_of_the_total() -> None:
    model = AdaBoostClassifier(n_estimators=3, learning_rate=0.5, **HARD).fit(X, [0, 0, 1, 0, 1])
    ensemble = gw.read(model, X)
    share = model.estimator_weights_ / model.estimator_weights_.sum()
    roots = ensemble.tree_start[:-1]
    assert np.abs(ensemble.value[roots + 1, 0]) == pytest.approx(2 * share)
    assert ensemble.predict(X) == pytest.approx(model.predict_proba(X)[:, 1], rel=1e-14)


def test_three_classes_are_divided_by_two() -> None:
    model = AdaBoostClassifier(n_estimators=5).fit(X, [3, 1, 2, 2, 3])
    ensemble = gw.read(model, X)
    assert str(ensemble.link) == "softmax"
    assert ensemble.predict_raw(X) == pytest.approx(model.decision_function(X) / 2, rel=1e-14)
    assert ensemble.predict(X) == pytest.approx(model.predict_proba(X), rel=1e-14)


def test_estimators_without_trees_are_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="boosts GaussianNB"):
        gw.read(AdaBoostClassifier(GaussianNB(), n_estimators=2, **HARD).fit(X, [0, 0, 1, 0, 1]))
    with pytest.raises(gw.UnsupportedModelError, match="a single class"):
        gw.read(AdaBoostClassifier(n_estimators=1).fit(X, [1, 1, 1, 1, 1]))
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(AdaBoostClassifier())
