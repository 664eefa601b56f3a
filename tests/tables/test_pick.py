"""Columns by name."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from glasswood.errors import TableError
from glasswood.tables import FrameKind, column_names, frame_kind, make_frame, pick_columns, place_columns


@pytest.mark.parametrize("kind", list(FrameKind))
def test_columns_come_in_the_order_asked_for(kind: FrameKind) -> None:
    frame = make_frame({"a": [1], "b": [2], "c": [3]}, kind)
    assert column_names(frame) == ["a", "b", "c"]
    picked = pick_columns(frame, ["c", "a"])
    assert column_names(picked) == ["c", "a"] and frame_kind(picked) is kind


def test_columns_are_placed_by_position() -> None:
    frame = pd.DataFrame({0: [1], "b": [2]})
    assert list(place_columns(frame, [1, 0]).columns) == ["b", 0]
    with pytest.raises(TableError, match="names"):
        place_columns(np.zeros((1, 2)), [1, 0])


def test_a_batch_of_pyarrow_has_names() -> None:
    assert column_names(pa.table({"a": [1], "b": [2]}).to_batches()[0]) == ["a", "b"]
