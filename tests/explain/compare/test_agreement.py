"""Numbers about two vectors of answers, by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray

import glasswood as gw
from glasswood.explain import OnePart
from glasswood.explain.compare._agreement import quantiles
from glasswood.explain.compare._compared_rows import ComparedRows, _correlations

Floats = NDArray[np.float64]


def correlations(a: Floats, b: Floats, weight: Floats) -> Floats:
    return _correlations(OnePart(ComparedRows((a, b), b, a - b, weight, (), None)))


def test_a_weight_counts_as_that_many_rows() -> None:
    rng = np.random.default_rng(0)
    a, b, weight = rng.normal(size=(50, 2)), rng.normal(size=(50, 2)), rng.integers(0, 4, size=50)
    many = np.repeat(np.arange(50), weight)
    expected = [np.corrcoef(a[many, o], b[many, o])[0, 1] for o in range(2)]
    np.testing.assert_allclose(correlations(a, b, weight.astype(float)), expected, rtol=1e-12)
    expected = np.quantile(a[many], [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1], axis=0, method="inverted_cdf")
    np.testing.assert_array_equal(quantiles(a, weight.astype(float)), expected)


def test_a_constant_has_no_correlation() -> None:
    assert np.isnan(correlations(np.ones((3, 1)), np.arange(3.0)[:, None], np.ones(3))).all()


def test_losses_are_paired() -> None:
    X = np.arange(6.0).reshape(-1, 1)
    y = np.array([0.0, 0.0, 1.0, 5.0, 6.0, 9.0])
    a, b = (gw.TreeRegressor(max_depth=d).fit(X, y) for d in (2, 1))
    loss = gw.compare(a, b, X, y).loss
    each = [(gw.read(model).predict(X) - y) ** 2 for model in (a, b)]
    assert loss.name == "squared error"
    np.testing.assert_allclose([loss.first, loss.second], [part.mean() for part in each])
    change = each[0] - each[1]
    np.testing.assert_allclose([loss.difference, loss.error], [change.mean(), change.std() / np.sqrt(6)])


def test_log_loss_and_classes_that_change() -> None:
    from sklearn.metrics import log_loss

    X = np.random.default_rng(0).normal(size=(200, 2))
    y = np.where(X[:, 0] > 0.5, "c", np.where(X[:, 1] > 0, "b", "a"))
    a, b = (gw.BoostingClassifier(n_estimators=n, max_depth=2).fit(X, y) for n in (8, 1))
    found = gw.compare(a, b, X, y)
    np.testing.assert_allclose(found.loss.first, log_loss(y, a.predict_proba(X)))
    assert found.class_changes == np.mean(a.predict(X) != b.predict(X))


def test_numbers_and_classes_have_no_loss_in_common() -> None:
    X, y = np.arange(6.0).reshape(-1, 1), [0, 0, 1, 0, 1, 1]
    a, b = gw.BoostingClassifier(n_estimators=2).fit(X, y), gw.TreeRegressor().fit(X, y)
    with pytest.raises(gw.OptionError, match="no loss suits both"):
        gw.compare(a, b, X, y, scale="raw")
    assert gw.compare(a, b, X, scale="raw").loss is None
