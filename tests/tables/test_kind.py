"""The library of a frame."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from glasswood.tables import FrameKind, frame_kind


@pytest.mark.parametrize(
    ("X", "kind"),
    [
        (pd.DataFrame({"a": [1]}), FrameKind.PANDAS),
        (pd.Series([1]), FrameKind.PANDAS),
        (pl.DataFrame({"a": [1]}), FrameKind.POLARS),
        (pa.table({"a": [1]}), FrameKind.PYARROW),
        (pa.record_batch({"a": [1]}), FrameKind.PYARROW),
        (np.zeros((1, 1)), None),
        ([[1]], None),
        (None, None),
    ],
)
def test_the_kind_of_a_frame_is_its_library(X, kind):
    assert frame_kind(X) is kind


def test_a_subclass_of_a_frame_is_of_its_kind():
    class Mine(pd.DataFrame):
        pass

    assert frame_kind(Mine({"a": [1]})) is FrameKind.PANDAS
