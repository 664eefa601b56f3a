"""AttributedRows: values of the caller's table, fetched when asked for."""

import datetime as dt

import numpy as np
import pandas as pd

from glasswood.results import AttributedRows
from glasswood.results._attributed_rows import exact_text, value_text

FRAME = pd.DataFrame({"a": [1.0, np.nan], "b": pd.Categorical(["x", None]), "c": [True, False]})
ROWS = AttributedRows(table=FRAME, order=(2, None, 1, 0))


def test_values_follow_the_order() -> None:
    assert ROWS.values(0) == [1.0, None, "x", 1.0] and ROWS.values(1) == [0.0, None, None, None]


def test_columns_are_numbers_with_labels() -> None:
    flag, group, wood, number = ROWS.columns()
    assert group is None and flag is not None and wood is not None and number is not None
    np.testing.assert_array_equal(number.values, [1.0, np.nan])
    np.testing.assert_array_equal(wood.values, [0.0, np.nan])
    assert wood.labels == ("x",)
    some = ROWS.columns(np.array([1]))[3]
    assert some is not None and np.isnan(some.values).all()


def test_numbers_are_short() -> None:
    assert value_text(0.123456) == "0.1235" and value_text(None) == "missing" and value_text("oak") == "oak"


def test_exact_numbers_have_all_digits() -> None:
    assert [exact_text(value) for value in (0.1234567890123, 29.0, -0.5, 1e300, np.inf, 7, "oak", None)] == [
        "0.1234567890123", "29", "-0.5", "1e+300", "inf", "7", "oak", "missing"
    ]  # fmt: skip


def test_dates_are_known_by_the_table() -> None:
    frame = FRAME.assign(day=pd.to_datetime(["2024-02-03", None]), born=[dt.date(2020, 1, 2), None])
    rows = AttributedRows(table=frame, order=(3, None, 0, 4))
    assert rows.dates(0) == (True, False, False, True)
    assert [value_text(v, d) for v, d in zip(rows.values(0), rows.dates(0), strict=True)][::3] == [
        "2024-02-03", "2020-01-02"
    ]  # fmt: skip
    assert value_text(rows.values(1)[0], True) == "missing"
    columns = rows.columns()
    assert [column is not None and column.is_date for column in columns] == [True, False, False, True]
    assert exact_text(1.5e6, True) == "1970-01-01 00:00:01.500000" and value_text(1.5e6, True) == "1970-01-01 00:00:01"
