"""RuleRows: the rows that rules are weighed on, all of them or a part, and what is summed over them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import fixed_numbers
from glasswood.explain._parts import (
    Parts,
    ValueSums,
    as_given,
    join_values,
    part_means,
    part_sum,
    sums_by_value,
)
from glasswood.explain._scores import mean_area
from glasswood.explain.rules._target import RuleTarget

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RuleRows:
    """Which rules hold for which rows, with the target and the weight of each."""

    masks: NDArray[np.bool_]  # (n_rows, n_rules)
    target: RuleTarget
    weight: Floats  # (n_rows,)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A prediction and what it is compared with."""

    prediction: Floats  # (n_rows, n_outputs)
    target: RuleTarget
    weight: Floats


def score_in_parts(parts: Parts, n_outputs: int, *, classes: bool) -> float:
    """R², or the area under the ROC curve, of parts that are `Scored`; as `RuleTarget.score` of all rows."""
    if classes:
        if n_outputs == 1:
            return _auc(parts, 0, 1)
        return mean_area([_auc(parts, k, k) for k in range(n_outputs)])
    mean = part_means(parts, _numbers)
    (total,), (left,) = part_means(parts.keep(_squares, float(mean[0])), as_given), part_means(parts, _residuals)
    return 1.0 - float(left) / float(total) if total > 0 else float("nan")


def _numbers(scored: Scored) -> tuple[Floats, Floats]:
    return scored.target.y[:, :1].T, scored.weight


def _squares(scored: Scored, mean: float) -> tuple[Floats, Floats]:
    return ((scored.target.y[:, 0] - mean) ** 2)[None], scored.weight


def _residuals(scored: Scored) -> tuple[Floats, Floats]:
    return ((scored.target.y[:, 0] - scored.prediction[:, 0]) ** 2)[None], scored.weight


def _auc(parts: Parts, output: int, label: int) -> float:
    unit = fixed_numbers(np.array([part_sum(parts, _weight)]))[1]
    score, below, above = parts.merged(join_values, _counts, output, label, unit)
    positive = np.repeat([False, True], len(score))
    (high, low), n_below, n_above = _native.score_pairs(
        np.concatenate([score, score]), positive, np.concatenate([below, above])
    )
    every = n_below * n_above
    return 0.5 * (float((high << 64) + low) / float(every)) if every else float("nan")


def _weight(scored: Scored) -> Floats:
    return scored.weight


def _counts(scored: Scored, output: int, label: int, unit: float) -> ValueSums:
    """Distinct scores, and the weight of the negative and of the positive rows with each, in units."""
    labels = scored.target.labels
    assert labels is not None
    score, whole = np.round(scored.prediction[:, output], 12), np.rint(scored.weight / unit).astype(np.int64)
    positive = labels == label
    return sums_by_value(score, np.where(positive, 0, whole), np.where(positive, whole, 0))
