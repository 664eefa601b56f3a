"""From counted paths to a RuleSet: selection, outputs on the training rows, and weights."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_whole
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import AlignedRows, FeatureSchema, Provenance
from glasswood.errors import OptionError, warn
from glasswood.explain._parts import OnePart, Parts, add_each, as_given, part_means, part_sum
from glasswood.explain.rules._as_trees import rule_trees
from glasswood.explain.rules._paths import PathCounts
from glasswood.explain.rules._rule_rows import RuleRows, Scored, score_in_parts
from glasswood.explain.rules._rule_set import RuleSet
from glasswood.explain.rules._stability import expected_stability
from glasswood.explain.rules._sums import Chosen, RuleSums, rule_sums, rule_sums_in_parts
from glasswood.explain.rules._target import RuleTarget
from glasswood.explain.rules._weights import moment_values, moments_of, row_folds, solve_weights
from glasswood.results import Condition, Rule
from glasswood.tables import FrameKind

Conditions: TypeAlias = tuple[Condition, ...]


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
    part = OnePart((rows, target, weight))
    return fit_in_parts(counts, part, as_given, options, exponent=exponent, kind=kind)


# opens a part: its rows, their target and weights
Opener = Callable[[Any], tuple[AlignedRows, RuleTarget, NDArray[np.float64]]]


def fit_in_parts(
    counts: PathCounts,
    parts: Parts,
    opener: Opener,
    options: RuleOptions,
    *,
    exponent: int = 0,
    kind: FrameKind | None = None,
) -> RuleSet:
    """The same of rows that lie in parts, which are opened to be looked at."""
    features = counts.grid.features
    chosen, conditions = choose_in_parts(counts, parts, opener, options)
    parts = parts.keep(_with_masks, opener, conditions, features, options.n_jobs)
    outputs, classes = parts.merged(_either_target, _shape_of_target)
    mean = part_means(parts, _targets)
    # numbers are centred, which keeps their digits; class shares are exact without it
    middle = np.zeros(len(mean)) if classes else mean
    support, inside, outside = _sides(rule_sums_in_parts(parts, partial(_outputs_of, middle=middle)))
    if classes or not len(chosen):
        coefficient, l2 = np.full(len(chosen), 1.0 / max(len(chosen), 1)), None
    else:
        folded = partial(_folded, mean=float(mean[0]), seed=options.seed if options.l2 is None else None)
        sums = rule_sums_in_parts(parts, folded, with_pairs=True)
        fitted = solve_weights(moments_of(sums, inside[:, 0], outside[:, 0]), options.l2)
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
        intercept=mean * (1.0 - coefficient.sum()) if len(chosen) and not classes else mean * (not rules),
        mean=mean,
        features=features,
        outputs=outputs,
        task="classification" if classes else "regression",
        n_trees=counts.n_trees,
        weight=math.ldexp(part_sum(parts, _weight), exponent),
        stability=expected_stability(counts.count, counts.n_trees, float(options.p0)),
        l2=l2,
        score=float("nan"),
        kind=kind,
    )
    scored = parts.keep(_scored, found, coefficient > 0)
    return replace(found, score=score_in_parts(scored, len(outputs), classes=classes))


def rule_outputs(
    masks: NDArray[np.bool_], y: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weight inside, and weighted means of y inside and outside, for every rule."""
    return _sides(rule_sums(masks, np.column_stack([weight, y * weight[:, None]])))


def _sides(sums: RuleSums) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
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
) -> tuple[NDArray[np.int32], list[Conditions], NDArray[np.bool_]]:
    """Chosen paths with their conditions and masks; a rule without rows inside or outside is skipped."""
    chosen, conditions = choose_in_parts(counts, OnePart((rows, None, weight)), as_given, options)
    return chosen, conditions, rule_masks(conditions, counts.grid.features, rows, options.n_jobs)


def choose_in_parts(
    counts: PathCounts, parts: Parts, opener: Opener, options: RuleOptions
) -> tuple[NDArray[np.int32], list[Conditions]]:
    """Chosen paths with their conditions, by rows that lie in parts."""
    excluded = np.zeros(len(counts.count), dtype=bool)
    known: dict[int, Conditions] = {}
    while True:
        chosen = counts.choose(float(options.p0), int(options.max_rules), excluded)
        new = [p for p in chosen.tolist() if p not in known]
        asked = [counts.conditions(p) for p in new]
        n_inside, n_rows = parts.merged(add_each, _n_inside, opener, asked, counts.grid.features, options.n_jobs)
        known |= dict(zip(new, asked, strict=True))
        empty = [p for p, n in zip(new, n_inside, strict=True) if not 0 < n < n_rows]
        if not empty:
            return chosen, [known[p] for p in chosen.tolist()]
        excluded[empty] = True


def _n_inside(
    part: Any, opener: Opener, asked: Sequence[Conditions], features: FeatureSchema, n_jobs: int | None
) -> tuple[NDArray[np.intp], int]:
    """Rows that count inside each rule, and all rows that count."""
    rows, _, weight = opener(part)
    counted = weight > 0
    masks = rule_masks(asked, features, rows, n_jobs)
    return np.count_nonzero(masks & counted[:, None], axis=0), int(np.count_nonzero(counted))


def _with_masks(
    part: Any, opener: Opener, conditions: Sequence[Conditions], features: FeatureSchema, n_jobs: int | None
) -> RuleRows:
    rows, target, weight = opener(part)
    return RuleRows(rule_masks(conditions, features, rows, n_jobs), target, weight)


def _shape_of_target(rows: RuleRows) -> tuple[tuple[str, ...], bool]:
    return rows.target.outputs, rows.target.labels is not None


def _either_target(one: tuple[tuple[str, ...], bool], other: object) -> tuple[tuple[str, ...], bool]:
    return one  # all parts have the same


def _targets(rows: RuleRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return rows.target.y.T, rows.weight


def _weight(rows: RuleRows) -> NDArray[np.float64]:
    return rows.weight


def _outputs_of(rows: RuleRows, *, middle: NDArray[np.float64]) -> Chosen:
    values = np.column_stack([rows.weight, (rows.target.y - middle) * rows.weight[:, None]])
    return rows.masks, values, np.zeros(len(values), dtype=np.int64)


def _folded(rows: RuleRows, *, mean: float, seed: int | None) -> Chosen:
    """Values of the moments; the folds are hashes of the rows, or one if no penalty is to be chosen."""
    y = rows.target.y[:, 0]
    fold = np.zeros(len(y), dtype=np.int64) if seed is None else row_folds(rows.masks, y, seed)
    return rows.masks, moment_values(y - mean, rows.weight), fold


def _scored(rows: RuleRows, found: RuleSet, kept: NDArray[np.bool_]) -> Scored:
    return Scored(found.combine(rows.masks[:, kept]), rows.target, rows.weight)


def warn_if_empty(found: RuleSet, p0: float) -> None:
    """Warn if no rule was found."""
    if not len(found):
        warn(f"no path is in more than p0={p0:g} of the trees; the model is the mean of y")
