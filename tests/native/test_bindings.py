"""Bindings refuse lengths, numbers and names that do not fit, before a kernel reads beyond an array."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glasswood import _native

X = np.arange(6.0).reshape(3, 2)
NO_CATEGORY = np.zeros(2, dtype=bool)
ROWS = np.arange(3, dtype=np.uint32)
NONE = np.empty(0)
EDGES = np.array([0.5, 1.5])
START = np.array([0, 1, 2])
NO_LEVELS = np.zeros(3, dtype=np.int64)
NO_BINS = np.empty(0, dtype=np.uint8)
LEAF = np.array([[0], [1]], dtype=np.int32)
LISTS = np.array([0, 1, 2])
NO_COPIES = np.empty((0, 0), dtype=np.uint32)


def edges(rows: Any = ROWS, weight: Any = NONE, max_bins: int = 4) -> Any:
    return _native.bin_edges(X, NO_CATEGORY, rows, weight, max_bins, 1)


def bins(start: Any = START, level_start: Any = NO_LEVELS) -> Any:
    return _native.bin_rows(X, NO_CATEGORY, start, EDGES, level_start, NO_BINS, False, 1)


def binned_part(first: int = 0, space: Any = None, by_column: Any = None) -> None:
    new, columns = _native.new_bins(4, 2, True)
    into = new if space is None else space, columns if by_column is None else by_column
    _native.bin_part(X, NO_CATEGORY, START, EDGES, NO_LEVELS, NO_BINS, *into, first, 1)


def nearest(leaf: Any = LEAF, start: Any = LISTS, row: Any = ROWS[:2], n_rows: int = 2) -> Any:
    return _native.nearest_rows(leaf, start, row, np.ones(2), np.ones(1), NONE, n_rows, 1, NONE, 1)


def counted(leaf: Any) -> Any:
    counts = [np.zeros(2, dtype=np.int64) for _ in range(3)]
    return _native.count_leaf_rows(leaf, NONE, NO_COPIES, *counts, 1.0, 1)


def forest(**change: Any) -> Any:
    options: dict[str, Any] = {
        "numbers": np.arange(3.0), "labels": np.empty(0, dtype=np.int32), "n_classes": 0, "weight": np.ones(3),
        "criterion": "squared_error", "max_depth": None, "min_samples_split": 2, "min_samples_leaf": 1,
        "min_weight_leaf": 0.0, "max_leaf_nodes": None, "max_features": 2, "needs_gain": False, "ccp_alpha": 0.0,
        "n_quantiles": 0, "n_estimators": 1, "bootstrap": False, "n_draws": 3, "seed": 0, "on_trees": None,
        "n_threads": 1,
    }  # fmt: skip
    return _native.grow_forest(X, np.zeros(2, dtype=np.int32), **{**options, **change})


def test_what_fits_is_taken() -> None:
    edges()
    bins()
    binned_part(1)
    nearest()
    counted(LEAF)
    forest()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: edges(rows=ROWS + 1), r"rows must hold numbers from 0 to 3 \(exclusive\), found 3"),
        (lambda: edges(weight=np.ones(2)), "weight has 2 entries, expected 3"),
        (lambda: edges(max_bins=256), "max_bins must lie between 2 and 255"),
        (lambda: edges(max_bins=1), "max_bins must lie between 2 and 255"),
        (lambda: bins(start=START[:2]), "start has 2 entries, expected 3"),
        (lambda: bins(start=START + 1), "start must rise from 0 to 2"),
        (lambda: bins(start=np.array([0, 3, 2])), "start must rise from 0 to 2"),
        (lambda: bins(level_start=NO_LEVELS[:2]), "level_start has 2 entries, expected 3"),
        (lambda: bins(level_start=np.array([0, 0, 5])), "level_start must rise from 0 to 0"),
        (lambda: binned_part(first=2), "the bins have no place for the rows"),
        (lambda: binned_part(first=2**64 - 1), "the bins have no place for the rows"),
        (lambda: binned_part(space=_native.new_bins(4, 3, False)[0]), "a row of bins has 3 entries, expected 2"),
        (lambda: binned_part(space=np.zeros((4, 2), dtype=np.uint8)), "bins must come from new_bins"),
        (lambda: binned_part(by_column=_native.new_bins(3, 2, True)[1]), "by row and by column differ in shape"),
        (lambda: nearest(leaf=LEAF + 1), r"leaf must hold numbers from 0 to 2 \(exclusive\), found 2"),
        (lambda: nearest(leaf=LEAF - 1), "leaf must hold numbers from 0 to 2 .*, found -1"),
        (lambda: nearest(start=LISTS + 1), "start must rise from 0 to 2"),
        (lambda: nearest(row=ROWS[1:]), r"row must hold numbers from 0 to 2 \(exclusive\), found 2"),
        (lambda: counted(LEAF + 1), "leaf must hold numbers from 0 to 2"),
        (lambda: _native.fill_leaf_rows(LEAF, NONE, NO_COPIES, 0, np.zeros(1, dtype=np.int64), ROWS, 1), "leaf must"),
        (lambda: forest(criterion="mae"), "unknown criterion 'mae'; there are squared_error, gini, entropy"),
        (lambda: forest(min_weight_leaf=np.nan), "min_weight_leaf must be at least 0"),
        (lambda: forest(ccp_alpha=np.nan), "ccp_alpha must be at least 0"),
        (lambda: forest(max_features=0), "max_features must be some features"),
        (lambda: forest(max_features=3), "max_features must be some features"),
        (lambda: _native.split_gains("best", np.ones((1, 4)), np.ones((1, 4)), 0.0), "unknown gain 'best'"),
        (lambda: _native.split_gains("welch", np.ones((1, 4)), np.ones((1, 4)), np.nan), "l2 must be at least 0"),
        (lambda: _native.credibilities("best", np.ones((1, 4))), "unknown gain 'best'"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
