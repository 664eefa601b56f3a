"""Scores of parts are those of all rows."""

import numpy as np
import pytest

from glasswood.explain.rules import RuleTarget
from glasswood.explain.rules._rule_rows import Scored, score_in_parts
from tests.explain.several_parts import Several


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("weight", [np.ones(60), np.exp(np.random.default_rng(1).normal(size=60)), np.zeros(60)])
def test_parts_score_as_one_table(n_classes: int, weight: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, n_classes, 60) if n_classes else None
    y = rng.normal(size=(60, 1))

    def target(some: slice) -> RuleTarget:
        if labels is None:
            return RuleTarget(y=y[some], outputs=("y",), labels=None)
        return RuleTarget.of_classes(labels[some], list("rst")[:n_classes])

    prediction = rng.normal(size=(60, 1 if n_classes < 3 else 3)).round(1)
    cuts = [slice(0, 13), slice(13, 13), slice(13, 60)]
    parts = Several([Scored(prediction[some], target(some), weight[some]) for some in cuts])
    found = score_in_parts(parts, prediction.shape[1], classes=n_classes > 0)
    assert repr(found) == repr(target(slice(None)).score(prediction, weight))
