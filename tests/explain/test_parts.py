"""Parts: sums and means over parts are those of all rows, whatever the cut."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood._exact import exact_mean, exact_sum
from glasswood.explain import OnePart, add_each, either, largest_of, part_means, part_sums
from glasswood.explain._parts import as_given, join_values, part_sum, sums_by_value
from tests.explain.several_parts import Several

Floats = NDArray[np.float64]


def first_two(part: Floats) -> tuple[Floats, Floats]:
    """The first two rows of a part are values."""
    return part[:2], part[2]


def values_alone(part: Floats) -> tuple[Floats, Floats]:
    return part[:2], np.empty(0)


numbers = st.floats(-1e300, 1e300) | st.sampled_from([np.inf, -np.inf, 0.0])


@given(st.lists(st.tuples(numbers, numbers, st.floats(0, 1e5)), min_size=1), st.lists(st.integers(0, 20), max_size=3))
def test_sums_and_means_have_the_bits_of_one_part(rows: list[tuple[float, ...]], cuts: list[int]) -> None:
    table = np.array(rows).T
    parts = Several(np.split(table, sorted(cuts), axis=1))
    for columns, weight in ((first_two, table[2]), (values_alone, np.empty(0))):
        for found in (part_means(parts, columns), part_means(OnePart(table), columns)):
            assert found.tobytes() == np.array([exact_mean(values, weight) for values in table[:2]]).tobytes()
    for found in (part_sums(parts, values_alone), part_sums(OnePart(table), values_alone)):
        assert found.tobytes() == np.array([exact_sum(values) for values in table[:2]]).tobytes()


def test_one_number_of_each_row_is_added_up() -> None:
    rows = np.array([1e16, 1.0, -1e16, 2.0])
    assert part_sum(Several([rows[:1], rows[1:]]), as_given) == part_sum(OnePart(rows), as_given) == exact_sum(rows)


def test_sums_of_equal_values_are_joined() -> None:
    rows = np.array([[2, 1, 2, 1, 3], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    first, second = (sums_by_value(part[0].astype(float), part[1], part[2]) for part in np.split(rows, [3], axis=1))
    assert [sums.tolist() for sums in join_values(first, second)] == [[1.0, 2.0, 3.0], [6, 4, 5], [6, 8, 1]]


def test_answers_come_in_the_order_of_the_parts() -> None:
    parts = Several([np.ones((3, 2)), np.zeros((3, 1))])
    assert parts.ask(np.shape) == [(3, 2), (3, 1)]
    assert parts.keep(np.sum).ask(float) == [6.0, 0.0]
    assert OnePart(3).ask(abs) == [3]


def test_no_columns_have_no_means() -> None:
    assert part_means(OnePart(np.ones((1, 3))), lambda part: (part[:0], np.empty(0))).tolist() == []


@pytest.mark.parametrize(
    ("merge", "one", "other", "both"),
    [(largest_of, 1, 2, 2), (either, False, True, True), (add_each, (1, 2), (3, 4), (4, 6))],
)
def test_results_are_merged(merge: Callable[[Any, Any], Any], one: Any, other: Any, both: Any) -> None:
    assert merge(one, other) == both
