"""The ledger of parts is that of all rows in one table, whatever the cut."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.errors import TableError
from glasswood.explain.effects import _nested_shares, _row_terms, ledger_of_parts, weight_unit
from tests.explain.several_parts import Several


def table() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(400, 4)), 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.nansum(X[:, :3], axis=1) ** 2 > 2
    model = gw.BoostingClassifier(n_estimators=3, max_depth=3).fit(X, y + (np.nan_to_num(X[:, 0]) > 1))
    return X, np.exp(rng.normal(size=len(X))) * (rng.random(len(X)) > 0.1), model.ensemble_


ROWS, WEIGHT, MODEL = table()


def of_parts(cuts: list[int], weighted: bool, **options: Any) -> Any:
    ends = sorted(cuts)
    weights = np.split(WEIGHT, ends) if weighted else [None] * (len(ends) + 1)
    parts = Several(list(zip(np.split(ROWS, ends), weights, strict=True)))
    return ledger_of_parts(MODEL, parts, unit=weight_unit(WEIGHT) if weighted else None, kind=None, **options)


@settings(max_examples=10)
@given(st.lists(st.integers(0, len(ROWS)), max_size=4), st.booleans())
def test_any_cut_gives_the_bits_of_one_table(cuts: list[int], weighted: bool) -> None:
    assert of_parts(cuts, weighted).to_dict() == wanted(weighted)


def wanted(weighted: bool) -> Any:
    return gw.ledger(MODEL, ROWS, sample_weight=WEIGHT if weighted else None).to_dict()


def test_few_columns_a_few_trees_and_small_tables_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_row_terms, "_MAX_SLOTS", 100)
    monkeypatch.setattr(_nested_shares, "_MAX_BYTES", 0)
    monkeypatch.setattr(_nested_shares, "_MIN_COLUMNS", 3)
    assert of_parts([1, 150], True, max_cells=1, n_threads=2).to_dict() == wanted(True)


def test_rows_without_weight_are_refused() -> None:
    parts = Several([(ROWS[:3], np.zeros(3)), (ROWS[3:5], np.zeros(2))])
    with pytest.raises(TableError, match="no row with a weight above 0"):
        ledger_of_parts(MODEL, parts, unit=1.0, kind=None)
