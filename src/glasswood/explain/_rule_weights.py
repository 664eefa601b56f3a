"""Rule weights: non-negative ridge on the outputs of rules, its penalty chosen by cross-validation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native

N_FOLDS = 10
# Multiples of the mean variance of a rule's output, largest first: at the ends a constant and plain least squares.
_PENALTIES = np.logspace(4, -6, 51)
_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, eq=False)
class RuleWeights:
    """β >= 0 with its intercept."""

    coefficient: NDArray[np.float64]  # (n_rules,)
    l2: float


def rule_weights(
    masks: NDArray[np.bool_],
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    *,
    mean: float,
    l2: float | None,
    seed: int,
) -> RuleWeights:
    """Minimise (1/n)‖y − β0 − Γβ‖² + λ‖β‖² over β >= 0 (Bénard et al., AISTATS 2021, eq. (2.4)).

    Γ holds the output of each rule for each row: `inside` where its mask is true, else `outside`. All its columns have
    the mean of y, from which `inside` and `outside` are measured. λ is `l2`, or chosen by 10-fold cross-validation.
    """
    fold = row_folds(masks, y, seed) if l2 is None else np.zeros(len(y), dtype=np.int64)
    return solve_weights(output_moments(masks, inside, outside, y - mean, weight, fold), l2)


def output_moments(
    masks: NDArray[np.bool_],
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    y: NDArray[np.float64],
    weight: NDArray[np.float64],
    fold: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Weighted second moments of (1, Γ, y) in each fold, (n_folds, n + 2, n + 2)."""
    n = masks.shape[1]
    # from (1, mask, y) to (1, Γ, y)
    change = np.zeros((n + 2, n + 2))
    change[0, 0] = change[-1, -1] = 1.0
    change[0, 1:-1] = outside
    change[np.arange(1, n + 1), np.arange(1, n + 1)] = inside - outside
    return np.asarray(change.T @ _moments(masks, y, weight, fold) @ change)


def solve_weights(folds: NDArray[np.float64], l2: float | None) -> RuleWeights:
    """Weights from the moments of the folds, which are all that cross-validation needs."""
    total = folds.sum(axis=0)
    gram, target = _centred(total)
    if l2 is None:
        penalties = _PENALTIES * float(np.trace(gram)) / max(len(target), 1)
        errors = _errors(folds, total, penalties)
        l2 = float(penalties[int(np.argmin(errors))])
    beta = _native.nonnegative_ridge(gram, target, np.array([l2]))[0]
    return RuleWeights(coefficient=beta, l2=l2)


def row_folds(masks: NDArray[np.bool_], y: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
    """Fold of each row, drawn from what the row is: equal rows share a fold, so a weight of k stays k rows."""
    packed = np.packbits(masks, axis=1)
    words = np.zeros((len(y), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    mixed = _mix((y + 0.0).view(np.uint64) + np.uint64(seed % 2**64))
    for word in np.ascontiguousarray(words).view(np.uint64).T:
        mixed = _mix(mixed ^ word)
    return (mixed % np.uint64(N_FOLDS)).astype(np.int64)


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's step."""
    z = z + np.uint64(_GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _moments(
    masks: NDArray[np.bool_], y: NDArray[np.float64], weight: NDArray[np.float64], fold: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Weighted second moments of (1, mask, y) in each fold that has weight, (n_folds, n + 2, n + 2)."""
    moments = []
    for k in range(int(fold.max(initial=0)) + 1):
        rows = np.flatnonzero((fold == k) & (weight > 0))
        if len(rows):
            both = np.column_stack([np.ones(len(rows)), masks[rows], y[rows]])
            moments.append(both.T @ (both * weight[rows, None]))
    return np.array(moments)


def _centred(moments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Covariance of Γ, and of Γ and y."""
    mean = moments[0] / moments[0, 0]
    covariance = moments / moments[0, 0] - np.outer(mean, mean)
    return np.ascontiguousarray(covariance[1:-1, 1:-1]), np.ascontiguousarray(covariance[1:-1, -1])


def _errors(
    folds: NDArray[np.float64], total: NDArray[np.float64], penalties: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Squared error of each penalty on the rows left out, all folds together."""
    errors = np.zeros(len(penalties))
    for fold in folds:
        rest = total - fold
        if not rest[0, 0] > 0:  # all rows are in one fold: nothing to learn from
            continue
        beta = _native.nonnegative_ridge(*_centred(rest), penalties)
        mean = rest[0] / rest[0, 0]
        residual = np.column_stack([beta @ mean[1:-1] - mean[-1], -beta, np.ones(len(penalties))])
        errors += np.einsum("pi,ij,pj->p", residual, fold, residual)
    return errors
