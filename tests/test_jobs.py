"""n_jobs as in joblib."""

import pytest

from glasswood import _native
from glasswood._jobs import resolve_n_jobs
from glasswood.errors import GlasswoodError


def test_none_is_one_and_positive_numbers_are_themselves() -> None:
    assert resolve_n_jobs(None) == 1
    assert resolve_n_jobs(3) == 3


def test_negative_numbers_count_back_from_all_cpus_of_the_process() -> None:
    assert resolve_n_jobs(-1) == _native.available_cpus() >= 1
    assert resolve_n_jobs(-1000) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two"])
def test_nonsense_is_refused(n_jobs: object) -> None:
    with pytest.raises(GlasswoodError, match="n_jobs"):
        resolve_n_jobs(n_jobs)  # type: ignore[arg-type]
