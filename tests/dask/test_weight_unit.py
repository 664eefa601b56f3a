"""The unit of weights that lie in partitions is that of all of them in one process."""

import warnings
from typing import Any

import dask.array as da
import numpy as np
import pytest

from glasswood.dask._weight_unit import weight_unit_of
from glasswood.errors import PrecisionWarning, TableError
from glasswood.explain.effects import weight_unit


@pytest.mark.parametrize("spread", [0.0, 1.0, 20.0])
def test_the_unit_is_that_of_one_process(spread: float) -> None:
    rng = np.random.default_rng(0)
    weight = np.exp(spread * rng.normal(size=100)) * (rng.random(100) > 0.2)
    parts = da.from_array(weight, chunks=((0, 30, 0, 70),))
    expected: Any = weight_unit_with_warning(weight_unit, weight)
    assert weight_unit_with_warning(weight_unit_of, parts) == expected
    assert bool(expected[1]) == (spread == 20.0)
    assert weight_unit_of(da.zeros(3, chunks=2)) == weight_unit(np.zeros(3))


def weight_unit_with_warning(function: Any, weight: Any) -> tuple[float, list[str]]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(weight)
    return found, [str(one.message) for one in told if one.category is PrecisionWarning]


def test_what_is_wrong_with_a_weight_names_its_row_among_all() -> None:
    weight = np.ones(100)
    weight[70] = -1
    with pytest.raises(TableError, match="sample_weight is negative in row 70"):
        weight_unit_of(da.from_array(weight, chunks=30))
    with pytest.raises(TableError, match="the sum of sample_weight is infinite"):
        weight_unit_of(da.full(4, 1e308, chunks=1))
