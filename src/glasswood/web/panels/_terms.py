"""Terms of a subject: those of all features and pairs at its rows, made once for the ledger and for coarse pairs."""

from glasswood._derived import derived
from glasswood.errors import OptionError
from glasswood.explain.effects import RowTerms, count_usage, find_terms
from glasswood.web.panels._subject import Subject

_MAX_PAIR_LEAVES = 150_000_000  # leaves of all pairs together: half a minute


def terms_of(subject: Subject) -> RowTerms:
    """Terms of a subject; refused where they would keep a reader waiting for minutes."""
    return derived(subject._known, "terms", lambda: _find(subject))


def _find(subject: Subject) -> RowTerms:
    ensemble = subject.ensemble()
    work = int(count_usage(ensemble, 2)[1].sum())
    if work > _MAX_PAIR_LEAVES:
        raise OptionError(
            f"not computed here: pairs of features meet in {work:,} places of the {ensemble.n_trees:,} trees, which "
            "takes minutes. gw.ledger(model, X, progress=True) and gw.interactions(model, X, resolution=32, "
            "progress=True) compute it"
        )
    return find_terms(
        ensemble,
        subject.rows(),
        sample_weight=subject.sample_weight,
        n_jobs=subject.n_jobs,
        progress=subject.progress,
    )
