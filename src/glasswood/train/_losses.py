"""Losses: what boosting minimises, where it starts, and which targets it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import IDENTITY, LOG, LOGIT, SOFTMAX, Link
from glasswood.errors import OptionError, TableError
from glasswood.train._starts import (
    start_of_gamma,
    start_of_logistic,
    start_of_mean,
    start_of_poisson,
    start_of_quantile,
    start_of_softmax,
    start_of_tweedie,
)

Floats = NDArray[np.float64]


@runtime_checkable
class CustomLoss(Protocol):
    """A loss of the user's own: one raw value per row, identity link.

    It may also have ``loss(y, raw)``, one number per row, for the history and for early stopping, and
    ``baseline(y, weight)``, where boosting starts (the weighted mean of y if there is none).
    """

    def gradient_hessian(self, y: Floats, raw: Floats) -> tuple[Floats, Floats]:
        """First and second derivative of each row's loss in raw, without weights."""
        ...


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss the kernels know."""

    name: str
    link: Link
    start: Callable[[Floats, Floats, Floats, int], Floats]  # y, weight, offset (n_outputs, n), n_outputs → baseline
    least: float = -np.inf  # smallest target it takes
    least_counts: bool = True
    most: float = np.inf  # size beyond which sums of squares are no numbers any more
    parameter: float = 0.0
    renews: float | None = None  # leaves take this quantile of their residuals instead of a Newton step

    @property
    def number(self) -> int:
        """Position in the kernels' enum."""
        return _ORDER.index(self.name)

    def check(self, y: Floats) -> None:
        """Raise `TableError` naming the first row whose target the loss does not take."""
        wrong = (y < self.least) if self.least_counts else (y <= self.least)
        if wrong.any():
            row = int(wrong.argmax())
            limit = "at least" if self.least_counts else "above"
            raise TableError(f"the {self.name} loss takes targets {limit} 0, found {y[row]:g} in row {row}")

    def check_training(self, y: Floats, weight: Floats) -> None:
        """Raise `TableError` if nothing can be learnt from targets: none above 0, or squares beyond all numbers."""
        self.check(y)
        counted = y[weight > 0] if len(weight) else y
        if self.link == LOG and not np.any(counted > 0):
            raise TableError(f"the {self.name} loss needs a target above 0 in at least one row of positive weight")
        largest = float(np.abs(counted).max())
        spread = largest if self.link == LOG else float(np.ptp(counted / 2))
        if largest > self.most or 0 < spread < 1 / self.most:
            raise TableError(
                f"y is as large as {largest:g}; the {self.name} loss takes sizes up to {self.most:g} and differences "
                f"from {1 / self.most:g}: divide y by a constant first"
            )

    def fill(self, y: Floats, raw: Floats, weight: Floats, grad: Floats, hess: Floats, n_threads: int) -> None:
        """Write gradient and hessian, times the weight; all but y and weight are (n_outputs, n)."""
        _native.fill_gradients(self.number, self.parameter, y, raw, weight, grad, hess, n_threads)

    def mean(self, y: Floats, raw: Floats, weight: Floats, n_threads: int) -> float:
        """Weighted mean of the loss."""
        return _native.mean_loss(self.number, self.parameter, y, raw, weight, n_threads)


@dataclass(frozen=True, slots=True)
class OwnLoss:
    """A user's loss in the shape of `Loss`."""

    custom: CustomLoss
    link: Link = IDENTITY
    renews: float | None = None

    @property
    def name(self) -> str:
        """Name of the user's class."""
        return type(self.custom).__name__

    def check(self, y: Floats) -> None:
        """Take any target."""

    def check_training(self, y: Floats, weight: Floats) -> None:
        """Take any target."""

    def check_watched(self) -> None:
        """Raise `OptionError` if early stopping would have nothing to watch."""
        if not hasattr(self.custom, "loss"):
            raise OptionError(f"early_stopping watches the loss, and {self.name} has no loss(y, raw)")

    def start(self, y: Floats, weight: Floats, offset: Floats, n_outputs: int) -> Floats:
        """Start where the user says, else at the mean."""
        baseline = getattr(self.custom, "baseline", None)
        if baseline is None:
            return start_of_mean(y, weight, offset, n_outputs)
        return self._numbers("baseline", baseline(y.copy(), weight.copy()), ())[None]

    def fill(self, y: Floats, raw: Floats, weight: Floats, grad: Floats, hess: Floats, n_threads: int) -> None:
        """Write what the user's object gives, times the weight."""
        # copies: what the user's code does to its arguments must not reach the caller's target
        pair = self.custom.gradient_hessian(y.copy(), raw[0].copy())
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise OptionError(f"gradient_hessian of {self.name} must give two arrays, the gradient and the hessian")
        for out, given, what in zip((grad, hess), pair, ("gradient", "hessian"), strict=True):
            out[0] = self._numbers(what, given, y.shape)
        np.maximum(hess[0], 1e-6, out=hess[0])
        if len(weight):
            grad[0] *= weight
            hess[0] *= weight

    def mean(self, y: Floats, raw: Floats, weight: Floats, n_threads: int) -> float:
        """Weighted mean of the user's loss; NaN if there is none."""
        loss = getattr(self.custom, "loss", None)
        if loss is None:
            return float("nan")
        values = self._numbers("loss", loss(y.copy(), raw[0].copy()), y.shape)
        return float(np.average(values, weights=weight if len(weight) else None))

    def _numbers(self, what: str, given: Any, shape: tuple[int, ...]) -> Floats:
        try:
            values = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            values = np.array(np.nan)
        if values.shape != shape or not np.isfinite(values).all():
            wanted = f"{shape[0]} finite numbers, one per row" if shape else "a finite number"
            raise OptionError(f"the {what} of {self.name} must be {wanted}")
        return values


AnyLoss = Loss | OwnLoss

_ORDER = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie", "logistic", "softmax")
REGRESSION_LOSSES = _ORDER[:6]


def make_loss(loss: Any, *, alpha: float, power: float) -> AnyLoss:
    """Find a loss by its name, or wrap an object that gives gradients."""
    if not isinstance(loss, str):
        if not isinstance(loss, CustomLoss):
            raise OptionError(f"loss must be a name or an object with gradient_hessian(y, raw); got {loss!r}")
        return OwnLoss(loss)
    match loss:
        case "squared_error":
            return Loss(loss, IDENTITY, start_of_mean, most=1e120)
        case "absolute_error":
            return Loss(loss, IDENTITY, start_of_quantile(0.5), renews=0.5)
        case "quantile":
            return Loss(loss, IDENTITY, start_of_quantile(alpha), parameter=alpha, renews=alpha)
        case "poisson":
            return Loss(loss, LOG, start_of_poisson, least=0.0, most=1e80)
        case "gamma":
            return Loss(loss, LOG, start_of_gamma, least=0.0, least_counts=False, most=1e80)
        case "tweedie":
            return Loss(loss, LOG, start_of_tweedie(power), least=0.0, most=1e80, parameter=power)
        case "logistic":
            return Loss(loss, LOGIT, start_of_logistic)
        case "softmax":
            return Loss(loss, SOFTMAX, start_of_softmax)
    raise OptionError(f"loss must be one of {', '.join(map(repr, _ORDER))}; got {loss!r}")
