"""rule_cv: choose p0 by repeated cross-validation of SIRUS."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold

from glasswood._checks import whole_number
from glasswood._elementary import exp, log
from glasswood._powers import power_of, times_power
from glasswood._progress import progress_bar
from glasswood.errors import OptionError, TableError
from glasswood.estimators._base import read_numbers, read_sample_weight, read_target
from glasswood.estimators._sirus import SirusClassifier, SirusRegressor
from glasswood.explain.rules import RulePrefixes, RuleTarget
from glasswood.results import RuleCV
from glasswood.tables import Table, class_names, frame_kind, n_rows_of, pick_rows

_MIN_P0, _N_GRID = 1e-3, 200  # smallest p0, and number of values tried
_EXTRA_RULES = 10  # a fold may have this many rules more than max_rules, so that the mean number can reach it


def rule_cv(
    estimator: SirusClassifier | SirusRegressor,
    X: Table,
    y: Any,
    *,
    n_splits: int = 10,
    n_repeats: int = 10,
    random_state: int | None = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> RuleCV:
    """Error, number of rules and stability of SIRUS for a range of p0.

    Every fold is fitted once; a larger p0 gives a shorter list of the same rules. The error of a repeat is computed
    from all rows, each predicted by the fold that left it out. Stability is the Dice–Sørensen index 2·|A ∩ B| / (|A| +
    |B|) of the paths of two folds, with quantile ranks instead of thresholds, averaged over the pairs of folds (Bénard
    et al. 2021, section 4).

    Parameters
    ----------
    estimator : SirusClassifier or SirusRegressor
        Its p0 is not used.
    X, y, sample_weight
        As in `fit`.
    n_splits, n_repeats : int
        Number of folds of a cross-validation, and number of cross-validations.
    random_state : int, optional
        Seed of the folds.
    n_jobs : int, optional
        Threads of every fit; None uses the parameter of the estimator.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    RuleCV
        Its `p0_pred` and `p0_stab` are the two choices of the papers.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = gw.rule_cv(gw.SirusClassifier(100, random_state=0), X, y, n_splits=3, n_repeats=2, random_state=0)
    >>> 0.001 <= found.p0_pred < 1, bool(found.error.min() < 0.05)
    (True, True)
    """
    if not isinstance(estimator, SirusClassifier | SirusRegressor):
        raise OptionError(f"rule_cv takes a SirusClassifier or SirusRegressor, not a {type(estimator).__name__}")
    n_splits, n_repeats = whole_number("n_splits", n_splits, 2), whole_number("n_repeats", n_repeats, 1)
    n_rows = n_rows_of(X)
    weight = read_sample_weight(sample_weight, n_rows)
    row_weight = np.ones(n_rows) if weight is None else times_power(weight, -power_of(weight))
    target = _whole_target(estimator, y, row_weight)
    estimator = clone(estimator) if n_jobs is None else clone(estimator).set_params(n_jobs=n_jobs)
    splitter = _splitter(estimator, target, n_splits)
    seeds = np.random.default_rng(random_state).integers(2**31 - 1, size=n_repeats)
    p0 = np.maximum(exp(np.linspace(float(log(_MIN_P0)), 0.0, _N_GRID, endpoint=False)), _MIN_P0)
    curves = []
    with progress_bar(seeds.tolist(), "repeats", show=progress) as repeats:
        for seed in repeats:
            splitter.random_state = seed
            splits = list(splitter.split(np.zeros(n_rows), target.labels))
            folds = [_fold(estimator, X, target, row_weight, train, test) for train, test in splits]
            curves.append(_curves(folds, [test for _, test in splits], target, row_weight, p0))
    error, n_rules, stability = (np.array([curve[i] for curve in curves]) for i in range(3))
    few = (n_rules.mean(axis=0) <= estimator.max_rules) & (n_rules.mean(axis=0) >= 1)
    if not few.any():
        raise TableError("no p0 selects from one to max_rules rules; are there enough rows, or is the target constant?")
    return RuleCV(
        p0=p0[few],
        error=error[:, few],
        n_rules=n_rules[:, few],
        stability=stability[:, few],
        measure="1 - AUC" if is_classifier(estimator) else "unexplained variance",
        n_splits=splitter.n_splits,
        kind=frame_kind(X),
    )


def _whole_target(estimator: Any, y: Any, weight: NDArray[np.float64]) -> RuleTarget:
    if not is_classifier(estimator):
        return RuleTarget.of_numbers(read_numbers(y, len(weight)).y, weight)
    classes, labels = np.unique(read_target(y, len(weight)), return_inverse=True)
    return RuleTarget.of_classes(labels, class_names(classes))


def _splitter(estimator: Any, target: RuleTarget, n_splits: int) -> Any:
    if target.labels is None:
        return KFold(n_splits, shuffle=True)
    rarest = int(np.bincount(target.labels).min())
    if rarest < 2:
        raise TableError("a class has a single row: no fold can leave it out and know it")
    return StratifiedKFold(min(n_splits, rarest), shuffle=True)


def _fold(
    estimator: Any,
    X: Table,
    target: RuleTarget,
    weight: NDArray[np.float64],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
) -> RulePrefixes:
    """The rules of the training rows, and what each prefix of the list predicts for the other rows."""
    model = clone(estimator)
    longest = model.max_rules + _EXTRA_RULES if target.labels is not None else 2 * model.max_rules
    model.set_params(p0=_MIN_P0, max_rules=longest)
    y = target.y[:, 0] if target.labels is None else target.labels
    prefixes: RulePrefixes = model._prefixes(pick_rows(X, train), y[train], weight[train], pick_rows(X, test))
    return prefixes


def _curves(
    folds: Sequence[RulePrefixes],
    tests: Sequence[NDArray[np.int64]],
    target: RuleTarget,
    weight: NDArray[np.float64],
    p0: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Error, mean number of rules and stability at every p0."""
    length = np.array([np.searchsorted(-fold.frequency, -p0, side="left") for fold in folds])  # (n_folds, n_p0)
    known: dict[bytes, float] = {}
    error = np.empty(len(p0))
    for i in range(len(p0)):
        key = length[:, i].tobytes()
        if key not in known:
            prediction = np.empty(target.y.shape)
            for fold, test, k in zip(folds, tests, length[:, i], strict=True):
                prediction[test] = fold.prediction[k]
            known[key] = 1.0 - target.score(prediction, weight)
        error[i] = known[key]
    return error, length.mean(axis=0), _dice(folds, length)


def _dice(folds: Sequence[RulePrefixes], length: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean over pairs of folds of 2·|A ∩ B| / (|A| + |B|); two empty lists are equal."""
    indices = []
    for a, b in combinations(range(len(folds)), 2):
        place = {key: i for i, key in enumerate(folds[b].keys)}
        common = [(i, place[key]) for i, key in enumerate(folds[a].keys) if key in place]
        first, second = np.array(common, dtype=np.int64).reshape(-1, 2).T
        both = ((first[:, None] < length[a]) & (second[:, None] < length[b])).sum(axis=0)
        total = length[a] + length[b]
        indices.append(np.divide(2.0 * both, total, out=np.ones(len(both)), where=total > 0))
    return np.asarray(np.mean(indices, axis=0))
