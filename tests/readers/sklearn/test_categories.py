"""What the encoder learnt, and the tables it accepts."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import glasswood as gw
from glasswood.readers.sklearn._categories import encoded_categories, table_for_encoder


def learnt(*values: Any) -> np.ndarray[Any, Any]:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


SECOND = SimpleNamespace(is_categorical_=np.array([False, True]))


def test_nan_is_not_a_label() -> None:
    known = encoded_categories(SECOND, [learnt("a", "b", np.nan)])
    assert (known.labels, known.null_code, known.notes) == ({1: ("a", "b")}, {}, ())


def test_none_is_a_category_for_scikit_learn_and_missing_for_us() -> None:
    known = encoded_categories(SECOND, [learnt("a", "b", None)])
    assert (known.labels, known.null_code) == ({1: ("a", "b")}, {1: 2})
    assert "None to scikit-learn" in known.notes[0]


def test_both_kinds_of_missing_are_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="both None and NaN"):
        encoded_categories(SECOND, [learnt("a", None, np.nan)])


def test_numbers_stay_numbers_and_the_rest_becomes_text() -> None:
    assert encoded_categories(SECOND, [np.array([2.0, 7.0])]).labels == {1: (2.0, 7.0)}
    assert encoded_categories(SECOND, [np.array([False, True])]).labels == {1: (False, True)}
    day = pd.Timestamp("2024-05-01")
    assert encoded_categories(SECOND, [learnt(day)]).labels == {1: (str(day),)}


def test_no_categories_at_all() -> None:
    assert encoded_categories(SimpleNamespace(is_categorical_=None), []).labels == {}


def test_tables_scikit_learn_knows_are_passed_as_they_are() -> None:
    frame, matrix = pd.DataFrame({"a": ["x"]}), np.zeros((1, 2))
    assert table_for_encoder(frame) is frame
    assert table_for_encoder(matrix) is matrix


def test_other_tables_come_as_a_frame_of_their_labels() -> None:
    arrow = pa.table({"a": pa.array(["x", None]).dictionary_encode(), "b": pa.array([1.0, 2.0])})
    frame = table_for_encoder(arrow)
    assert frame["a"].iloc[0] == "x"
    assert pd.isna(frame["a"].iloc[1])
    assert frame["b"].tolist() == [1.0, 2.0]
    codes = pa.table({"a": pa.array([5, None, 7]).dictionary_encode()})
    assert table_for_encoder(codes)["a"].tolist()[::2] == [5.0, 7.0]
    assert table_for_encoder([["x", 1.0], ["y", 2.0]]).tolist() == [["x", 1.0], ["y", 2.0]]
