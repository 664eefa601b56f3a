"""Agreement: how far the answers of two models are apart over rows, and which of them is closer to the target."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood._exact import exact_column_means, exact_mean, exact_sum
from glasswood.ensemble import Ensemble, holds_shares, largest_share, shares_of
from glasswood.errors import OptionError
from glasswood.explain._target import target_rows

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


def correlations(a: Floats, b: Floats, weight: Floats) -> Floats:
    """Correlation of each column of (n_rows, n_outputs); NaN if a column is constant."""
    one, other = (part - exact_column_means(part, weight) for part in (a, b))
    both = exact_column_means(one * other, weight)
    spread = np.sqrt(exact_column_means(one**2, weight) * exact_column_means(other**2, weight))
    found: Floats = np.divide(both, spread, out=np.full(len(both), np.nan), where=spread > 0)
    return found


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


def class_changes(a: Ensemble, b: Ensemble, raws: tuple[Floats, Floats], weight: Floats) -> float | None:
    """Share of the rows whose predicted class differs; None if the models do not predict classes."""
    if not (_gives_classes(a) and _gives_classes(b)) or a.source.n_targets > 1:
        return None
    classes = [largest_share(_shares(model, raw)) for model, raw in zip((a, b), raws, strict=True)]
    if b.n_outputs > 1:
        classes[1] = np.array([a.outputs.index(name) for name in b.outputs])[classes[1]]
    return exact_mean((classes[0] != classes[1]).astype(np.float64), weight)


def losses(a: Ensemble, b: Ensemble, raws: tuple[Floats, Floats], y: Any, weight: Floats) -> Losses:
    """Loss of both models: log loss for classes, squared error of the prediction for numbers."""
    if _gives_classes(a) != _gives_classes(b):
        raise OptionError("one model predicts classes and the other numbers, so no loss suits both; leave out y")
    each = [_loss(model, raw, y) for model, raw in zip((a, b), raws, strict=True)]
    change = each[0] - each[1]
    mean = exact_mean(change, weight)
    total = exact_sum(weight)
    error = float(np.sqrt(exact_sum((weight * (change - mean)) ** 2))) / total
    name = "log loss" if _gives_classes(a) else "squared error"
    return Losses(name, exact_mean(each[0], weight), exact_mean(each[1], weight), mean, error)


def _loss(model: Ensemble, raw: Floats, y: Any) -> Floats:
    target = target_rows(model, y, len(raw))
    if target.classes is None:
        if model.n_outputs > 1:
            raise OptionError("the models predict several numbers; leave out y")
        found: Floats = (_prediction(model, raw)[:, 0] - target.numbers) ** 2
        return found
    share = _shares(model, raw)[np.arange(len(raw)), target.codes]
    return -log(np.clip(share, _MIN_SHARE, 1.0))


def _gives_classes(model: Ensemble) -> bool:
    return model.link.gives_shares or holds_shares(model)


def _prediction(model: Ensemble, raw: Floats) -> Floats:
    return model.link.inverse(raw, objective=model.source.objective, notes=model.source.notes)


def _shares(model: Ensemble, raw: Floats) -> Floats:
    return shares_of(_prediction(model, raw))
