"""Terms at the rows: whatever trees go together, and the same as the tables of the terms."""

import numpy as np
import pytest
from hypothesis import given, settings

from glasswood.explain.effects import _row_terms, find_terms
from tests.reference import effects as reference
from tests.reference.effect_cases import Case, cases


@settings(max_examples=15)
@given(case=cases(n_features=3))
def test_terms_at_the_rows_equal_their_definition(case: Case) -> None:
    terms = find_terms(case.ensemble, case.X, sample_weight=case.weight)
    rows, w = [row for row, u in zip(case.rows, case.w, strict=True) if u > 0], case.w[case.w > 0]
    mean = sum(u * reference.raw(case.ensemble, row) for row, u in zip(rows, w, strict=True)) / w.sum()

    def at_rows(S: tuple[int, ...]) -> np.ndarray:
        table = reference.interventional(case.ensemble, S, rows, w)
        return np.array([table.value[tuple(a.index(r[f]) for a, f in zip(table.cells, S, strict=True))] for r in rows])

    singles = [at_rows((j,)) - mean for j in range(3)]
    for j, table in enumerate(terms.singles):
        np.testing.assert_allclose(terms.rows.at_rows(j, table), singles[j], atol=1e-9)
        axis = reference.cells(case.ensemble, j)
        assert terms.rows.cell(j).tolist() == [axis.index(row[j]) for row in rows]
    for (j, k), column in zip(terms.pairs.tolist(), terms.columns, strict=True):
        known = at_rows((j, k)) - mean - singles[j] - singles[k]
        np.testing.assert_allclose(column, known, atol=1e-9)


def test_groups_hold_every_tree_and_every_pair_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_row_terms, "_tree_slots", lambda grid: np.array([5, 9, 1, 1, 20, 3]))
    monkeypatch.setattr(_row_terms, "_MAX_SLOTS", 10)
    assert list(_row_terms._tree_groups(None)) == [(0, 1), (1, 3), (3, 4), (4, 5), (5, 6)]
    monkeypatch.setattr(_row_terms, "_MAX_LEAVES", 10)
    found = [(some.start, some.stop) for some in _row_terms._pair_groups(np.array([4, 5, 3, 30, 0, 2]))]
    assert found == [(0, 3), (3, 4), (4, 6)] and list(_row_terms._pair_groups(np.zeros(0, dtype=np.int64))) == []
