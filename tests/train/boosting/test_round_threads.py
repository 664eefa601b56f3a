"""Which rounds are shared, for simulated times."""

from collections.abc import Callable, Iterator

import pytest

from glasswood import _native
from glasswood.train.boosting._round_threads import RoundThreads


@pytest.fixture(autouse=True)
def two_cpus() -> Iterator[None]:
    before = _native.pretend_cpus(2)
    yield
    _native.pretend_cpus(before)


def ways(n_rounds: int, time: Callable[[int, int], float], n_threads: int = 2) -> list[int]:
    """Threads of every round; `time` says how many milliseconds a round takes with so many threads."""
    pace, chosen = RoundThreads(n_threads), []
    for number in range(n_rounds):
        chosen.append(pace.threads)
        pace.note(time(number, pace.threads) / 1000)
    return chosen


def test_one_thread_never_shares() -> None:
    assert ways(50, lambda number, threads: 1.0, n_threads=1) == [1] * 50


def test_threads_beyond_the_cpus_are_not_counted() -> None:
    assert RoundThreads(64).threads == 2


def test_one_of_the_first_rounds_is_grown_alone() -> None:
    assert ways(4, lambda number, threads: 1.0) == [2, 2, 1, 2]


def test_long_rounds_are_shared_from_the_first() -> None:
    assert ways(50, lambda number, threads: 100.0 / threads) == [2] * 50


def test_long_rounds_on_a_machine_that_becomes_busy_are_grown_alone() -> None:
    chosen = ways(100, lambda number, threads: 100.0 / threads if number < 50 else 200.0 * threads)
    assert chosen[:50] == [2] * 50
    assert sum(threads == 2 for threads in chosen[50:]) <= 8


def test_rounds_that_gain_are_shared_to_the_end() -> None:
    assert ways(300, lambda number, threads: 1.0 / threads)[4:] == [2] * 296


def test_rounds_that_lose_are_hardly_ever_shared() -> None:
    chosen = ways(100, lambda number, threads: 1.0 if threads == 1 else 1.2)
    assert chosen[4:20] == [1] * 16
    assert sum(threads == 2 for threads in chosen) <= 5
    assert sum(1.0 if threads == 1 else 1.2 for threads in chosen) <= 1.02 * 100


def test_rounds_that_gain_next_to_nothing_are_not_shared() -> None:
    assert sum(threads == 2 for threads in ways(100, lambda number, threads: 1.0 if threads == 1 else 0.98)) <= 5


def test_the_first_round_does_not_count() -> None:
    assert ways(50, lambda number, threads: 100.0 if number == 0 else 1.0 / threads)[4:] == [2] * 46


def test_one_slow_round_changes_nothing() -> None:
    assert ways(100, lambda number, threads: 50.0 if number == 40 else 1.0 / threads)[5:] == [2] * 95


def test_a_machine_that_becomes_busy_is_noticed() -> None:
    chosen = ways(100, lambda number, threads: 1.0 / threads if number < 50 else 2.0 * threads)
    assert chosen[5:50] == [2] * 45
    assert sum(threads == 2 for threads in chosen[50:]) <= 5


def test_a_machine_that_becomes_quiet_is_noticed() -> None:
    chosen = ways(200, lambda number, threads: 2.0 * threads if number < 50 else 1.0 / threads)
    assert sum(threads == 2 for threads in chosen[5:50]) <= 2
    assert chosen[-60:] == [2] * 60


def test_rounds_that_become_larger_are_still_shared() -> None:
    """One thread used to be faster than sharing is now, but one thread would be even slower now."""
    chosen = ways(200, lambda number, threads: (1.0 + number / 20) / threads)
    assert sum(threads == 1 for threads in chosen[5:]) <= 10
