"""n_jobs in joblib's sense, and threads after a fork."""

import pytest

from glasswood import _native
from glasswood._jobs import resolve_n_jobs
from glasswood.errors import GlasswoodError
from tests.forked import holds_in_child


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


@pytest.mark.serial
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_uses_one_thread() -> None:
    assert _native.usable_threads(2) == 2
    assert holds_in_child(lambda: _native.usable_threads(2) == 1)
