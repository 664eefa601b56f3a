"""Agreement: how far the answers of two models are apart over rows, and which of them is closer to the target."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood.ensemble import Ensemble, holds_shares, largest_share, shares_of
from glasswood.errors import OptionError
from glasswood.explain._target import TargetRows

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_MIN_SHARE = 1e-15  # a share of 0 would make the loss of one row infinite
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Mean loss of two models over the same rows, and the mean of the difference with its standard error.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> small, large = (gw.TreeClassifier(max_depth=d).fit(X, y) for d in (1, 3))
    >>> loss = gw.compare(large, small, X, y).loss
    >>> loss.name, round(loss.difference, 3), round(loss.error, 3)
    ('log loss', -0.281, 0.155)
    """

    name: str  # "log loss" or "squared error"
    first: float
    second: float
    difference: float
    error: float


def quantiles(values: Floats, weight: Floats) -> Floats:
    """Quantiles of each column, (len(QUANTILES), n_outputs): the smallest value with that share of weight up to it."""
    found = np.empty((len(QUANTILES), values.shape[1]))
    for o, column in enumerate(values.T):
        counts = weight > 0
        order = np.lexsort((weight[counts], column[counts]))
        sorted_values, total = column[counts][order], np.cumsum(weight[counts][order])
        at = np.searchsorted(total, np.array(QUANTILES) * total[-1] * (1 - 1e-12))
        found[:, o] = sorted_values[np.minimum(at, len(sorted_values) - 1)]
    return found


def changed_class(a: Ensemble, b: Ensemble, raws: tuple[Floats, Floats]) -> NDArray[np.bool_] | None:
    """Whether the predicted class of each row differs; None if the models do not predict classes."""
    if not (gives_classes(a) and gives_classes(b)) or a.source.n_targets > 1:
        return None
    classes = [largest_share(_shares(model, raw)) for model, raw in zip((a, b), raws, strict=True)]
    if b.n_outputs > 1:
        classes[1] = np.array([a.outputs.index(name) for name in b.outputs])[classes[1]]
    return np.asarray(classes[0] != classes[1])


def loss_name(a: Ensemble, b: Ensemble) -> str:
    """The loss that suits both models: log loss for classes, squared error of the prediction for numbers."""
    if gives_classes(a) != gives_classes(b):
        raise OptionError("one model predicts classes and the other numbers, so no loss suits both; leave out y")
    return "log loss" if gives_classes(a) else "squared error"


def row_losses(model: Ensemble, raw: Floats, target: TargetRows) -> Floats:
    """Loss of each row."""
    if target.classes is None:
        if model.n_outputs > 1:
            raise OptionError("the models predict several numbers; leave out y")
        found: Floats = (_prediction(model, raw)[:, 0] - target.numbers) ** 2
        return found
    share = _shares(model, raw)[np.arange(len(raw)), target.codes]
    return -log(np.clip(share, _MIN_SHARE, 1.0))


def gives_classes(model: Ensemble) -> bool:
    """Whether a model predicts classes."""
    return model.link.gives_shares or holds_shares(model)


def _prediction(model: Ensemble, raw: Floats) -> Floats:
    return model.link.inverse(raw, objective=model.source.objective, notes=model.source.notes)


def _shares(model: Ensemble, raw: Floats) -> Floats:
    return shares_of(_prediction(model, raw))
