"""Checks accept numpy's numbers and refuse truth values."""

import numpy as np
import pytest

from glasswood._checks import (
    check_at_least,
    check_between,
    check_choice,
    check_feature_name,
    check_whole,
    feature_position,
    unique_keys,
    whole_number,
)
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
    with pytest.raises(ValueError, match="duplicate key 'a'"):
        unique_keys([("a", 1), ("b", 2), ("a", 3)])


def test_a_feature_is_given_by_its_name_or_its_position() -> None:
    names = ("age", "fare")
    assert [feature_position(given, names) for given in ("fare", 0, np.int64(1))] == [1, 0, 1]
    assert feature_position(-1, names, from_end=True) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("aeg", "fixed: the table has no feature 'aeg'; did you mean 'age'"),
        ("zzz", "fixed: the table has no feature 'zzz'$"),
        (2, "no feature at position 2; it has 2"),
        (-1, "no feature at position -1; it has 2"),
        (0.5, "no feature 0.5; a feature is given by its name or its position"),
        (None, "no feature None"),
        (True, "no feature True; a feature is given by its name or its position"),
        (np.False_, "no feature .*False.*; a feature is given by its name or its position"),
        (np.array([0, 1]), "a feature is given by its name or its position"),
    ],
)
def test_a_feature_that_is_not_there_is_refused_with_a_hint(given: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        feature_position(given, ("age", "fare"), "fixed", of="the table")


def test_a_name_that_no_feature_has_is_refused_with_a_hint() -> None:
    check_feature_name("age", ("age",), "domain")
    with pytest.raises(OptionError, match="domain: the model has no feature 'aeg'; did you mean 'age'"):
        check_feature_name("aeg", ("age",), "domain")


def test_an_array_is_no_choice_and_a_truth_value_no_number() -> None:
    with pytest.raises(OptionError, match="kind must be one of 'a', 'b'"):
        check_choice("kind", np.array(["a", "b"]), ("a", "b"))
    with pytest.raises(OptionError, match="t must be a number"):
        check_at_least("t", True)
