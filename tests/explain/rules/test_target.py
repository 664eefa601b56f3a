"""RuleTarget: numbers, two classes, several."""

import numpy as np
import pytest

from glasswood.errors import TableError
from glasswood.explain.rules import RuleTarget


def test_two_classes_have_the_share_of_the_second() -> None:
    target = RuleTarget.of_classes(np.array([0, 1, 1]), ["no", "yes"])
    assert target.outputs == ("yes",) and target.y.tolist() == [[0.0], [1.0], [1.0]]


def test_numbers_are_one_output() -> None:
    target = RuleTarget.of_numbers(np.array([1.0, 3.0]), np.ones(2))
    assert target.outputs == ("y",) and target.labels is None
    assert target.score(np.array([[1.0], [3.0]]), np.ones(2)) == 1.0
    with pytest.raises(TableError, match="divide y"):
        RuleTarget.of_numbers(np.array([-1e308, 1e308]), np.ones(2))
