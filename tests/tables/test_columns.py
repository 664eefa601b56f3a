"""Columns in every form of storage."""

import numpy as np
import pytest

from glasswood.tables import read_table
from glasswood.tables._columns import as_floats


def test_a_column_is_found_by_position_in_a_matrix_and_in_a_tuple():
    matrix = read_table([[1, 2], [3, 4]])
    columns = read_table(np.array([(1, 2), (3, 4)], dtype=[("a", int), ("b", int)]))
    assert matrix.n_columns == columns.n_columns == 2
    assert matrix.column(1).tolist() == columns.column(1).tolist() == [2, 4]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_floats_a_kernel_can_read_are_not_copied(dtype):
    values = np.arange(6, dtype=dtype)[::-2]
    assert as_floats(values) is values


@pytest.mark.parametrize("dtype", [">f4", ">f8"])
def test_foreign_byte_order_keeps_its_precision(dtype):
    floats = as_floats(np.array([0.1, np.nan], dtype=dtype))
    assert floats.dtype == np.dtype(dtype).newbyteorder("=")
    assert floats[0] == np.array(0.1, dtype=floats.dtype)


def test_unaligned_floats_are_copied_into_place():
    packed = np.zeros(3, dtype=[("flag", "i1"), ("x", "f8")])
    packed["x"] = [1.5, 2.5, 3.5]
    assert not packed["x"].flags.aligned
    floats = as_floats(packed["x"])
    assert floats.flags.aligned
    assert floats.tolist() == [1.5, 2.5, 3.5]


def test_integers_beyond_float64_are_rounded():
    assert as_floats(np.array([2**53 + 1, -(2**63)])).tolist() == [2.0**53, -(2.0**63)]


def test_times_become_microseconds_and_nat_becomes_nan():
    days = as_floats(np.array(["1970-01-03", "NaT"], dtype="M8[D]"))
    assert np.array_equal(days, [2 * 86400e6, np.nan], equal_nan=True)


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "m", "h", "D"])
def test_one_instant_is_one_number_in_every_unit(unit: str) -> None:
    instant = np.array(["2024-02-29T00:00:00", "NaT"], dtype=f"M8[{unit}]")
    assert as_floats(instant)[0] == 1709164800e6
    assert np.isnan(as_floats(instant)[1])


def test_nanoseconds_keep_the_microseconds_exact() -> None:
    precise = np.array(["2024-02-29T12:34:56.123456"], dtype="M8[us]")
    assert as_floats(precise.astype("M8[ns]"))[0] == as_floats(precise)[0]
    assert as_floats(np.array(["1970-02", "1971-01"], dtype="M8[M]")).tolist() == [31 * 86400e6, 365 * 86400e6]
