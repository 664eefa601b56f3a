"""Scores agree with scikit-learn's."""

import numpy as np
from sklearn.metrics import r2_score, roc_auc_score

from glasswood.explain._scores import auc, class_auc, r2


def test_scores_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    score, y, weight = rng.integers(0, 9, 200) / 8, rng.random(200) < 0.4, rng.random(200)
    np.testing.assert_allclose(auc(score, y, weight), roc_auc_score(y, score, sample_weight=weight))
    np.testing.assert_allclose(r2(score, y * 1.0, weight), r2_score(y, score, sample_weight=weight))
    share, label = rng.dirichlet([1, 1, 1], 200), rng.integers(0, 3, 200)
    np.testing.assert_allclose(
        class_auc(share, label, np.ones(200)), roc_auc_score(label, share, multi_class="ovr", average="macro")
    )


def test_one_class_or_one_value_has_no_score() -> None:
    one = np.ones(3)
    assert np.isnan(auc(one, one > 0, one)) and np.isnan(r2(one, one, one))
    assert np.isnan(class_auc(np.ones((3, 1)), np.zeros(3, dtype=int), one))
