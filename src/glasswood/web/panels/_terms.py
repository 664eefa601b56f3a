"""Terms of all features and pairs at the rows of a subject, computed once for the ledger and for coarse pairs."""

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood.errors import OptionError
from glasswood.explain.effects import RowTerms, count_usage, find_terms
from glasswood.tables import read_weight
from glasswood.web.panels._sample import few_rows, few_values, thin_rows
from glasswood.web.panels._subject import Subject

_MAX_PAIR_LEAVES = 150_000_000  # leaves of all pairs together; takes half a minute
_MAX_WORK = 400_000_000_000  # leaves of all pairs times rows; takes about seven seconds
_MIN_ROWS = 4096  # so that a coefficient for each of hundreds of pairs still says something about the model


def pair_usage(subject: Subject) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Pairs that leaves use together, and how many leaves use each."""
    return derived(subject._known, "usage", lambda: count_usage(subject.ensemble(), 2))


def term_rows(subject: Subject) -> NDArray[np.int64] | None:
    """Evenly spaced rows over which the terms are computed; None if all rows are used."""
    work = max(1, int(pair_usage(subject)[1].sum()))
    return thin_rows(subject.rows().n_rows, max(_MIN_ROWS, _MAX_WORK // work))


def terms_of(subject: Subject) -> RowTerms:
    """Terms of a subject; a model for which they would take minutes is refused."""
    return derived(subject._known, "terms", lambda: _find(subject))


def _find(subject: Subject) -> RowTerms:
    ensemble, work = subject.ensemble(), int(pair_usage(subject)[1].sum())
    if work > _MAX_PAIR_LEAVES:
        raise OptionError(
            f"not computed here: pairs of features meet in {work:,} places of the {ensemble.n_trees:,} trees, which "
            "takes minutes. gw.ledger(model, X, progress=True) and gw.interactions(model, X, resolution=32, "
            "progress=True) compute it"
        )
    some = term_rows(subject)
    return find_terms(
        ensemble,
        few_rows(subject.rows(), some),
        sample_weight=few_values(read_weight(subject.sample_weight, subject.rows().n_rows), some),
        n_jobs=subject.n_jobs,
        progress=subject.progress,
    )
