"""PartedRows: the rows of several tables as those of one, with one part in memory at a time."""

import itertools
from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.train import PartedRows
from glasswood.train.boosting._binning import make_binning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
X[::5, 1] = np.nan
CODES = RNG.integers(-1, 4, 40).astype(np.int32)
CUTS = [0, 11, 11, 30, 40]


def as_parts(whole: AlignedRows) -> PartedRows:
    parts = [whole.take(slice(a, b)) for a, b in itertools.pairwise(CUTS)]
    return PartedRows.of([part.n_rows for part in parts], parts.__getitem__, whole.take(slice(0, 0)))


def tables() -> list[tuple[AlignedRows, FeatureSchema]]:
    numbers = FeatureSchema.numeric(["a", "b", "c"])
    schema = FeatureSchema(
        names=("a", "town", "c"),
        named=True,
        categories=(None, ("w", "x", "y", "z"), None),
        coded=np.zeros(3, dtype=bool),
        missing_routed=np.ones(3, dtype=bool),
        zero_is_missing=np.zeros(3, dtype=bool),
    )
    mixed = AlignedRows(40, [X[:, 0], CODES, X[:, 2].astype(np.float32)])
    return [(AlignedRows(40, X), numbers), (mixed, schema)]


@pytest.mark.parametrize("kind", [0, 1])
def test_binning_and_bins_are_those_of_one_table(kind: int) -> None:
    whole, features = tables()[kind]
    weight = np.where(np.arange(40) % 3, 1.5, 0.0)
    given: dict[str, Any] = {"max_bins": 6, "seed": 0, "n_threads": 2}
    one, other = (make_binning(rows, features, weight, **given) for rows in (whole, as_parts(whole)))
    assert one.edges.tobytes() == other.edges.tobytes() and one.level_bin.tobytes() == other.level_bin.tobytes()
    for found, wanted in zip(other.apply_both(as_parts(whole), 2), one.apply_both(whole, 2), strict=True):
        assert np.array_equal(found, wanted) and found.strides == wanted.strides
        assert found.ctypes.data % 64 == 0  # a row lies in as few cache lines as it can


@pytest.mark.parametrize("kind", [0, 1])
def test_rows_are_taken_across_parts(kind: int) -> None:
    whole, _ = tables()[kind]
    first, then = np.array([0, 3, 10, 11, 29, 30, 39]), np.array([1, 2, 5, 6])
    found = as_parts(whole).take(first).take(then)
    assert found.n_rows == 4
    for f in range(3):
        wanted = whole.take(first[then]).column(f)
        assert np.array_equal(found.gathered().column(f), wanted, equal_nan=f != 1 or not kind)
    assert np.array_equal(found.gathered([2]).column(0), whole.take(first[then]).column(2), equal_nan=True)
    assert as_parts(whole).take(first[:0]).gathered().n_rows == 0
    assert as_parts(whole).take(first[:0]).gathered([1]).column(0).shape == (0,)
