"""What both boosting estimators share: offsets, categories by request, rows set aside."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.estimators._boosting_fit import read_offset, with_categories
from glasswood.tables import CategoryColumn, read_table


def test_an_offset_is_turned_to_outputs_by_rows() -> None:
    assert read_offset(None, 3, 1) is None
    np.testing.assert_array_equal(read_offset([1, 2, 3], 3, 1), [[1.0, 2.0, 3.0]])
    assert read_offset(np.zeros((3, 2)), 3, 2).shape == (2, 3)
    with pytest.raises(TableError, match="3 rows of 2 finite numbers"):
        read_offset(np.zeros((2, 3)), 3, 2)


@pytest.mark.parametrize("wanted", [[1], [False, True], ["b"]])
def test_columns_become_categories_by_position_mask_or_name(wanted: Any) -> None:
    import pandas as pd

    table = read_table(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [5.0, np.nan, 5.0]}))
    column = with_categories(table, wanted).columns[1]
    assert isinstance(column, CategoryColumn)
    assert column.codes.tolist() == [0, -1, 0] and column.labels == (5.0,)


def test_what_is_no_feature_is_refused() -> None:
    table = read_table(np.zeros((2, 2)))
    assert with_categories(table, None) is table
    for wanted in ([2], ["a"], [True]):
        with pytest.raises(OptionError, match="categorical_features"):
            with_categories(table, wanted)


def test_an_evaluation_table_must_have_rows_and_targets() -> None:
    with pytest.raises(TableError, match=r"eval_set must hold \(X, y\)"):
        gw.BoostingRegressor().fit([[0.0], [1.0]], [0.0, 1.0], eval_set=[[1.0]])
