"""Metrics equal those of scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics as sk

from glasswood.errors import OptionError
from glasswood.train.boosting._metrics import METRICS, auc, find_metrics


def test_they_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y, p, w = rng.integers(0, 2, 200).astype(float), rng.random(200).round(1), rng.random(200)
    assert METRICS["rmse"](y, p, w) == pytest.approx(sk.root_mean_squared_error(y, p, sample_weight=w))
    assert METRICS["mae"](y, p, np.empty(0)) == pytest.approx(sk.mean_absolute_error(y, p))
    assert METRICS["accuracy"](y, p, w) == pytest.approx(sk.accuracy_score(y, p > 0.5, sample_weight=w))
    assert METRICS["auc"](y, p, w) == pytest.approx(sk.roc_auc_score(y, p, sample_weight=w))
    shares = rng.random((200, 3))
    assert METRICS["accuracy"](y, shares, w) == pytest.approx(sk.accuracy_score(y, shares.argmax(1), sample_weight=w))


def test_errors_whose_squares_overflow_have_a_root_mean_square() -> None:
    error = np.array([3.0, 4.0, 7.0])
    weight = np.array([1.0, 1.0, 0.0])
    for scale in (1e-200, 1.0, 1e300):
        assert METRICS["rmse"](error * scale, np.zeros(3), weight) == pytest.approx(12.5**0.5 * scale)
    assert METRICS["rmse"](error * [1, 1, 1e200], np.zeros(3), weight) == pytest.approx(12.5**0.5)
    assert METRICS["rmse"](error, error, np.empty(0)) == 0.0
    assert METRICS["rmse"](error, np.full(3, np.inf), np.empty(0)) == np.inf


def test_auc_needs_both_classes_and_two_of_them() -> None:
    assert np.isnan(auc(np.ones(3), np.zeros(3), np.empty(0)))
    with pytest.raises(OptionError, match="two classes"):
        auc(np.ones(3), np.zeros((3, 3)), np.empty(0))


def test_unknown_names_are_refused() -> None:
    assert list(find_metrics("mae", of_classes=False)) == ["mae"]
    assert find_metrics(None, of_classes=True) == {}
    assert list(find_metrics(np.array(["mae", "rmse"]), of_classes=False)) == ["mae", "rmse"]
    with pytest.raises(OptionError, match="got 'f1'"):
        find_metrics(["mae", "f1"], of_classes=False)
