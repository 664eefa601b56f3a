"""Rule weights: non-negative ridge regression on the outputs of rules, with a penalty from cross-validation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.explain.rules._sums import RuleSums, rule_sums

N_FOLDS = 10
# Multiples of the mean variance of a rule's output, largest first; the ends are close to a constant and to least
# squares. They are 10⁴, 10³·⁸ … 10⁻⁶ as decimals, because powers have different last bits on different machines.
_FIFTHS = ("1", "1.584893192461114", "2.511886431509580", "3.981071705534973", "6.309573444801933")
_PENALTIES = np.array([float(f"{_FIFTHS[k % 5]}e{k // 5}") for k in range(20, -31, -1)])
_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, eq=False)
class RuleWeights:
    """Coefficients of the rules, none negative, and the penalty they were fitted with."""

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

    Γ holds the output of each rule for each row: `inside` if its mask is true, otherwise `outside`. All its columns
    have the mean of y, and `inside` and `outside` are differences from it. λ is `l2`, or chosen by 10-fold
    cross-validation.
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
    return moments_of(rule_sums(masks, moment_values(y, weight), fold, with_pairs=True), inside, outside)


def moment_values(y: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is summed for the moments, (n_rows, 3)."""
    return np.column_stack([weight, weight * y, weight * y * y])


def moments_of(sums: RuleSums, inside: NDArray[np.float64], outside: NDArray[np.float64]) -> NDArray[np.float64]:
    """The moments from the sums of `moment_values` in each fold and over the rows of two rules."""
    # from (1, mask, y) to (1, Γ, y): Γ is `outside`, plus `step` if the mask is true. No matrix product, because BLAS
    # adds in an order that depends on its threads.
    moments, step = _moments(sums), inside - outside
    total, held, of_y = moments[:, :1, :1], moments[:, 1:-1, :1], moments[:, :1, -1:]
    column, row = (outside[:, None], outside[None, :])
    stepped = step[:, None] * held  # (n_folds, n_rules, 1)
    moments[:, 1:-1, 1:-1] *= step[:, None] * step[None, :]
    moments[:, 1:-1, 1:-1] += (column * row) * total + (column * stepped.transpose(0, 2, 1) + stepped * row)
    moments[:, 1:-1, -1:] = column * of_y + step[:, None] * moments[:, 1:-1, -1:]
    moments[:, 1:-1, :1] = column * total + stepped
    moments[:, -1:, 1:-1] = moments[:, 1:-1, -1:].transpose(0, 2, 1)
    moments[:, :1, 1:-1] = moments[:, 1:-1, :1].transpose(0, 2, 1)
    return moments


def solve_weights(folds: NDArray[np.float64], l2: float | None) -> RuleWeights:
    """Weights from the moments of the folds, which are sufficient for cross-validation."""
    total = folds.sum(axis=0)
    gram, target = _centred(total)
    if l2 is None:
        penalties = _PENALTIES * float(np.trace(gram)) / max(len(target), 1)
        errors = _errors(folds, total, penalties)
        l2 = float(penalties[int(np.argmin(errors))])
    beta = _native.nonnegative_ridge(gram, target, np.array([l2]))[0]
    return RuleWeights(coefficient=beta, l2=l2)


def row_folds(masks: NDArray[np.bool_], y: NDArray[np.float64], seed: int) -> NDArray[np.int64]:
    """Fold of each row, a hash of its content: equal rows share a fold, so a weight of k is equivalent to k rows."""
    packed = np.packbits(masks, axis=1)
    words = np.zeros((len(y), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    mixed = _mix((y + 0.0).view(np.uint64) + np.uint64(seed % 2**64))
    for word in np.ascontiguousarray(words).view(np.uint64).T:
        mixed = _mix(mixed ^ word)
    return (mixed % np.uint64(N_FOLDS)).astype(np.int64)


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The mixing step of SplitMix64."""
    z = z + np.uint64(_GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _moments(sums: RuleSums) -> NDArray[np.float64]:
    """Weighted second moments of (1, mask, y) in each fold that has weight, (n_folds, n + 2, n + 2)."""
    n = sums.both.shape[-1]
    moments = np.empty((sums.total.shape[1], n + 2, n + 2))
    moments[:, 0, 0], moments[:, -1, -1] = sums.total[0], sums.total[2]
    moments[:, 0, -1] = moments[:, -1, 0] = sums.total[1]
    moments[:, 0, 1:-1] = moments[:, 1:-1, 0] = sums.inside[0]
    moments[:, -1, 1:-1] = moments[:, 1:-1, -1] = sums.inside[1]
    moments[:, 1:-1, 1:-1] = sums.both
    return np.asarray(moments[sums.total[0] > 0])


def _centred(moments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Covariances of Γ, and of Γ and y."""
    mean = moments[0] / moments[0, 0]
    covariance = moments / moments[0, 0] - np.outer(mean, mean)
    return np.ascontiguousarray(covariance[1:-1, 1:-1]), np.ascontiguousarray(covariance[1:-1, -1])


def _errors(
    folds: NDArray[np.float64], total: NDArray[np.float64], penalties: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Squared error of each penalty on the rows left out, over all folds."""
    errors = np.zeros(len(penalties))
    for fold in folds:
        rest = total - fold
        if not rest[0, 0] > 0:  # all rows are in one fold, so there is nothing to train on
            continue
        beta = _native.nonnegative_ridge(*_centred(rest), penalties)
        mean = rest[0] / rest[0, 0]
        intercept = np.sum(beta * mean[1:-1], axis=1) - mean[-1]
        residual = np.column_stack([intercept, -beta, np.ones(len(penalties))])
        for part, line in zip(residual.T, fold, strict=True):
            errors += part * np.sum(residual * line, axis=1)
    return errors
