"""CountedParts: sums of parts, counted one by one, are the sums of all rows in one table, to the bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import glasswood as gw
from glasswood.explain.effects import CountedParts, weight_unit
from glasswood.explain.effects._row_sums import long_sums
from tests.explain.several_parts import Several


def in_parts(tables: list[Any], weights: list[Any] | None) -> CountedParts:
    """Tables of this process, counted from the last to the first."""
    parts = list(zip(tables, weights or [None] * len(tables), strict=True))
    unit = None if weights is None else weight_unit(np.concatenate(weights))
    return CountedParts(Several(parts[::-1]), None, unit)


def table() -> tuple[NDArray[np.float64], NDArray[np.float64], Any]:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(5000, 4)), 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    model = gw.BoostingRegressor(n_estimators=4, max_depth=4).fit(X, np.nansum(X, axis=1) ** 2)
    return X, np.exp(3 * rng.normal(size=len(X))) * (rng.random(len(X)) > 0.1), model.ensemble_


ROWS, WEIGHT, MODEL = table()


def bits(X: Any, weight: Any, degree: int, method: str = "interventional") -> list[bytes]:
    given: dict[str, Any] = {"sample_weight": weight, "method": method}
    if degree == 1:
        found: Any = gw.effects(MODEL, X, **given)
        tables = [found[name] for name in found.names]
    else:
        tables = list(gw.interactions(MODEL, X, features=[0, 1, 2], degree=degree, **given).tables)
    return [part.tobytes() for one in tables for part in (one.value, one.effect, one.weight, one.spread)]


@settings(max_examples=5)
@given(
    st.lists(st.integers(0, len(ROWS)), max_size=4),
    st.booleans(),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["interventional", "observed", "path", "leafmean"]),
)
def test_any_cut_gives_the_bits_of_one_table(cuts: list[int], weighted: bool, degree: int, method: str) -> None:
    ends = sorted(cuts)
    weights = np.split(WEIGHT, ends) if weighted else None
    parts = in_parts(np.split(ROWS, ends), weights)
    assert bits(parts, None, degree, method) == bits(ROWS, WEIGHT if weighted else None, degree, method)


@given(st.lists(st.tuples(st.integers(0, 2**192 - 1), st.integers(0, 2**192 - 1)), min_size=1))
def test_long_numbers_are_added_with_their_carries(pairs: list[tuple[int, int]]) -> None:
    def words(numbers: list[int]) -> NDArray[np.uint64]:
        return np.array([[(n >> 64 * k) % 2**64 for k in range(3)] for n in numbers], dtype=np.uint64)

    found = long_sums(words([a for a, _ in pairs]), words([b for _, b in pairs]))
    assert found.tolist() == words([(a + b) % 2**192 for a, b in pairs]).tolist()


def test_parts_without_weight_are_refused_as_one_table_is() -> None:
    with pytest.raises(gw.errors.TableError, match="no row with a weight above 0"):
        gw.effects(MODEL, in_parts([ROWS[:5], ROWS[5:9]], [np.zeros(5), np.zeros(4)]))
