"""Panels about a model: each takes the subject, asks the verb for its result, and lays it out."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import LinkKind
from glasswood.errors import GlasswoodError, OptionError
from glasswood.explain.effects import count_usage, interactions, ledger, make_grid
from glasswood.explain.examples import examples
from glasswood.explain.rules import RuleSet, find_rules, least_rows, pick_rules
from glasswood.results import Effects, Ledger
from glasswood.tables import Table, pick_rows, read_vector, read_weight
from glasswood.web.page._section import Section
from glasswood.web.panels._credibility import credibility_section
from glasswood.web.panels._effects import effects_section
from glasswood.web.panels._examples import examples_section
from glasswood.web.panels._interactions import interactions_section
from glasswood.web.panels._overview import overview_section
from glasswood.web.panels._rules import rules_section
from glasswood.web.panels._sample import few_rows, few_values, spread_rows, thin_rows
from glasswood.web.panels._subject import Subject

_MOST_PAIRS = 120  # tables looked at
_MOST_CELLS = 8_000_000  # of all tables together: a page draws far fewer
_MOST_INDEXED = 20_000  # rows searched for examples
_MOST_RULE_ROWS = 200_000


def build_overview(subject: Subject) -> Section:
    """Build what was read, the proof, the ledger and the importances; a part that refuses says why in its place."""
    ensemble = subject.ensemble()
    fx: Effects | str
    share: Ledger | str
    try:
        fx = subject.effects()
    except GlasswoodError as error:
        fx = str(error)
    try:
        share = ledger(ensemble, subject.rows(), sample_weight=subject.sample_weight, n_jobs=subject.n_jobs)
    except GlasswoodError as error:
        share = str(error)
    importance = fx if isinstance(fx, str) else fx.importance()
    return overview_section(ensemble, subject.rows().n_rows, ledger=share, importance=importance)


def build_effects(subject: Subject) -> Section:
    """Build the effects of all features."""
    return effects_section(subject.effects(), subject.ensemble(), subject.seen())


def build_interactions(subject: Subject) -> Section:
    """Build tables of the pairs that leaves use together: the most used ones, as far as their cells can be held.

    Where not even the smallest can, the reason is given.
    """
    ensemble = subject.ensemble()
    tuples, leaves = count_usage(ensemble, 2)
    if not len(tuples):
        raise OptionError("no leaf of the model depends on two features together, so there is no interaction")
    cells = make_grid(ensemble).n_cells(tuples).astype(np.float64) * ensemble.n_outputs
    shown: list[int] = []
    for k in np.argsort(-leaves, kind="stable").tolist():
        if len(shown) < _MOST_PAIRS and cells[shown].sum() + cells[k] <= _MOST_CELLS:
            shown.append(k)
    pairs = tuples[shown or [int(np.argmin(cells))]].tolist()
    found = interactions(
        ensemble,
        subject.rows(),
        pairs=pairs,
        sample_weight=subject.sample_weight,
        max_cells=_MOST_CELLS,
        n_jobs=subject.n_jobs,
    )
    some = f"{len(pairs)} of {len(tuples)} pairs that share a leaf were looked at, the most used that can be held"
    return interactions_section(found, ensemble, some if len(pairs) < len(tuples) else "", subject.seen())


def build_rules(subject: Subject) -> Section:
    """Build the rules, which need a target."""
    if subject.y is None:
        raise OptionError("rules say what the target is inside and outside of them: pass y to see them")
    n_rows = subject.rows().n_rows
    y = read_vector(subject.y, n_rows)
    some = thin_rows(n_rows, _MOST_RULE_ROWS)
    X, known, weight = (
        few_rows(subject.rows(), some),
        few_values(y, some),
        few_values(read_weight(subject.sample_weight, n_rows), some),
    )
    # silent: the page says it where the list is empty
    found = find_rules(subject.ensemble(), X, known, sample_weight=weight, n_jobs=subject.n_jobs)
    held = found.explain(X, n_jobs=subject.n_jobs)
    numbers = None if found.task == "classification" else np.asarray(known, dtype=np.float64)
    picked = pick_rules(found, held.fired, numbers, weight)
    return rules_section(
        found, picked, _reproduced(found, subject, X, held.prediction), least=least_rows(len(held.fired))
    )


def _reproduced(found: RuleSet, subject: Subject, X: Table, prediction: NDArray[np.float64]) -> float | None:
    """Share of the variance of the model's answers that a list of rules reproduces; None where they do not compare."""
    ensemble = subject.ensemble()
    if ensemble.link.kind == LinkKind.NONE:
        return None
    said = ensemble.predict(X, n_jobs=subject.n_jobs)
    said, mine = said.reshape(len(said), -1), prediction.reshape(len(said), -1)
    if said.shape != mine.shape:
        return None
    variance = float(((said - said.mean(axis=0)) ** 2).sum())
    return 1.0 - float(((said - mine) ** 2).sum()) / variance if variance > 0 else None


def build_examples(subject: Subject) -> Section:
    """Build rows spread over the model's answers, each with its neighbours."""
    if not subject.n_examples:
        raise OptionError("rows are hidden because n_examples=0")
    ensemble, n_rows = subject.ensemble(), subject.rows().n_rows
    rows = spread_rows(ensemble.predict_raw(subject.rows(), n_jobs=subject.n_jobs), subject.n_examples)
    some = thin_rows(n_rows, _MOST_INDEXED)
    y = None if subject.y is None else read_vector(subject.y, n_rows)
    index = examples(
        ensemble,
        few_rows(subject.rows(), some),
        few_values(y, some),
        sample_weight=few_values(read_weight(subject.sample_weight, n_rows), some),
        min_rows_per_leaf=subject.min_rows_per_leaf,
        n_jobs=subject.n_jobs,
    )
    try:
        order = subject.effects().importance().features
    except GlasswoodError:
        order = ensemble.feature_names
    return examples_section(
        index,
        pick_rows(subject.rows(), rows),
        rows=rows,
        indexed=some,
        ensemble=ensemble,
        target=None if y is None else y[rows],
        order=order,
    )


def build_credibility(subject: Subject) -> Section:
    """Build the page on gains, which is the same for every model."""
    return credibility_section()
