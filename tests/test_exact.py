"""Sums that do not depend on an order."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glasswood._exact import (
    exact_auc,
    exact_column_means,
    exact_group_sums,
    exact_mean,
    exact_sum,
    fixed_numbers,
    group_halves,
    in_units,
    join_halves,
    largest_size,
    lost_weights,
    sum_exponent,
)
from tests.reference import exact as reference

numbers = st.floats(-1e300, 1e300)
lists = st.lists(numbers, max_size=30)
weights = st.lists(st.one_of(st.just(0.0), st.floats(1e-30, 1e30)), min_size=1, max_size=30)


@given(lists, st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_a_sum_is_that_of_the_slow_reference_in_any_order(values, random) -> None:
    shuffled = random.sample(values, len(values))
    assert exact_sum(values) == exact_sum(shuffled) == reference.exact_sum(values)


@given(lists)
@settings(max_examples=100)
def test_a_sum_is_as_close_as_its_unit(values) -> None:
    error = abs(exact_sum(values) - math.fsum(values))
    # there is no unit below 2⁻¹⁰²¹
    assert error <= (len(values) + 1) * (2.0**-52 * max(map(abs, values), default=0.0) + 2.0**-1021)


def test_sums_of_nothing_and_of_zeros_are_zero() -> None:
    assert exact_sum([]) == exact_sum([0.0, -0.0]) == 0.0


def test_infinities_and_nan_are_passed_on() -> None:
    assert exact_sum([1.0, np.inf]) == np.inf
    assert exact_sum([-np.inf, 1.0]) == -np.inf
    assert np.isnan(exact_sum([np.inf, -np.inf]))
    assert np.isnan(exact_sum([np.nan, 1.0]))
    assert np.isnan(exact_mean([np.nan, 1.0]))
    assert exact_mean([np.nan, 1.0], [0.0, 1.0]) == 1.0  # a row without weight is ignored


def test_a_mean_exists_even_if_the_sum_overflows() -> None:
    assert exact_mean([1.7e308, 1.7e308, 1.7e308]) == 1.7e308


def test_a_mean_of_nothing_is_nan() -> None:
    assert np.isnan(exact_mean([]))
    assert np.isnan(exact_mean([1.0], [0.0]))


@given(st.floats(-1e100, 1e100), weights)
@settings(max_examples=100)
def test_the_mean_of_equal_values_is_the_value(value, weight) -> None:
    assume(any(weight))
    assert exact_mean([value] * len(weight), weight) == value


@given(weights, st.data())
@settings(max_examples=100)
def test_a_mean_is_that_of_the_slow_reference_in_any_order(weight, data) -> None:
    assume(any(weight))
    values = data.draw(st.lists(st.floats(-1e30, 1e30), min_size=len(weight), max_size=len(weight)))
    order = data.draw(st.permutations(range(len(weight))))
    found = exact_mean(values, weight)
    assert found == exact_mean(np.array(values)[order], np.array(weight)[order])
    total = reference.exact_sum([w for w in weight if w])
    wanted = reference.exact_sum([w * x for w, x in zip(weight, values, strict=True) if w]) / total
    np.testing.assert_allclose(found, wanted, rtol=1e-15, atol=1e-300)


def test_means_of_columns() -> None:
    np.testing.assert_array_equal(exact_column_means(np.array([[1.0, 2.0], [3.0, 6.0]]), [1.0, 3.0]), [2.5, 5.0])


@given(st.lists(st.tuples(st.integers(0, 3), numbers), max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_sums_of_groups_do_not_depend_on_the_order(pairs, random) -> None:
    shuffled = random.sample(pairs, len(pairs))
    found, again = (
        exact_group_sums(np.array([g for g, _ in some], dtype=np.int32), [x for _, x in some], 4)
        for some in (pairs, shuffled)
    )
    np.testing.assert_array_equal(found, again)
    for group in range(4):
        own = [x for g, x in pairs if g == group]
        error = abs(found[group] - math.fsum(own))
        assert error <= (len(own) + 1) * (2.0**-52 * max((abs(x) for _, x in pairs), default=0.0) + 2.0**-1021)


def test_a_group_beyond_the_last_is_refused() -> None:
    with pytest.raises(ValueError, match=r"group must hold numbers from 0 to 2 \(exclusive\), found 2"):
        exact_group_sums(np.array([0, 2]), [1.0, 1.0], 2)


@given(weights)
@settings(max_examples=100)
def test_fixed_numbers_are_those_of_the_slow_reference(weight) -> None:
    whole, unit = fixed_numbers(np.array(weight))
    assert (whole.tolist(), unit) == reference.fixed_numbers(weight)
    assert sum(whole.tolist()) <= 2**62


def test_whole_weights_stay_whole() -> None:
    whole, unit = fixed_numbers(np.array([3.0, 0.0, 5.0]))
    np.testing.assert_array_equal(whole * unit, [3.0, 0.0, 5.0])


def test_lost_weights_are_named() -> None:
    assert lost_weights(np.array([1.0, 1e-12])) == ""
    message = lost_weights(np.array([1e15, 1e-20, 1e-21, 0.0]))
    assert "from 1e-21 to 1e+15" in message and "2 rows" in message
    assert lost_weights(np.full(3, 1e-310), as_shares=True) == ""
    assert "2 rows" in lost_weights(np.array([1e15, 1e-20, 1e-21, 0.0]), as_shares=True)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(1, 9)), min_size=2, max_size=20),
    st.randoms(use_true_random=False),
)
@settings(max_examples=100)
def test_auc_is_that_of_the_slow_reference(rows, random) -> None:
    score, positive, weight = map(list, zip(*rows, strict=True))
    assume(len(set(positive)) == 2)
    order = random.sample(range(len(rows)), len(rows))
    found = exact_auc(np.array(score, dtype=float), np.array(positive), np.array(weight) / 8)
    assert found == exact_auc(np.array(score, dtype=float)[order], np.array(positive)[order], np.array(weight)[order])
    assert found == pytest.approx(float(reference.auc(score, positive, weight)), rel=1e-15)


def test_auc_of_one_class_is_nan() -> None:
    assert np.isnan(exact_auc(np.array([1.0, 2.0]), np.array([True, True])))


def test_the_largest_size_needs_no_copy_and_keeps_nan() -> None:
    assert largest_size(np.array([-3.0, 2.0])) == 3.0 and largest_size(np.array([1.0, 4.0])) == 4.0
    assert largest_size(np.empty(0)) == 0.0 and np.isnan(largest_size(np.array([1.0, np.nan])))


@given(st.lists(st.tuples(st.integers(0, 3), numbers), max_size=30), st.integers(0, 30))
@settings(max_examples=100)
def test_halves_of_parts_add_up_to_the_sums_of_all_rows(rows, cut) -> None:
    group, values = np.array([g for g, _ in rows], dtype=np.int64), np.array([v for _, v in rows])
    exponent = sum_exponent(largest_size(values))
    whole = in_units(values, exponent)
    halves = group_halves(group[:cut], whole[:cut], 4) + group_halves(group[cut:], whole[cut:], 4)
    assert join_halves(halves, exponent).tobytes() == exact_group_sums(group, values, 4).tobytes()


def test_halves_hold_sums_that_do_not_fit_64_bits() -> None:
    halves = group_halves(np.zeros(6, dtype=np.int64), np.full(6, 2**62), 1)
    assert join_halves(halves, 0).tolist() == [6.0 * 2**62]
