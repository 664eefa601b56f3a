"""rules: the most frequent paths of any fitted ensemble, as a short list of rules."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import seed_of, whole_number
from glasswood._powers import power_of, times_power
from glasswood._progress import Progress
from glasswood.ensemble import Ensemble, LinkKind, align, model_table, predicted_class
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.explain._target import target_rows
from glasswood.explain.rules._fit import RuleOptions, fit_rules, warn_if_empty
from glasswood.explain.rules._grid import snapped_grid
from glasswood.explain.rules._paths import count_paths
from glasswood.explain.rules._rule_set import RuleSet
from glasswood.explain.rules._target import RuleTarget
from glasswood.readers import as_ensemble
from glasswood.tables import Columns, Table, check_some_weight, read_table, read_weight


def rules(
    model: Any,
    X: Table,
    y: Any,
    *,
    p0: float = 0.0,
    max_rules: int = 25,
    n_quantiles: int = 10,
    max_depth: int | None = 2,
    random_state: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> RuleSet:
    """Extract rules from a fitted ensemble: the paths that most of its trees share.

    Thresholds are moved to quantiles of X, so that nearly equal splits of different trees become equal. Trees are cut
    at `max_depth` and paths are counted once per tree. The most frequent, linearly independent paths become rules,
    whose outputs are computed from X and y. In the result, `fidelity` says how close the rules are to the model,
    `score` how close they are to y, and `snapped_share` is the mean share of rows that change side when a threshold is
    moved.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table
        The training rows.
    y : array, (n_rows,)
        Their targets: classes for a classifier, otherwise numbers. A classifier fitted on 0, 1, … also takes as many
        words, in alphabetical order: no and yes are 0 and 1.
    p0 : float
        A path becomes a rule if more than this share of the trees has it.
    max_rules : int
        Largest number of rules.
    n_quantiles : int
        Number of quantiles to which thresholds are moved.
    max_depth : int, optional
        Depth down to which paths are taken, and therefore the largest number of conditions of a rule; None: no limit.
    random_state : int, RandomState, Generator, optional
        Seed of the folds that choose the penalty of regression weights; None means 0.
    sample_weight : array, (n_rows,), optional
    n_jobs : int, optional
        Number of threads.
    progress : bool
        Show a bar on stderr, with a step each for the grid, the paths, the weights and the fidelity.

    Returns
    -------
    RuleSet

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> forest = RandomForestClassifier(100, random_state=0).fit(X, y)
    >>> found = gw.rules(forest, X, y, max_rules=8)
    >>> found[0].to_text(), found.fidelity > 0.97
    ('worst radius <= 17.39', True)
    """
    found = find_rules(
        model,
        X,
        y,
        p0=p0,
        max_rules=max_rules,
        n_quantiles=n_quantiles,
        max_depth=max_depth,
        sample_weight=sample_weight,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
    )
    warn_if_empty(found, p0)
    return found


def find_rules(
    model: Any,
    X: Table,
    y: Any,
    *,
    p0: float = 0.0,
    max_rules: int = 25,
    n_quantiles: int = 10,
    max_depth: int | None = 2,
    random_state: Any = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> RuleSet:
    """Like `rules`, but without a warning if there is no rule."""
    seed = 0 if random_state is None else seed_of(random_state)
    options = RuleOptions(p0=p0, max_rules=max_rules, seed=seed, n_jobs=n_jobs)
    depth = whole_number("max_depth", max_depth, 1) if max_depth is not None else None
    n_quantiles = whole_number("n_quantiles", n_quantiles, 2)
    ensemble = as_ensemble(model, X)
    if not ensemble.n_trees:
        raise UnsupportedModelError("the model has no trees, so there are no rules to extract")
    table = read_table(model_table(X, ensemble.features))
    rows = align(table, ensemble.features)
    if not rows.n_rows:
        raise TableError("X has no rows; rules are weighed on rows")
    given = read_weight(sample_weight, rows.n_rows)
    exponent = 0 if given is None else power_of(given)
    weight = np.ones(rows.n_rows) if given is None else times_power(given, -exponent)
    check_some_weight(np.count_nonzero(weight))
    target = _target(ensemble, y, rows.n_rows, weight)
    with Progress("rules", 4, show=progress) as bar:
        grid = snapped_grid(ensemble, rows, target.place, weight, n_quantiles=n_quantiles, max_depth=depth)
        bar.step()
        counts = count_paths(ensemble, grid, depth)
        bar.step()
        found = fit_rules(counts, rows, target, weight, options, exponent=exponent, kind=table.kind)
        bar.step()
        fidelity = _fidelity(found, ensemble, table, target, weight, n_jobs)
        bar.step()
    return found.measured(fidelity=fidelity, snapped_share=grid.snapped_share)


def _fidelity(
    found: RuleSet,
    ensemble: Ensemble,
    table: Columns,
    target: RuleTarget,
    weight: NDArray[np.float64],
    n_jobs: int | None,
) -> float:
    """R² of the rules against the prediction of the model, or AUC for the class it predicts; NaN if unknown."""
    against = predicted_target(ensemble, table, target, n_jobs)
    if against is None:
        return float("nan")
    return against.score(found.predict(table, n_jobs=n_jobs).reshape(table.n_rows, -1), weight)


def predicted_target(ensemble: Ensemble, table: Columns, target: RuleTarget, n_jobs: int | None) -> RuleTarget | None:
    """The prediction of the model in the place of the target; None for several numbers."""
    predict = ensemble.predict_raw if ensemble.link.kind == LinkKind.NONE else ensemble.predict
    predicted = predict(table, n_jobs=n_jobs)
    if target.labels is not None:
        return replace(target, labels=_predicted_classes(ensemble, predicted))
    return None if predicted.ndim > 1 else replace(target, y=predicted[:, None])


def _predicted_classes(ensemble: Ensemble, predicted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Class that the model predicts; raw without a known link has no scale, so all digits are compared."""
    if ensemble.link.kind != LinkKind.NONE:
        return predicted_class(predicted.reshape(len(predicted), -1)).astype(np.int64)
    return (predicted > 0.0 if predicted.ndim == 1 else predicted.argmax(axis=1)).astype(np.int64)


def _target(ensemble: Ensemble, y: Any, n_rows: int, weight: NDArray[np.float64]) -> RuleTarget:
    """Classes for a classifier, otherwise numbers."""
    target = target_rows(ensemble, y, n_rows)
    if target.classes is not None:
        return RuleTarget.of_classes(target.codes, target.classes)
    return RuleTarget.of_numbers(target.numbers, weight, outputs_of_numbers(ensemble))


def outputs_of_numbers(ensemble: Ensemble) -> tuple[str, ...]:
    """Name of the one number that rules predict: it is not known which of several outputs y belongs to."""
    return ensemble.outputs if ensemble.n_outputs == 1 else ("y",)
