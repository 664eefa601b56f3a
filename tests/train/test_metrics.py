"""Metrics agree with scikit-learn's."""

import numpy as np
import pytest
from sklearn import metrics as sk

from glasswood.errors import OptionError
from glasswood.train._metrics import METRICS, auc, find_metrics


def test_they_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y, p, w = rng.integers(0, 2, 200).astype(float), rng.random(200).round(1), rng.random(200)
    assert METRICS["rmse"](y, p, w) == pytest.approx(sk.root_mean_squared_error(y, p, sample_weight=w))
    assert METRICS["mae"](y, p, np.empty(0)) == pytest.approx(sk.mean_absolute_error(y, p))
    assert METRICS["accuracy"](y, p, w) == pytest.approx(sk.accuracy_score(y, p > 0.5, sample_weight=w))
    assert METRICS["auc"](y, p, w) == pytest.approx(sk.roc_auc_score(y, p, sample_weight=w))
    shares = rng.random((200, 3))
    assert METRICS["accuracy"](y, shares, w) == pytest.approx(sk.accuracy_score(y, shares.argmax(1), sample_weight=w))


def test_auc_needs_both_classes_and_two_of_them() -> None:
    assert np.isnan(auc(np.ones(3), np.zeros(3), np.empty(0)))
    with pytest.raises(OptionError, match="two classes"):
        auc(np.ones(3), np.zeros((3, 3)), np.empty(0))


def test_unknown_names_are_refused() -> None:
    assert list(find_metrics("mae", of_classes=False)) == ["mae"]
    with pytest.raises(OptionError, match="got 'f1'"):
        find_metrics(["mae", "f1"], of_classes=False)
