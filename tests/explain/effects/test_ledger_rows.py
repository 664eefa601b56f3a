"""LedgerRows: terms that are 0 at the rows of a part, but not at all rows, keep their column."""

import numpy as np

import glasswood as gw
from glasswood.explain.effects import find_terms
from glasswood.explain.effects._ledger_rows import LedgerRows, singles_held


def test_a_term_keeps_its_column_where_other_parts_need_it() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    terms = find_terms(gw.TreeRegressor(max_depth=1).fit(X, X[:, 0]), X)
    assert singles_held(terms).tolist() == [True, False]
    assert LedgerRows.of(terms, 4, None).columns.of_output(0).tolist() == [[-0.5, 0.5, -0.5, 0.5]]
    assert LedgerRows.of(terms, 4, np.array([True, True])).columns.of_output(0).shape == (2, 4)
