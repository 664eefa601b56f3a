"""CustomLoss: a loss defined by an object of the user; its results are checked at every call."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, Link
from glasswood.errors import OptionError
from glasswood.team import ALONE, Exchange, agree, largest, team_mean
from glasswood.train.boosting._baselines import start_of_mean

Floats = NDArray[np.float64]

_MIN_HESSIAN = 1e-6  # smallest hessian, as in the kernels
_MAX_SIZE = 1e100  # largest gradient or hessian: sums of squares of larger ones overflow


@runtime_checkable
class CustomLoss(Protocol):
    """A loss defined by the user: one raw value per row, identity link.

    It may also have ``loss(y, raw)``, which returns one number per row for the history and early stopping, and
    ``baseline(y, weight)``, where boosting starts (by default the weighted mean of y).

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> class Huber:
    ...     def gradient_hessian(self, y, raw):
    ...         return np.clip(raw - y, -1, 1), np.ones_like(y)
    ...
    >>> isinstance(Huber(), gw.CustomLoss)
    True
    >>> X = np.arange(8.0)[:, None]
    >>> gw.BoostingRegressor(loss=Huber(), n_estimators=10).fit(X, X[:, 0]).ensemble_.n_trees
    10
    """

    def gradient_hessian(self, y: Floats, raw: Floats) -> tuple[Floats, Floats]:
        """First and second derivative of each row's loss in raw, without weights.

        A second derivative below 1e-6 counts as 1e-6; if no row has a positive one, the loss is refused.
        """
        ...


@dataclass(frozen=True, slots=True)
class CustomLossAdapter:
    """Adapts a user's loss to the protocol `Loss`."""

    custom: CustomLoss
    link: Link = IDENTITY
    leaf_quantile: float | None = None
    team: Exchange = ALONE  # members whose rows count too

    @property
    def name(self) -> str:
        """Name of the user's class."""
        return type(self.custom).__name__

    @property
    def variance_power(self) -> float:
        """NaN: the minimum of a leaf is not known."""
        return np.nan

    @property
    def unit_hessian(self) -> bool:
        """False: the hessians are not known before the user's object computes them."""
        return False

    @property
    def objective(self) -> str:
        """Description of what is minimised."""
        return self.name

    def check(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Accept any target and offset."""

    def check_training(self, y: Floats, offset: Floats | None, weight: Floats) -> None:
        """Accept any target and offset."""

    def check_watched(self) -> None:
        """Raise `OptionError` if early stopping has no loss to watch."""
        if not hasattr(self.custom, "loss"):
            raise OptionError(f"early_stopping watches the loss, and {self.name} has no loss(y, raw)")

    def start(self, y: Floats, weight: Floats, offset: Floats, n_outputs: int, team: Exchange = ALONE) -> Floats:
        """The user's baseline, otherwise the mean."""
        baseline = getattr(self.custom, "baseline", None)
        if baseline is None:
            return start_of_mean(y, weight, offset, n_outputs, team)
        if team.size > 1:
            raise OptionError(
                f"baseline of {self.name} would see the rows of one member of the team only; leave it out"
            )
        given = baseline(y.copy(), weight.copy() if len(weight) else np.ones(len(y)))
        return self._numbers("baseline", given, ())[None]

    def fill(
        self, y: Floats, raw_by_output: Floats, weight: Floats, grad: Floats, hess: Floats, n_threads: int
    ) -> None:
        """Write what the user's object returns, times the weight."""
        agree(self.team, lambda: self._fill(y, raw_by_output, grad, hess))
        if not largest(self.team, [hess[0].max(initial=0.0)])[0] > 0:
            raise OptionError(
                f"the hessian of {self.name} is nowhere above 0; give ones where a loss has no second derivative"
            )
        np.maximum(hess[0], _MIN_HESSIAN, out=hess[0])
        if len(weight):
            grad[0] *= weight
            hess[0] *= weight

    def _fill(self, y: Floats, raw_by_output: Floats, grad: Floats, hess: Floats) -> None:
        # copies, so that the user's code cannot change the caller's target
        pair = self.custom.gradient_hessian(y.copy(), raw_by_output[0].copy())
        try:
            gradient, hessian = pair
        except (TypeError, ValueError):
            raise OptionError(
                f"gradient_hessian of {self.name} must give two arrays, the gradient and the hessian"
            ) from None
        grad[0] = self._numbers("gradient", gradient, y.shape)
        hess[0] = self._numbers("hessian", hessian, y.shape)

    def mean(self, y: Floats, raw_by_output: Floats, weight: Floats, n_threads: int) -> float:
        """Weighted mean of the user's loss; NaN if the object has none."""
        loss = getattr(self.custom, "loss", None)
        if loss is None:
            return float("nan")
        values = agree(self.team, lambda: self._numbers("loss", loss(y.copy(), raw_by_output[0].copy()), y.shape))
        return team_mean(self.team, values, weight)

    def _numbers(self, what: str, given: Any, shape: tuple[int, ...]) -> Floats:
        try:
            values = np.asarray(given)
            values = np.array(np.nan) if values.dtype.kind == "c" else values.astype(np.float64)
        except (TypeError, ValueError):
            values = np.array(np.nan)
        if values.shape != shape or not np.isfinite(values).all():
            wanted = f"{shape[0]} finite numbers, one per row" if shape else "a finite number"
            raise OptionError(f"the {what} of {self.name} must be {wanted}")
        if what in ("gradient", "hessian") and np.abs(values).max(initial=0.0) > _MAX_SIZE:
            raise OptionError(
                f"the {what} of {self.name} is as large as {np.abs(values).max():g}; boosting takes up to "
                f"{_MAX_SIZE:g}: divide the loss by a constant, or lower learning_rate if it grew from round to round"
            )
        return values
