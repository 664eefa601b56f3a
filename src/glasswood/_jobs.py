"""n_jobs in joblib's sense: None is 1, −1 all cores, −2 all but one."""

import operator
import os

from glasswood.errors import GlasswoodError


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of threads, at least 1."""
    if n_jobs is None:
        return 1
    try:
        count = operator.index(n_jobs)
    except TypeError:
        raise GlasswoodError(f"n_jobs must be an integer or None, got {n_jobs!r}") from None
    if count == 0:
        raise GlasswoodError("n_jobs=0 has no meaning; use None for one thread or -1 for all cores")
    if count > 0:
        return count
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, available + 1 + count)
