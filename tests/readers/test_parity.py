"""A wrong reading is detected, and the worst row named."""

import dataclasses

import numpy as np
import pytest

from glasswood.errors import ParityError, ParityWarning
from glasswood.readers._oracle import FLOAT64_SUMS, Oracle, float32_sums
from glasswood.readers._parity import check_parity
from tests.ensemble.examples import stump, two_trees

X = np.array([[0.0, 0.0], [2.0, 2.0], [9.0, 9.0]])


def correct(rows: np.ndarray) -> Oracle:
    return Oracle(raw=two_trees().predict_raw(rows).reshape(-1, 1), leaves=two_trees().apply(rows))


def test_equal_predictions_give_a_certificate() -> None:
    parity = check_parity(two_trees(), X, correct).source.parity
    assert parity.n_rows == 3
    assert parity.leaves_equal is True
    assert parity.largest_difference == 0.0


def test_a_difference_beyond_the_bound_names_the_worst_row_and_both_values() -> None:
    def shifted(rows: np.ndarray) -> Oracle:
        raw = correct(rows).raw
        raw[1] += 1e-9
        raw[2] += 1e-3
        return Oracle(raw=raw, leaves=None)

    with pytest.raises(ParityError, match=r"row 2, output 'output0'.*2\.6.*2\.601"):
        check_parity(two_trees(), X, shifted)


def test_a_difference_within_the_bound_passes() -> None:
    def rounded(rows: np.ndarray) -> Oracle:
        return Oracle(raw=correct(rows).raw.astype(np.float32).astype(float), leaves=None, unit=float32_sums(2))

    parity = check_parity(two_trees(), X, rounded).source.parity
    assert parity.leaves_equal is None
    assert 0 < parity.largest_difference <= parity.bound


def test_a_nan_is_a_mismatch() -> None:
    with pytest.raises(ParityError, match="row 0"):
        check_parity(stump(), X[:, :1], lambda rows: Oracle(raw=np.full((len(rows), 1), np.nan), leaves=None))


def test_another_leaf_is_a_mismatch_even_if_raw_agrees() -> None:
    def other_leaf(rows: np.ndarray) -> Oracle:
        leaves = correct(rows).leaves.copy()
        leaves[1, 0] = 99
        return dataclasses.replace(correct(rows), leaves=leaves)

    with pytest.raises(ParityError, match="row 1 reaches leaf 3 of tree 0, hand says leaf 99"):
        check_parity(two_trees(), X, other_leaf)


def test_another_number_of_outputs_or_trees_is_a_mismatch() -> None:
    with pytest.raises(ParityError, match="shape"):
        check_parity(two_trees(), X, lambda rows: Oracle(raw=np.zeros((len(rows), 2)), leaves=None))
    with pytest.raises(ParityError, match="shape"):
        check_parity(
            two_trees(), X, lambda rows: dataclasses.replace(correct(rows), leaves=correct(rows).leaves[:, :1])
        )


def test_a_note_is_shown_once() -> None:
    def noting(rows: np.ndarray) -> Oracle:
        return dataclasses.replace(correct(rows), notes=("mind the step", "mind the step"))

    with pytest.warns(ParityWarning, match="mind the step") as said:
        check_parity(two_trees(), np.tile(X, (5000, 1)), noting)
    assert len(said) == 1


def test_at_most_max_rows_are_compared() -> None:
    asked: list[int] = []

    def counting(rows: np.ndarray) -> Oracle:
        asked.append(len(rows))
        return correct(rows)

    assert check_parity(two_trees(), X, counting, max_rows=2).source.parity.n_rows == 2
    assert asked == [2]


def test_many_rows_are_compared_in_chunks() -> None:
    many = np.tile(X, (5000, 1))
    assert check_parity(two_trees(), many, correct).source.parity.n_rows == 15000


def test_the_bound_grows_with_the_trees_of_a_float32_library() -> None:
    assert FLOAT64_SUMS < float32_sums(1) < float32_sums(100)
