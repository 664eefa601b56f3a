"""Columns by name."""

import pytest

from glasswood.tables import FrameKind, column_names, frame_kind, make_frame, pick_columns


@pytest.mark.parametrize("kind", list(FrameKind))
def test_columns_come_in_the_order_asked_for(kind: FrameKind) -> None:
    frame = make_frame({"a": [1], "b": [2], "c": [3]}, kind)
    assert column_names(frame) == ["a", "b", "c"]
    picked = pick_columns(frame, ["c", "a"])
    assert column_names(picked) == ["c", "a"] and frame_kind(picked) is kind
