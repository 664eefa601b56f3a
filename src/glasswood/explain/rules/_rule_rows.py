"""RuleRows: the rows that rules are weighed on, all of them or a part, and what is summed over them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._exact import fixed_numbers
from glasswood.explain._parts import Parts, part_means, part_sums
from glasswood.explain._scores import mean_area
from glasswood.explain.rules._target import RuleTarget

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_NONE = np.empty(0)


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
    (total,), (left,) = part_means(parts.keep(_squares, float(mean[0])), _given), part_means(parts, _residuals)
    return 1.0 - float(left) / float(total) if total > 0 else float("nan")


def _numbers(scored: Scored) -> tuple[Floats, Floats]:
    return scored.target.y[:, :1].T, scored.weight


def _squares(scored: Scored, mean: float) -> tuple[Floats, Floats]:
    return ((scored.target.y[:, 0] - mean) ** 2)[None], scored.weight


def _given(part: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return part


def _residuals(scored: Scored) -> tuple[Floats, Floats]:
    return ((scored.target.y[:, 0] - scored.prediction[:, 0]) ** 2)[None], scored.weight


def _auc(parts: Parts, output: int, label: int) -> float:
    (total,) = part_sums(parts, _weights)
    unit = fixed_numbers(np.array([total]))[1]
    score, below, above = parts.merged(_by_score, _counts, output, label, unit)
    positive = np.repeat([False, True], len(score))
    (high, low), n_below, n_above = _native.score_pairs(
        np.concatenate([score, score]), positive, np.concatenate([below, above])
    )
    every = n_below * n_above
    return 0.5 * (float((high << 64) + low) / float(every)) if every else float("nan")


def _weights(scored: Scored) -> tuple[Floats, Floats]:
    return scored.weight[None], _NONE


def _counts(scored: Scored, output: int, label: int, unit: float) -> tuple[Floats, Ints, Ints]:
    """Distinct scores, and the weight of the negative and of the positive rows with each, in units."""
    labels = scored.target.labels
    assert labels is not None
    score, whole = np.round(scored.prediction[:, output], 12), np.rint(scored.weight / unit).astype(np.int64)
    positive = labels == label
    return _added(score, np.where(positive, 0, whole), np.where(positive, whole, 0))


def _by_score(one: tuple[Floats, Ints, Ints], other: tuple[Floats, Ints, Ints]) -> tuple[Floats, Ints, Ints]:
    score, below, above = (np.concatenate(both) for both in zip(one, other, strict=True))
    return _added(score, below, above)


def _added(score: Floats, below: Ints, above: Ints) -> tuple[Floats, Ints, Ints]:
    """Sums of the rows with equal scores."""
    distinct, which = np.unique(score, return_inverse=True)
    sums: list[Any] = [np.zeros(len(distinct), dtype=np.int64) for _ in range(2)]
    for out, part in zip(sums, (below, above), strict=True):
        np.add.at(out, which, part)
    return distinct, sums[0], sums[1]
