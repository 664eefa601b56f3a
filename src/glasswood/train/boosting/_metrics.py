"""Metrics: numbers that the history keeps beside the loss. Each is computed from y, the prediction and weights."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import largest_share
from glasswood.errors import OptionError
from glasswood.team import ALONE, Exchange, largest, team_auc, team_mean

Floats = NDArray[np.float64]
Metric = Callable[[Floats, Floats, Floats], float]  # y, prediction (n,) or (n, n_classes), weight or empty


def rmse(y: Floats, prediction: Floats, weight: Floats, team: Exchange = ALONE) -> float:
    """Root of the mean squared error."""
    error = np.abs(y - prediction)
    most = float(largest(team, [(error[weight > 0] if len(weight) else error).max(initial=0.0)])[0])
    if most == 0.0 or not np.isfinite(most):
        return most
    # squares of large errors overflow; rows without weight may have larger errors
    return most * float(np.sqrt(team_mean(team, np.minimum(error / most, 1.0) ** 2, weight)))


def mae(y: Floats, prediction: Floats, weight: Floats, team: Exchange = ALONE) -> float:
    """Mean absolute error."""
    return team_mean(team, np.abs(y - prediction), weight)


def accuracy(y: Floats, prediction: Floats, weight: Floats, team: Exchange = ALONE) -> float:
    """Share of rows whose class is the one that `predict` returns."""
    share = np.column_stack([1.0 - prediction, prediction]) if prediction.ndim == 1 else prediction
    chosen = largest_share(share)
    return team_mean(team, chosen == y, weight)


def auc(y: Floats, prediction: Floats, weight: Floats, team: Exchange = ALONE) -> float:
    """Probability that a row of class 1 is ranked above one of class 0; ties count half."""
    if prediction.ndim != 1:
        raise OptionError("the auc metric needs two classes")
    return team_auc(team, prediction, y == 1, weight)


METRICS: dict[str, Callable[..., float]] = {"rmse": rmse, "mae": mae, "accuracy": accuracy, "auc": auc}


_OF_NUMBERS, _OF_CLASSES = ("rmse", "mae"), ("accuracy", "auc")


def find_metrics(names: object, *, of_classes: bool, team: Exchange = ALONE) -> dict[str, Metric]:
    """Metrics for numbers or for classes by name, in the order given, over all members; None means no metrics."""
    allowed = _OF_CLASSES if of_classes else _OF_NUMBERS
    several = isinstance(names, Iterable) and not isinstance(names, str)
    wanted: list[Any] = list(cast(Iterable[Any], names)) if several else [] if names is None else [names]
    for name in wanted:
        if not isinstance(name, str) or name not in allowed:
            raise OptionError(f"metrics must be among {', '.join(map(repr, allowed))}; got {name!r}")
    return {name: partial(METRICS[name], team=team) for name in wanted}
