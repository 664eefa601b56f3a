"""The short form of `make bits`: part of the corpus, in this process, in ways that must not matter."""

from collections.abc import Iterator

import pytest

from glasswood import _native
from tests.bits.__main__ import run
from tests.bits.corpus import ORDER, Data, cases, digest, explanations, fits, hashes

PART = cases()[::3]


@pytest.fixture
def own_level() -> Iterator[None]:
    level = _native.cpu_level()
    yield
    _native.use_cpu_level(level)


@pytest.fixture(scope="module")
def wanted() -> dict[str, str]:
    return hashes(Data(), PART)


def test_the_corpus_is_large_enough() -> None:
    names = [case.name for case in cases()]
    assert len(list(fits())) >= 30 and len(list(explanations())) >= 30
    assert len(set(names)) == len(names)


def test_a_hash_changes_with_the_last_bit() -> None:
    assert digest([1.0, "a"]) != digest([1.0 + 2**-52, "a"])


@pytest.mark.parametrize("n_jobs", [2, 7])
def test_the_number_of_threads_does_not_matter(wanted: dict[str, str], n_jobs: int) -> None:
    assert hashes(Data(n_jobs=n_jobs), PART) == wanted


def test_the_order_of_the_rows_does_not_matter(wanted: dict[str, str]) -> None:
    found = hashes(Data(order=ORDER), PART, permuted=True)
    assert {name: bits for name, bits in found.items() if bits != "-"}.items() <= wanted.items()
    assert sum(bits != "-" for bits in found.values()) > 25


@pytest.mark.parametrize("level", ["plain", "v3"])
def test_the_level_of_the_cpu_does_not_matter(wanted: dict[str, str], level: str, own_level: None) -> None:
    _native.use_cpu_level(level)
    assert hashes(Data(), PART) == wanted


def test_the_threads_of_blas_do_not_matter() -> None:
    assert run(["--blas", "1", "--only", "rules"]) == run(["--blas", "2", "--only", "rules"])


def test_draws_depend_on_row_id() -> None:
    """Conversely: without row_id the position decides, so another order gives other draws."""
    case = next(case for case in fits() if case.name == "fit regression subsample and colsample")
    first, second = Data(), Data(order=ORDER)
    for data in (first, second):
        data.columns["id"] = data.columns["id"][data.order.argsort()]  # the numbers of the positions
    assert digest(case.run(first)) != digest(case.run(second))
