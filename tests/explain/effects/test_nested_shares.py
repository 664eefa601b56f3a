"""Fits of raw to terms equal dense least squares, even if terms are collinear."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain import OnePart
from glasswood.explain.effects import _nested_shares
from glasswood.explain.effects._nested_shares import FitRows, TermColumns, left_by_fit


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 6), st.booleans())
def test_what_is_left_equals_dense_least_squares(seed: int, n_columns: int, twins: bool) -> None:
    rng = np.random.default_rng(seed)
    columns, raw, weight = (
        rng.normal(size=(n_columns, 40)),
        rng.normal(size=40),
        rng.integers(1, 5, size=40).astype(float),
    )
    columns *= 10.0 ** rng.integers(-4, 4, size=(n_columns, 1))
    if twins:
        columns = np.concatenate([columns, 3 * columns, np.ones((1, 40))])
    share = weight / weight.sum()
    A = (np.concatenate([np.ones((1, 40)), columns]) * np.sqrt(share)).T
    b = raw * np.sqrt(share)
    A = A / np.where(np.linalg.norm(A, axis=0) > 0, np.linalg.norm(A, axis=0), 1)
    known = np.sum((b - A @ np.linalg.lstsq(A, b, rcond=1e-10)[0]) ** 2)
    assert left_by_fit(OnePart(FitRows(raw, columns, share))) == pytest.approx(known, abs=1e-10)


def test_terms_beyond_the_limit_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_nested_shares, "_MAX_COLUMNS", 2)
    monkeypatch.setattr(_nested_shares, "_MIN_COLUMNS", 1)
    columns = TermColumns(3, 1)
    for k in range(4):
        columns.add(np.full((3, 1), 10.0**k))
    columns.add(np.zeros((3, 1)))
    assert columns.of_output(0)[:, 0].tolist() == [1, 10, 1100] and columns.sum[0, 0] == 1111
    columns.close()
    assert columns.n_free == 1
    columns.add(np.full((3, 1), 5.0))
    columns.add(np.full((3, 1), 6.0))
    columns.add(np.full((3, 1), 7.0))
    assert columns.of_output(0)[:, 0].tolist() == [1, 10, 1100, 5, 13]


def test_many_rows_leave_space_for_few_columns() -> None:
    assert TermColumns(100, 1).n_free == 600
    assert TermColumns(10**6, 1).n_free == 33
    assert TermColumns(10**6, 40).n_free == 8


def test_sums_over_many_rows_do_not_overflow() -> None:
    n = 2**23 + 5  # so many products of 2^40 need more than 63 bits
    largest = np.broadcast_to(2.0**20, (1, n))
    upper, lower = _nested_shares._whole_products(largest, largest)
    assert (int(upper[0, 0]) << 32) + int(lower[0, 0]) == n << 40
