"""Losses: what boosting minimises, where it starts, and which targets are allowed."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import largest_size
from glasswood.ensemble import IDENTITY, LOG, LOGIT, SOFTMAX, Link
from glasswood.errors import OptionError, TableError
from glasswood.team import ALONE, Exchange, add_up, agree, largest, team_sum, team_total
from glasswood.train.boosting._baselines import (
    Start,
    start_of_gamma,
    start_of_logistic,
    start_of_mean,
    start_of_poisson,
    start_of_quantile,
    start_of_softmax,
    start_of_tweedie,
)
from glasswood.train.boosting._custom_loss import CustomLoss, CustomLossAdapter

Floats = NDArray[np.float64]

# up to this size the square of e^offset is finite and the trees' part of raw is not lost beside the offset
_LARGEST_OFFSET = {LOG: 350.0, LOGIT: 1e6, SOFTMAX: 1e6}


class Loss(Protocol):
    """What boosting needs from a loss; raw is (n_outputs, n), the other arrays are (n,) or empty."""

    @property
    def name(self) -> str:
        """Name in the history."""
        ...

    @property
    def link(self) -> Link:
        """Link between raw and the prediction."""
        ...

    @property
    def leaf_quantile(self) -> float | None:
        """Quantile of the residuals that becomes the value of a leaf; None if leaves take a Newton step."""
        ...

    @property
    def variance_power(self) -> float:
        """Power q of a loss on the log scale with variance μ^q; NaN for other losses."""
        ...

    @property
    def unit_hessian(self) -> bool:
        """Whether the hessian of every row is its weight."""
        ...

    @property
    def objective(self) -> str:
        """Description of what is minimised."""
        ...

    @property
    def start(self) -> Start:
        """Function of y, weight, offset (n_outputs, n), n_outputs and the team that returns the baseline."""
        ...

    def check(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Raise `TableError` for targets or offsets that the loss does not allow."""
        ...

    def check_training(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Raise `TableError` if nothing can be learnt from these targets."""
        ...

    def check_watched(self) -> None:
        """Raise `OptionError` if early stopping has no loss to watch."""
        ...

    def fill(
        self, y: Floats, raw_by_output: Floats, weight: Floats, grad: Floats, hess: Floats, n_threads: int
    ) -> None:
        """Write gradient and hessian, both in the shape of raw, times the weight."""
        ...

    def mean(self, y: Floats, raw_by_output: Floats, weight: Floats, n_threads: int) -> float:
        """Weighted mean of the loss."""
        ...


@dataclass(frozen=True, slots=True)
class KernelLoss:
    """A loss that the kernels compute."""

    name: str
    link: Link
    start: Start
    least: float = -np.inf  # smallest target allowed
    least_counts: bool = True
    most: float = 1e305  # largest size for which its sums are finite
    parameter_name: str = ""
    parameter: float = 0.0
    leaf_quantile: float | None = None
    team: Exchange = ALONE  # members whose rows count too

    @property
    def variance_power(self) -> float:
        """Power q of a loss on the log scale with variance μ^q; NaN for other losses."""
        return {"poisson": 1.0, "gamma": 2.0, "tweedie": self.parameter}.get(self.name, np.nan)

    @property
    def unit_hessian(self) -> bool:
        """Whether the hessian of every row is its weight."""
        return self.name in ("squared_error", "absolute_error", "quantile")

    @property
    def objective(self) -> str:
        """Description of what is minimised: the name and, if there is one, the parameter."""
        return f"{self.name}({self.parameter_name}={self.parameter!r})" if self.parameter_name else self.name

    def check(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Raise `TableError` that names a row whose target or offset the loss does not allow."""
        agree(self.team, lambda: self._check_rows(y, offset))
        what, sizes = "y", y
        if offset is not None and self.link == IDENTITY:
            with np.errstate(over="ignore"):  # an overflow means too large
                what, sizes = "y − offset", y - offset[0]
        most, heaviest = largest(self.team, [largest_size(sizes), weight.max(initial=0.0)])
        # gradients are multiplied by the weight
        if most > self.most / max(heaviest, 1.0):
            raise TableError(self._beyond(f"{what} is as large as {most:g}"))

    def _check_rows(self, y: Floats, offset: Floats | None) -> None:
        wrong = (y < self.least) if self.least_counts else (y <= self.least)
        if wrong.any():
            row = int(wrong.argmax())
            limit = "at least" if self.least_counts else "above"
            raise TableError(f"the {self.name} loss takes targets {limit} 0, found {y[row]:g} in row {row}")
        if offset is not None:
            self._check_offset(offset)

    def check_training(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Raise `TableError` if nothing can be learnt: no target above 0, or squares that overflow or underflow."""
        self.check(y, offset, weight)
        counted = y[weight > 0] if len(weight) else y
        highest, lowest = largest(self.team, [counted.max(initial=-np.inf), -counted.min(initial=np.inf)])
        if self.link == LOG and not highest > 0:
            raise TableError(f"the {self.name} loss needs a target above 0 in at least one row of positive weight")
        spread = float(highest if self.link == LOG else highest / 2 + lowest / 2)
        if 0 < spread < 1 / self.most:
            raise TableError(self._beyond(f"all of y lies within {spread:g}"))

    def _check_offset(self, offset: Floats) -> None:
        sizes = np.abs(offset).max(axis=0)
        limit = _LARGEST_OFFSET.get(self.link, np.inf)
        if np.any(sizes > limit):
            row = int(np.argmax(sizes > limit))
            raise TableError(
                f"offset is as large as {sizes[row]:g} in row {row}; it is on the {self.link} scale, where the "
                f"{self.name} loss takes up to {limit:g}"
            )

    def _beyond(self, found: str) -> str:
        return (
            f"{found}; the {self.name} loss takes sizes up to {self.most:g} (less for weights above 1) and differences "
            f"from {1 / self.most:g}: divide y by a constant first"
        )

    def check_watched(self) -> None:
        """Do nothing: every loss of the kernels can be watched."""

    def fill(
        self, y: Floats, raw_by_output: Floats, weight: Floats, grad: Floats, hess: Floats, n_threads: int
    ) -> None:
        """Write gradient and hessian, times the weight."""
        _native.fill_gradients(self.name, self.parameter, y, raw_by_output, weight, grad, hess, n_threads)

    def mean(self, y: Floats, raw_by_output: Floats, weight: Floats, n_threads: int) -> float:
        """Weighted mean of the loss."""
        if self.team.size == 1:
            return _native.mean_loss(self.name, self.parameter, y, raw_by_output, weight, n_threads)
        losses = _native.RowLosses(self.name, self.parameter, y, raw_by_output, weight, n_threads)
        n_rows, n_weights = add_up(self.team, [len(y), len(weight)]).tolist()
        total = team_sum(self.team, weight) if n_weights else float(n_rows)
        whole = team_total(self.team, *losses.range, lambda exponent: losses.whole_sum(exponent, n_threads))
        return whole / total if total else float("nan")


REGRESSION_LOSSES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie")


def make_loss(loss: Any, *, quantile: float, power: float, team: Exchange = ALONE) -> Loss:
    """Find a loss by its name, or wrap an object that computes gradients; it is measured on the rows of all members."""
    return replace(_find_loss(loss, quantile, power), team=team)


def _find_loss(loss: Any, quantile: float, power: float) -> KernelLoss | CustomLossAdapter:
    if not isinstance(loss, str):
        if not isinstance(loss, CustomLoss):
            raise OptionError(f"loss must be a name or an object with gradient_hessian(y, raw); got {loss!r}")
        return CustomLossAdapter(loss)
    match loss:
        case "squared_error":
            return KernelLoss(loss, IDENTITY, start_of_mean, most=1e120)
        case "absolute_error":
            return KernelLoss(loss, IDENTITY, start_of_quantile(0.5), leaf_quantile=0.5)
        case "quantile":
            return KernelLoss(
                loss,
                IDENTITY,
                start_of_quantile(quantile),
                parameter_name="quantile",
                parameter=float(quantile),
                leaf_quantile=quantile,
            )
        case "poisson":
            return KernelLoss(loss, LOG, start_of_poisson, least=0.0, most=1e80)
        case "gamma":
            return KernelLoss(loss, LOG, start_of_gamma, least=0.0, least_counts=False, most=1e80)
        case "tweedie":
            return KernelLoss(
                loss, LOG, start_of_tweedie(power), least=0.0, most=1e80, parameter_name="power", parameter=float(power)
            )
        case "logistic":
            return KernelLoss(loss, LOGIT, start_of_logistic)
        case "softmax":
            return KernelLoss(loss, SOFTMAX, start_of_softmax)
    raise OptionError(f"loss must be one of {', '.join(map(repr, _native.loss_names()))}; got {loss!r}")
