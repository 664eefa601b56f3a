"""Labels as plain Python values."""

import numpy as np
import pandas as pd
import pytest

from glasswood.tables import class_labels, read_table


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([3, 1], (1, 3)),
        ([1.5, 0.5], (0.5, 1.5)),
        ([True, False], (False, True)),
        (pd.to_datetime(["2020-01-02", "2020-01-01"]), ("2020-01-01 00:00:00", "2020-01-02 00:00:00")),
        (pd.interval_range(0, 2), ("(0, 1]", "(1, 2]")),
    ],
)
def test_labels_are_plain_python_values(values, labels):
    column = read_table(pd.DataFrame({"x": pd.Categorical(values)})).column(0)
    assert column.labels == labels
    assert [type(label) for label in column.labels] == [type(label) for label in labels]


def test_class_labels_are_plain_objects_that_a_file_can_hold() -> None:
    found = class_labels(np.array([np.int64(1), "a", True, 0.5, np.nan, None, b"x"], dtype=object))
    assert found == (1, "a", True, 0.5, "nan", "None", "b'x'")
    assert [type(label) for label in found] == [int, str, bool, float, str, str, str]
    assert class_labels(np.array(["a", "b"])) == ("a", "b") and class_labels([]) == ()
