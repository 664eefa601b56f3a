"""n_jobs as in joblib: None is 1, −1 is all CPUs this process may use, −2 all but one."""

import operator

from glasswood import _native
from glasswood.errors import OptionError

_MAX_THREADS = 1024  # no machine profits from more; a larger number is a mistake


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of threads, at least 1."""
    if n_jobs is None:
        return 1
    try:
        count = operator.index(n_jobs)
    except TypeError:
        raise OptionError(f"n_jobs must be an integer or None, got {n_jobs!r}") from None
    if count == 0:
        raise OptionError("n_jobs=0 has no meaning; use None for one thread or -1 for all CPUs")
    if count > 0:
        return min(count, _MAX_THREADS)
    return max(1, _native.available_cpus() + 1 + count)
