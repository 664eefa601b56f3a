"""Scaling by a power of two and back is exact."""

import numpy as np
import pytest

from glasswood._powers import power_of, times_power


@pytest.mark.parametrize(
    ("values", "exponent"),
    [
        ([], 0),
        ([0.0, 0.0], 0),
        ([1.0, 3.0], 0),
        ([1e30, -1e-30], 0),
        ([1e160, 0.0], 530),
        ([-1e160, 1.0], 530),
        ([1e-160], -532),
        ([5e-324], -1074),
        ([1.7e308], 1022),
    ],
)
def test_numbers_of_ordinary_size_stay_as_they_are(values: list[float], exponent: int) -> None:
    assert power_of(np.array(values)) == exponent


@pytest.mark.parametrize("values", [[1.7e308, 1e300], [5e-324, 3e-323], [1.0, 0.1]])
def test_scaling_there_and_back_loses_nothing(values: list[float]) -> None:
    given = np.array(values)
    scaled = times_power(given, -power_of(given))
    assert 1e-31 < scaled.max() < 2e30
    np.testing.assert_array_equal(times_power(scaled, power_of(given)), given)


def test_overflow_gives_infinity() -> None:
    assert times_power(np.array([1.0, 0.0]), 2000).tolist() == [np.inf, 0.0]
    assert times_power(np.array([1.0]), -2000).tolist() == [0.0]
