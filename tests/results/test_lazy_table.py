"""A lazy table is computed when first asked for, once, also for its transposes."""

import pickle
from functools import partial

import numpy as np

from glasswood.results import LazyTable
from tests.results.examples import interactions


def test_it_is_computed_once_when_first_asked_for() -> None:
    calls: list[int] = []

    def compute() -> np.ndarray:
        calls.append(1)
        return np.arange(6.0).reshape(2, 3)

    table = LazyTable(compute)
    other = table.transpose([1, 0])
    again = other.transpose([1, 0])
    assert calls == []
    assert other.array.tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    assert again.array.tolist() == table.array.tolist()
    assert calls == [1]
    assert np.shares_memory(other.array, table.array)


def test_it_is_pickled_before_and_after_it_is_computed() -> None:
    table = LazyTable(partial(np.arange, 3.0))
    assert pickle.loads(pickle.dumps(table)).array.tolist() == [0.0, 1.0, 2.0]
    assert table.array.tolist() == pickle.loads(pickle.dumps(table)).array.tolist()
    pair = interactions()["f2", "f1"]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(pair)).interaction, pair.interaction)
