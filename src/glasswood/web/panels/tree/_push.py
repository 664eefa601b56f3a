"""Push: the class towards which each node of a boosted tree moves the prediction, and what the tree adds to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.explain import TargetRows
from glasswood.web.page._text import scale_of


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """The class towards which each node moves the prediction, compared with the mean of the tree, and how strongly."""

    towards: NDArray[np.int64]  # (n_nodes,) class; −1 for none
    strength: NDArray[np.float64]  # (n_nodes,) 0 to 1


def push_of(tree: Ensemble, target: TargetRows, value: NDArray[np.float64]) -> Push | None:
    """Push of every node of a tree that adds to raw; None if the target has no classes.

    If a tree lowers one of many classes, it does not move the prediction towards a particular class.
    """
    if target.classes is None:
        return None
    away = value - value[0]
    if value.shape[1] > 1 and len(target.classes) == value.shape[1]:
        towards = away.argmax(axis=1)
        far = away.max(axis=1)
    else:
        served = _class_added_to(tree, target.classes)
        other = 1 - served if len(target.classes) == 2 else -1
        towards = np.where(away[:, 0] > 0, served, other)
        far = np.abs(away[:, 0])
    most = float(far.max(initial=0.0))
    strength = far / most if most > 0 else np.zeros(len(far))
    return Push(np.where(strength > 0, towards, -1).astype(np.int64), strength)


def added_to(tree: Ensemble, target: TargetRows) -> str:
    """What the values of a tree are added to, as text."""
    scale = scale_of(tree.link)
    if target.classes is None:
        return f"the {scale}" if len(tree.outputs) == 1 else f"the {scale} of every output"
    if len(tree.outputs) > 1:
        return f"the {scale} of every class"
    served = _class_added_to(tree, target.classes)
    return f"the {scale} of {target.classes[served] if served >= 0 else tree.outputs[0]}"


def _class_added_to(tree: Ensemble, classes: tuple[str, ...]) -> int:
    """Class to whose raw value the tree adds; −1 if no class has the name of its output."""
    if tree.outputs[0] in classes:
        return classes.index(tree.outputs[0])
    return 1 if len(classes) == 2 else -1  # the one output of two classes belongs to the second
