"""credibility_grid: credibility and gain of each rule for given spread, noise and number of rows, without data."""

from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import check_choice
from glasswood.errors import OptionError
from glasswood.results import CredibilityGrid

GAINS = _native.gain_names()
SPREADS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
_LARGEST, _MAX_ROWS = float(np.finfo(np.float64).max), 2**53
SDS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def credibility_grid(
    spread: Sequence[float] = SPREADS,
    sd: Sequence[float] = SDS,
    n: int | Sequence[int] = 1000,
    gain: str | Sequence[str] = ("cred_std", "cred_var"),
) -> CredibilityGrid:
    """Credibility Z and gain of a child for combinations of spread, noise and rows.

    A child has `n` rows whose residuals have mean −spread and population standard deviation sd. It is split from its
    mirror image with mean +spread; the gain is half the gain of the split, with l2 = 0. Z is VHM/(VHM + EVPV) for
    ``cred_var``, the ratio of the roots for ``cred_std``, max(0, 1 − N0/B) for ``welch``, the only rule that depends on
    `n`, and 1 for ``newton``.

    Parameters
    ----------
    spread, sd : sequence of float
        Means (without sign) and standard deviations, above 0.
    n : int or sequence of int
        Rows of a child, at least 2.
    gain : str or sequence of {"newton", "cred_var", "cred_std", "welch"}
        Rules.

    Returns
    -------
    CredibilityGrid

    Examples
    --------
    >>> import glasswood as gw
    >>> grid = gw.credibility_grid(spread=[0.1], sd=[0.1, 0.5], n=1000, gain="cred_std")
    >>> grid.credibility.ravel().round(5).tolist()
    [0.5, 0.16667]
    >>> grid.gain.ravel().round(3).tolist()
    [50.0, 16.667]
    """
    rules = _listed("gain", gain)
    for rule in rules:
        check_choice("gain", rule, GAINS)
    spreads, sds, counts = _positive("spread", spread), _positive("sd", sd), _counts(n)
    shape = (len(counts), len(spreads), len(sds))
    rows, mean, noise = (axis.ravel() for axis in np.meshgrid(counts, spreads, sds, indexing="ij"))
    left, right = _sums(rows, mean, noise), _sums(rows, -mean, noise)
    credibility, gains = [], []
    for rule in rules:
        whole = split_gains(rule, left, right, 0.0)
        z = np.maximum(0.0, 1.0 - 1.0 / whole) if rule == "welch" else _native.credibilities(rule, left)
        credibility.append(z.reshape(shape))
        gains.append((whole / 2).reshape(shape))
    return CredibilityGrid(
        spread=spreads, sd=sds, n=counts, rules=rules, credibility=np.array(credibility), gain=np.array(gains)
    )


def split_gains(gain: str, left: NDArray[np.float64], right: NDArray[np.float64], l2: float) -> NDArray[np.float64]:
    """Gain of each split; a row of `left` and of `right` is Σg, Σg²/h, Σh and Σweight of one child."""
    return _native.split_gains(gain, left, right, l2)


def _sums(n: NDArray[Any], mean: NDArray[Any], sd: NDArray[Any]) -> NDArray[np.float64]:
    """Σg, Σg²/h, Σh and Σweight of n rows of unit weight with this mean gradient and standard deviation."""
    return np.ascontiguousarray(np.column_stack([n * mean, n * (mean**2 + sd**2), n, n]), dtype=np.float64)


def _listed(name: str, given: Any) -> tuple[Any, ...]:
    """One value, or several, as a tuple."""
    found = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    if not found:
        raise OptionError(f"{name} is empty; give at least one")
    return found


def _positive(name: str, given: Any) -> NDArray[np.float64]:
    values = _listed(name, given)
    if not all(isinstance(value, Real) for value in values) or not all(0 < value <= _LARGEST for value in values):
        raise OptionError(f"{name} must be numbers above 0; got {given!r}")
    return np.array(values, dtype=np.float64)


def _counts(given: Any) -> NDArray[np.int64]:
    values = [int(n) if isinstance(n, float) and n.is_integer() else n for n in _listed("n", given)]
    if not all(isinstance(n, Integral) for n in values) or not all(2 <= n <= _MAX_ROWS for n in values):
        raise OptionError(f"n must be at least 2, a whole number; got {given!r}")
    return np.array(values, dtype=np.int64)
