"""Classes: the labels of a fitted classifier, stored so that only readers need the model object."""

from typing import Any

import numpy as np

from glasswood.ensemble import Label, fit_outputs
from glasswood.tables import class_labels


def classes_of(model: Any, n_outputs: int) -> tuple[Label, ...]:
    """Labels of a model with one target, in its order; empty for regressors, several targets and other outputs.

    Examples
    --------
    >>> from glasswood.readers._classes import classes_of
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> classes_of(DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"]), 1)
    ('no', 'yes')
    """
    known = getattr(model, "classes_", None)
    if known is None or any(isinstance(labels, np.ndarray) for labels in known):
        return ()
    labels = class_labels(known)
    return labels if fit_outputs(labels, n_outputs) else ()
