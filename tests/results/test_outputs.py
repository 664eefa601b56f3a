"""Outputs: one or several, in arrays and frames."""

import numpy as np
import pytest

from glasswood.errors import KeyNotFoundError
from glasswood.results._outputs import by_output, output_index, outputs_last, weighted_mean, weighted_sd, with_output


def test_one_output_has_no_axis() -> None:
    assert outputs_last(np.zeros((1, 3))).shape == (3,)
    assert outputs_last(np.zeros((2, 3, 4))).shape == (3, 4, 2)


def test_frames_hold_one_output_after_the_other() -> None:
    table = np.array([[1.0, 10.0], [2.0, 20.0]])
    assert by_output(table, 2).tolist() == [1, 2, 10, 20]
    assert with_output({"a": [1, 2]}, ("y",), 2) == {"a": [1, 2]}
    assert with_output({}, ("y", "z"), 2)["output"] == ["y", "y", "z", "z"]


def test_an_output_is_named_or_counted() -> None:
    assert output_index("b", ("a", "b")) == output_index(1, ("a", "b")) == output_index(-1, ("a", "b")) == [1]
    for wrong in ("c", 2, 1.0, True):
        with pytest.raises(KeyNotFoundError, match="there is no output"):
            output_index(wrong, ("a", "b"))


def test_means_count_the_cells_with_weight() -> None:
    value, weight = np.array([1.0, 3.0, np.nan]), np.array([1.0, 3.0, 0.0])
    assert weighted_mean(value, weight) == 2.5
    assert weighted_sd(value, weight) == np.sqrt(0.75)
    assert weighted_mean(value, np.zeros(3)) == 2
    assert weighted_sd(value, np.zeros(3)) == 0


def test_the_mean_of_equal_values_is_that_value_to_the_bit() -> None:
    weight = np.random.default_rng(0).random(7)
    assert weighted_mean(np.full(7, 1000.1), weight) == 1000.1
