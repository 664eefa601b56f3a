"""What a tree of a booster adds to, and the class towards which each of its nodes moves the answer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.explain import TargetRows
from glasswood.web.page._text import scale_of


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """Which class each node moves the answer towards, compared with the average of the tree, and how far."""

    towards: NDArray[np.int64]  # (n_nodes,) class; −1: none
    strength: NDArray[np.float64]  # (n_nodes,) 0 to 1


def push_of(tree: Ensemble, target: TargetRows, value: NDArray[np.float64]) -> Push | None:
    """Push of every node of a tree that adds to raw; None where the target has no classes.

    A tree for one of many classes that lowers it moves the answer towards no class in particular.
    """
    if target.classes is None:
        return None
    away = value - value[0]
    if value.shape[1] > 1 and len(target.classes) == value.shape[1]:
        towards = away.argmax(axis=1)
        far = away.max(axis=1)
    else:
        served = _served_class(tree, target.classes)
        other = 1 - served if len(target.classes) == 2 else -1
        towards = np.where(away[:, 0] > 0, served, other)
        far = np.abs(away[:, 0])
    most = float(far.max(initial=0.0))
    strength = far / most if most > 0 else np.zeros(len(far))
    return Push(np.where(strength > 0, towards, -1).astype(np.int64), strength)


def serves(tree: Ensemble, target: TargetRows) -> str:
    """What the values of a tree are added to, in words."""
    scale = scale_of(tree.link)
    if target.classes is None:
        return f"the {scale}" if len(tree.outputs) == 1 else f"the {scale} of every output"
    if len(tree.outputs) > 1:
        return f"the {scale} of every class"
    served = _served_class(tree, target.classes)
    return f"the {scale} of {target.classes[served] if served >= 0 else tree.outputs[0]}"


def _served_class(tree: Ensemble, classes: tuple[str, ...]) -> int:
    """Class whose raw answer the tree adds to; −1 where no class has the name of its output."""
    if tree.outputs[0] in classes:
        return classes.index(tree.outputs[0])
    return 1 if len(classes) == 2 else -1  # a single output of two classes is the second
