"""Cells: intervals, categories, unseen and missing, as texts and columns."""

import json

import numpy as np

from glasswood.results import Cells

NUMBER = Cells(
    feature="age",
    is_category=False,
    lower=np.array([-np.inf, 1.5, np.nan]),
    upper=np.array([1.5, np.inf, np.nan]),
    category=(None, None, None),
    missing=np.array([False, False, True]),
)
CATEGORY = Cells(
    feature="colour",
    is_category=True,
    lower=np.full(4, np.nan),
    upper=np.full(4, np.nan),
    category=("red", "blue", None, None),
    missing=np.array([False, False, False, True]),
)


def test_cells_have_names() -> None:
    assert [NUMBER.label(i) for i in range(len(NUMBER))] == ["(-inf, 1.5]", "(1.5, inf)", "missing"]
    assert [CATEGORY.label(i) for i in range(len(CATEGORY))] == ["red", "blue", "unseen", "missing"]


def test_the_unseen_cell_is_neither_known_nor_missing() -> None:
    assert CATEGORY.unseen.tolist() == [False, False, True, False]
    assert not NUMBER.unseen.any()


def test_columns_carry_a_suffix() -> None:
    columns = CATEGORY.take(np.array([1, 3]), "_0")
    assert list(columns) == ["lower_0", "upper_0", "category_0", "missing_0"]
    assert columns["category_0"].tolist() == ["blue", None]


def test_cells_are_json_ready() -> None:
    assert json.loads(json.dumps(NUMBER.to_dict(), allow_nan=False))["lower"] == [None, 1.5, None]
