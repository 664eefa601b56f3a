"""Draws of rows by their keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood._native import choose_rows
from tests.reference import random as reference

BY_POSITION = np.empty(0, dtype=np.int64)


@given(st.sets(st.integers(0, 500)), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.data())
@settings(max_examples=100)
def test_drawn_rows_are_those_of_the_slow_reference(some, seed, stream, data) -> None:
    rows = sorted(some)
    n = data.draw(st.integers(0, len(rows)))
    drawn, left_out = choose_rows(np.array(rows, dtype=np.uint32), BY_POSITION, n, seed, stream)
    assert drawn.tolist() == reference.choose_rows(rows, n, seed, stream)
    assert left_out.tolist() == [row for row in rows if row not in set(drawn.tolist())]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=300, unique=True),
    st.integers(0, 2**64 - 1),
    st.data(),
)
@settings(max_examples=50)
def test_a_draw_by_number_does_not_depend_on_where_the_rows_lie(numbers, seed, data) -> None:
    number, everyone = np.array(numbers, dtype=np.int64), np.arange(len(numbers), dtype=np.uint32)
    n = data.draw(st.integers(0, len(numbers)))
    order = np.random.default_rng(seed).permutation(len(numbers))
    first = number[choose_rows(everyone, number, n, seed, 3)[0]]
    second = number[order][choose_rows(everyone, number[order], n, seed, 3)[0]]
    assert set(first.tolist()) == set(second.tolist()) and len(first) == n


def test_every_row_is_drawn_equally_often() -> None:
    rows = np.arange(50, dtype=np.uint32)
    counts = np.zeros(50)
    for stream in range(2000):
        counts[choose_rows(rows, BY_POSITION, 20, 0, stream)[0]] += 1
    assert np.abs(counts / 2000 - 0.4).max() < 0.05


def test_rows_without_a_number_are_refused() -> None:
    with pytest.raises(ValueError, match="no entry"):
        choose_rows(np.array([3], dtype=np.uint32), np.array([0, 1]), 1, 0, 0)
    with pytest.raises(ValueError, match="more rows"):
        choose_rows(np.array([3], dtype=np.uint32), BY_POSITION, 2, 0, 0)
