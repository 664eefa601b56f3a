"""n_jobs in joblib's sense: None is 1, −1 all CPUs this process may use, −2 all but one."""

import operator

from glasswood import _native
from glasswood.errors import OptionError

_MOST_THREADS = 1024  # more than any machine profits from; a larger number is a slip, not a wish


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
        return min(count, _MOST_THREADS)
    return max(1, _native.available_cpus() + 1 + count)
