"""Targets name the outputs of the model."""

import numpy as np

from glasswood.train import ClassTarget, NumberTarget


def test_two_classes_have_one_output() -> None:
    labels = np.zeros(1, dtype=np.int32)
    assert ClassTarget(labels, ("no", "yes")).outputs == ("yes",)
    assert ClassTarget(labels, ("a", "b", "c")).outputs == ("a", "b", "c")
    assert ClassTarget(labels, ("only",)).outputs == ("only",)
    assert NumberTarget(np.zeros(1)).outputs == ("y",)
