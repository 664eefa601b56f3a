"""ComparedRows: rows in parts agree as all rows in one table do."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import TableError
from glasswood.explain import OnePart
from glasswood.explain.compare import difference
from glasswood.explain.compare._compared_rows import ComparedRows, agreement_of, compared_rows
from tests.explain.several_parts import Several

X = np.arange(30.0)[:, None] % 11
Y = X[:, 0] ** 2
A, B = (gw.TreeRegressor(max_depth=d).fit(X, Y).ensemble_ for d in (3, 1))


def rows(some: slice, weight: object = None) -> ComparedRows:
    return compared_rows(difference(A, B), (A, B), X[some], (), weight, 1)


def test_equal_differences_are_shown_by_row_number() -> None:
    whole = agreement_of(OnePart(rows(slice(None))), (A, B), 1, with_loss=False)
    parts = Several([rows(slice(0, 4)), rows(slice(4, 4)), rows(slice(4, 30))])
    found = agreement_of(parts, (A, B), 1, with_loss=False)
    assert found.rows.tolist() == whole.rows.tolist() and len(set(found.rows.tolist())) == 10
    assert found.row_raw.tobytes() == whole.row_raw.tobytes()
    assert found.quantiles.tobytes() == whole.quantiles.tobytes()
    assert found.correlation.tobytes() == whole.correlation.tobytes()


def test_rows_that_count_for_nothing_are_refused() -> None:
    with pytest.raises(TableError, match="compare needs rows"):
        agreement_of(OnePart(rows(slice(0, 0))), (A, B), 1, with_loss=False)
    with pytest.raises(TableError, match="sample_weight is 0 in every row"):
        agreement_of(OnePart(rows(slice(0, 5), np.zeros(5))), (A, B), 1, with_loss=False)
