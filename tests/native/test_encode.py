"""The encoder's codes are exactly the number of thresholds below each value, whatever the thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood import _native

ZERO_REACH = float(np.float32(1e-35))


def beside(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values, their neighbours on both sides, and all special float64 values."""
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 1e-300, 1.0, -1.0]
    with np.errstate(over="ignore"):
        return np.concatenate([x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf), special])


def expected(x: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.uint32]:
    codes = np.searchsorted(thresholds, x, side="left")
    return np.where(np.isnan(x), thresholds.size + 1, codes).astype(np.uint32)


def check(thresholds: NDArray[np.float64]) -> None:
    thresholds = np.unique(thresholds)
    x = beside(thresholds)
    np.testing.assert_array_equal(_native.encode(x, thresholds), expected(x, thresholds))


@settings(max_examples=200)
@given(st.lists(st.floats(allow_nan=False), max_size=60))
def test_code_is_the_number_of_thresholds_below(thresholds: list[float]) -> None:
    check(np.array(thresholds, dtype=np.float64))


@pytest.mark.parametrize(
    "thresholds",
    [
        np.array([]),
        np.array([3.0]),
        np.array([np.inf]),
        np.array([-np.inf]),
        np.array([-np.inf, np.inf]),
        np.array([-np.inf, 0.0, np.inf]),
        np.array([-1.7e308, 0.0, 1.7e308]),
        np.array([0.0, 5e-324, 1e-323]),
        np.linspace(0, 1, 1000),
        1.7e9 + np.arange(300.0),
        np.exp(np.linspace(-700, 700, 5000)),
        np.concatenate([np.linspace(0, 1e-9, 5000), [1e9]]),
        np.nextafter(1.0, 2.0) + np.arange(200) * 2.0**-52,
        np.linspace(-5, 5, 70_000),
    ],
    ids=str,
)
def test_codes_are_exact_for_thresholds_that_do_not_spread_evenly(thresholds: NDArray[np.float64]) -> None:
    check(thresholds)


@pytest.mark.parametrize("crowd", [1, 2, 3, 4, 5, 7, 8, 9, 64])
def test_codes_are_exact_however_many_thresholds_share_a_slot(crowd: int) -> None:
    check(np.concatenate([np.arange(20) * 1e6, np.arange(crowd) * 1e-3]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("step", [1, 3, -1, -2])
@pytest.mark.parametrize("n", [0, 1, 127, 128, 129, 1000])
def test_columns_are_read_at_any_stride(dtype: type, step: int, n: int) -> None:
    rng = np.random.default_rng(0)
    column = rng.normal(size=3 * n).astype(dtype)[::step][:n]
    thresholds = np.unique(rng.normal(size=50).astype(np.float32).astype(np.float64))
    codes = _native.encode(column, thresholds)
    np.testing.assert_array_equal(codes, expected(column.astype(np.float64), thresholds))


def test_columns_need_not_be_aligned() -> None:
    records = np.zeros(200, dtype=np.dtype([("tag", "i1"), ("x", "f8")]))
    records["x"] = np.arange(200.0)
    np.testing.assert_array_equal(_native.encode(records["x"], np.array([9.5])), np.arange(200) > 9)


def test_tiny_values_are_missing_where_zero_is() -> None:
    x = np.array([0.0, -0.0, ZERO_REACH, np.nextafter(ZERO_REACH, 1), -ZERO_REACH, 1.0, np.nan])
    codes = _native.encode(x, np.array([0.0]), zero_is_missing=True)
    np.testing.assert_array_equal(codes, [2, 2, 2, 1, 2, 1, 2])


def test_category_codes_keep_unseen_and_missing_apart() -> None:
    column = np.array([0, 2, 3, 2**31 - 1, -1, -(2**31)], dtype=np.int32)
    np.testing.assert_array_equal(_native.encode(column, np.array([]), n_levels=3), [0, 2, 3, 3, 4, 4])


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (np.zeros(3, dtype=np.int64), "must be float64, float32 or int32"),
        (np.zeros(3, dtype=">f8"), "must be float64, float32 or int32"),
        (np.zeros((3, 1)), "must have 1 dimension"),
        ([1.0], "must be a NumPy array"),
        (np.zeros(3, dtype=np.int32), "is a number"),
    ],
    ids=["int64", "byte order", "2-D", "list", "codes"],
)
def test_other_columns_are_refused(column: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.encode(column, np.array([0.0]))
