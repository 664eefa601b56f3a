"""n_jobs in joblib's sense, and threads after a fork."""

import multiprocessing

import pytest

from glasswood import _native
from glasswood._jobs import resolve_n_jobs
from glasswood.errors import GlasswoodError


def test_none_is_one_and_positive_numbers_are_themselves() -> None:
    assert resolve_n_jobs(None) == 1
    assert resolve_n_jobs(3) == 3


def test_negative_numbers_count_back_from_all_cores() -> None:
    assert resolve_n_jobs(-1) >= 1
    assert resolve_n_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two"])
def test_nonsense_is_refused(n_jobs: object) -> None:
    with pytest.raises(GlasswoodError, match="n_jobs"):
        resolve_n_jobs(n_jobs)  # type: ignore[arg-type]


def _threads_here(n_threads: int) -> int:
    return _native.usable_threads(n_threads)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_uses_one_thread() -> None:
    assert _native.usable_threads(2) == 2
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_threads_here, (2,)).get(timeout=60) == 1
