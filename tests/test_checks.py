"""Checks accept numpy's numbers and refuse truth values."""

import numpy as np
import pytest

from glasswood._checks import check_at_least, check_between, check_choice, check_whole, unique_keys, whole_number
from glasswood.errors import OptionError


def test_numbers_of_numpy_count() -> None:
    check_whole("a", np.int64(3), 1)
    check_at_least("a", np.float32(0.5))
    check_between("a", np.float64(1.0), 0, 1, high_counts=True)
    check_choice("a", "x", ("x",))


def test_truth_values_and_infinity_do_not() -> None:
    with pytest.raises(OptionError):
        check_whole("a", True, 0)
    with pytest.raises(OptionError):
        check_at_least("a", float("inf"))
    with pytest.raises(OptionError):
        check_between("a", True, 0, 2)


def test_a_count_is_a_whole_number_of_at_least_so_many() -> None:
    assert type(whole_number("k", np.int64(3), 1)) is int
    for wrong in (0, 1.5, "2", True, None):
        with pytest.raises(OptionError, match="k must be a whole number, at least 1; got"):
            whole_number("k", wrong, 1)


def test_a_key_may_occur_once() -> None:
    assert unique_keys([("a", 1), ("b", 2)]) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match="'a' stands twice"):
        unique_keys([("a", 1), ("b", 2), ("a", 3)])
