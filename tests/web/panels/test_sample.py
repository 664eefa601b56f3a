"""Rows for a page: few, evenly spaced, or spread over the range of predictions."""

import numpy as np

from glasswood.web.panels._sample import few_rows, few_values, spread_rows, thin_rows


def test_chosen_rows_are_spread_over_the_answers() -> None:
    raw = np.random.default_rng(0).normal(size=500)
    rows = spread_rows(raw, 5)
    assert raw[rows].tolist() == sorted(raw[rows].tolist())
    assert raw[rows[0]] == raw.min() and raw[rows[-1]] == raw.max()
    assert len(spread_rows(raw[:3], 24)) == 3


def test_few_rows_are_all_searched() -> None:
    assert thin_rows(100, 100) is None
    rows = thin_rows(1000, 10)
    assert rows is not None
    assert rows.tolist() == [0, 111, 222, 333, 444, 555, 666, 777, 888, 999]


def test_all_rows_are_the_table_itself() -> None:
    X, some = np.arange(8.0).reshape(4, 2), np.array([3, 1])
    assert few_rows(X, None) is X and few_values(None, some) is None
    np.testing.assert_array_equal(few_rows(X, some), X[some])
    np.testing.assert_array_equal(few_values(X[:, 0], some), [6.0, 2.0])
