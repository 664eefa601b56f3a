"""From counted paths to a RuleSet: selection, outputs on the training rows, and weights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_whole
from glasswood._exact import exact_column_means, exact_sum
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import AlignedRows, FeatureSchema, Provenance
from glasswood.errors import OptionError, warn
from glasswood.explain.rules._as_trees import rule_trees
from glasswood.explain.rules._paths import PathCounts
from glasswood.explain.rules._rule_set import RuleSet
from glasswood.explain.rules._stability import expected_stability
from glasswood.explain.rules._sums import rule_sums
from glasswood.explain.rules._target import RuleTarget
from glasswood.explain.rules._weights import rule_weights
from glasswood.results import Condition, Rule
from glasswood.tables import FrameKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions:
    """Which paths become rules, and how they are weighted."""

    p0: float = 0.0
    max_rules: int = 25
    l2: float | None = None  # of the regression weights; None chooses it by cross-validation
    seed: int = 0  # of the folds
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.p0, int | float | np.number) or not 0 <= self.p0 < 1:
            raise OptionError(f"p0 must be a share of the trees, at least 0 and below 1; got {self.p0!r}")
        check_whole("max_rules", self.max_rules, 1)
        if self.l2 is not None and not 0 <= self.l2 < np.inf:
            raise OptionError(f"l2 must be a number, at least 0, or None; got {self.l2!r}")


def fit_rules(
    counts: PathCounts,
    rows: AlignedRows,
    target: RuleTarget,
    weight: NDArray[np.float64],
    options: RuleOptions,
    *,
    exponent: int = 0,
    kind: FrameKind | None = None,
) -> RuleSet:
    """Choose the rules, compute their outputs from all training rows, and weight them (spec steps 4 to 6).

    Weights are scaled to an ordinary size by 2^exponent.
    """
    features = counts.grid.features
    chosen, conditions, masks = choose_rules(counts, rows, weight, options)
    mean = exact_column_means(target.y, weight)
    # numbers are centred, which keeps their digits; class shares are exact without it
    middle = mean if target.labels is None else np.zeros(len(mean))
    support, inside, outside = rule_outputs(masks, target.y - middle, weight)
    if target.labels is not None or not len(chosen):
        coefficient, l2 = np.full(len(chosen), 1.0 / max(len(chosen), 1)), None
    else:
        y, middle_y = target.y[:, 0], float(mean[0])
        fitted = rule_weights(
            masks, inside[:, 0], outside[:, 0], y, weight, mean=middle_y, l2=options.l2, seed=options.seed
        )
        coefficient, l2 = fitted.coefficient, fitted.l2
    frequency = counts.count[chosen] / counts.n_trees
    rules = tuple(
        Rule(
            conditions=conditions[r],
            support=math.ldexp(support[r], exponent),
            inside=inside[r] + middle,
            outside=outside[r] + middle,
            frequency=float(frequency[r]),
            frequency_se=float(np.sqrt(frequency[r] * (1 - frequency[r]) / counts.n_trees)),
            coefficient=float(coefficient[r]),
        )
        for r in range(len(chosen))
        if coefficient[r] > 0
    )
    found = RuleSet(
        rules=rules,
        # the output of every rule has the mean of y, so this intercept gives the prediction the mean of y too
        intercept=mean * (1.0 - coefficient.sum()) if len(chosen) and target.labels is None else mean * (not rules),
        mean=mean,
        features=features,
        outputs=target.outputs,
        task="regression" if target.labels is None else "classification",
        n_trees=counts.n_trees,
        weight=math.ldexp(exact_sum(weight), exponent),
        stability=expected_stability(counts.count, counts.n_trees, float(options.p0)),
        l2=l2,
        score=float("nan"),
        kind=kind,
    )
    fired = masks[:, coefficient > 0]
    return replace(found, score=target.score(found.combine(fired), weight))


def rule_outputs(
    masks: NDArray[np.bool_], y: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weight inside, and weighted means of y inside and outside, for every rule."""
    sums = rule_sums(masks, np.column_stack([weight, y * weight[:, None]]))
    inside, outside = sums.inside[:, 0].T, sums.outside[:, 0].T  # (n_rules, 1 + n_outputs)
    return inside[:, 0], inside[:, 1:] / inside[:, :1], outside[:, 1:] / outside[:, :1]


def rule_masks(
    rules: Sequence[Sequence[Condition]], features: FeatureSchema, rows: AlignedRows, n_jobs: int | None
) -> NDArray[np.bool_]:
    """Which rows are inside each rule, (n_rows, n_rules)."""
    if not rules:
        return np.zeros((rows.n_rows, 0), dtype=bool)
    nothing: NDArray[np.float64] = np.zeros((len(rules), 1))
    source = Provenance(library="glasswood", version="", model="rules", objective="", weight_kind="weights")
    trees, leaf = rule_trees(rules, features, nothing, nothing, baseline=np.zeros(1), outputs=("y",), source=source)
    return np.asarray(trees._plan().apply(rows.data, resolve_n_jobs(n_jobs)) == leaf)


def choose_rules(
    counts: PathCounts, rows: AlignedRows, weight: NDArray[np.float64], options: RuleOptions
) -> tuple[NDArray[np.int32], list[tuple[Condition, ...]], NDArray[np.bool_]]:
    """Chosen paths with their conditions and masks; a rule without rows inside or outside is skipped."""
    excluded, counted = np.zeros(len(counts.count), dtype=bool), weight > 0
    known: dict[int, Any] = {}
    while True:
        chosen = counts.choose(float(options.p0), int(options.max_rules), excluded)
        new = [p for p in chosen.tolist() if p not in known]
        asked = [counts.conditions(p) for p in new]
        masks = rule_masks(asked, counts.grid.features, rows, options.n_jobs)
        inside = np.count_nonzero(masks & counted[:, None], axis=0)
        known |= {p: (asked[i], masks[:, i]) for i, p in enumerate(new)}
        empty = [p for p, n in zip(new, inside, strict=True) if not 0 < n < np.count_nonzero(counted)]
        if not empty:
            break
        excluded[empty] = True
    columns = [known[p][1] for p in chosen.tolist()]
    return (
        chosen,
        [known[p][0] for p in chosen.tolist()],
        np.column_stack(columns) if columns else np.zeros((rows.n_rows, 0), dtype=bool),
    )


def warn_if_empty(found: RuleSet, p0: float) -> None:
    """Warn if no rule was found."""
    if not len(found):
        warn(f"no path is in more than p0={p0:g} of the trees; the model is the mean of y")
