"""Regions: every chunk once, exceptions in the caller, several callers at once, the same bits for any n_jobs."""

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import glasswood as gw
from glasswood import _native

ALWAYS_PAYS = 1e12  # nanoseconds, as an estimate
SHORT = 2e4  # nanoseconds, a chunk


@pytest.fixture(autouse=True)
def many_cpus() -> Iterator[None]:
    """As many threads as asked for, even on a small machine."""
    before = _native.pretend_cpus(64)
    yield
    _native.pretend_cpus(before)


def at_once(calls: list[Callable[[], None]]) -> None:
    """Run the calls in separate Python threads; the first exception is raised here."""
    failures: list[BaseException] = []

    def guarded(call: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@pytest.mark.parametrize("n_threads", [1, 2, 7, 64])
@pytest.mark.parametrize("n_chunks", [0, 1, 2, 63, 1000])
def test_every_chunk_is_taken_once_and_by_no_more_threads_than_asked_for(n_chunks: int, n_threads: int) -> None:
    takers = _native.run_thread_benchmark(n_chunks, n_threads, ALWAYS_PAYS, 0.0)
    assert len(takers) == n_chunks
    assert all(taker < n_threads for taker in takers)


def test_other_threads_help_with_long_work() -> None:
    """A helper may be late for one region of 20 ms, but not for each of a hundred."""
    assert any(max(_native.run_thread_benchmark(20, 2, ALWAYS_PAYS, 1e6)) > 0 for _ in range(100))


def test_short_work_stays_with_its_caller() -> None:
    assert set(_native.run_thread_benchmark(1000, 64, 1000.0, 0.0)) == {0}


def test_one_thread_works_alone() -> None:
    assert set(_native.run_thread_benchmark(1000, 1, ALWAYS_PAYS, 0.0)) == {0}


def test_threads_beyond_the_cpus_are_not_asked() -> None:
    _native.pretend_cpus(3)
    assert _native.usable_threads(64) == 3
    assert _native.usable_threads(2) == 2
    assert all(taker < 3 for taker in _native.run_thread_benchmark(1000, 64, ALWAYS_PAYS, 0.0))
    _native.pretend_cpus(1)
    assert set(_native.run_thread_benchmark(1000, 64, ALWAYS_PAYS, 0.0)) == {0}


def test_without_pretending_the_cpus_of_the_process_count() -> None:
    _native.pretend_cpus(0)
    assert _native.usable_threads(10_000) == _native.available_cpus()
    assert _native.usable_threads(-3) == 1


@pytest.mark.parametrize("n_threads", [1, 2, 7, 64])
@pytest.mark.parametrize("failing", [0, 17, 99])
def test_an_exception_of_a_chunk_reaches_the_caller_and_the_next_region_works(n_threads: int, failing: int) -> None:
    with pytest.raises(RuntimeError, match=f"chunk {failing} fails as asked"):
        _native.run_thread_benchmark(100, n_threads, ALWAYS_PAYS, SHORT, failing=failing)
    assert len(_native.run_thread_benchmark(100, n_threads, ALWAYS_PAYS, 0.0)) == 100


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_a_region_inside_a_region_stays_on_its_thread(n_threads: int) -> None:
    for _ in range(20):
        _native.run_thread_benchmark(20, n_threads, ALWAYS_PAYS, 1e3, nested=5)


def test_an_exception_leaves_a_nested_region_too() -> None:
    with pytest.raises(RuntimeError, match="chunk 3"):
        _native.run_thread_benchmark(20, 4, ALWAYS_PAYS, 1e3, failing=3, nested=5)


def test_many_python_threads_open_regions_at_once() -> None:
    def open_regions() -> None:
        for k in range(200):
            takers = _native.run_thread_benchmark(30, 4, ALWAYS_PAYS, 1e3, nested=k % 2)
            assert all(taker < 4 for taker in takers)

    at_once([open_regions] * 8)


def test_a_failing_region_does_not_disturb_those_beside_it() -> None:
    def fail() -> None:
        for _ in range(100):
            with pytest.raises(RuntimeError, match="chunk 5"):
                _native.run_thread_benchmark(30, 4, ALWAYS_PAYS, 1e3, failing=5)

    def succeed() -> None:
        for _ in range(100):
            assert len(_native.run_thread_benchmark(30, 4, ALWAYS_PAYS, 1e3)) == 30

    at_once([fail, succeed] * 3)


def table(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 6))
    X[:, 3] = np.round(X[:, 3])
    X[rng.random(n_rows) < 0.1, 2] = np.nan
    return X, X[:, 0] * (X[:, 1] > 0) + X[:, 3] + rng.normal(size=n_rows)


@pytest.mark.parametrize("options", [{"max_leaf_nodes": 31, "max_depth": None}, {"max_depth": 6}])
@pytest.mark.parametrize("statistics", ["exact", "quantised"])
def test_trees_are_the_same_for_any_number_of_threads(options: dict[str, int | None], statistics: str) -> None:
    """40,000 rows are enough for nodes that threads share and for nodes that are split in advance."""
    X, y = table(40_000)

    def fit(n_jobs: int) -> gw.Ensemble:
        model = gw.BoostingRegressor(n_estimators=5, statistics=statistics, n_jobs=n_jobs, random_state=0, **options)
        return gw.read(model.fit(X, y))

    one = fit(1)
    for n_jobs in (2, 7, 64):
        assert fit(n_jobs) == one


def test_absolute_errors_are_refitted_from_the_same_rows_for_any_number_of_threads() -> None:
    """Leaves whose split was made in advance and undone have their rows in order again."""
    X, y = table(40_000)
    weight = np.random.default_rng(1).uniform(0.1, 3.0, len(y))

    def fit(n_jobs: int) -> gw.Ensemble:
        model = gw.BoostingRegressor(loss="absolute_error", n_estimators=5, max_leaf_nodes=20, n_jobs=n_jobs)
        return gw.read(model.fit(X, y, sample_weight=weight))

    one = fit(1)
    for n_jobs in (2, 7, 64):
        assert fit(n_jobs) == one


def test_fits_in_several_python_threads_at_once_give_the_bits_of_one_alone() -> None:
    X, y = table(40_000)

    def fit(n_jobs: int) -> gw.Ensemble:
        return gw.read(gw.BoostingRegressor(n_estimators=5, n_jobs=n_jobs).fit(X, y))

    one = fit(1)

    def same() -> None:
        assert fit(3) == one

    at_once([same] * 4)
