"""Text and category columns are categories, everything else is a number."""

import numpy as np
import pandas as pd
import pytest

from glasswood.errors import TableError
from glasswood.tables import read_table
from glasswood.train import training_table


def test_a_matrix_has_numbers_at_positions() -> None:
    table = training_table(read_table(np.zeros((3, 2))))
    assert table.features.names == ("x0", "x1")
    assert not table.features.named
    assert table.rows.n_rows == 3


def test_text_and_categories_keep_their_labels() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["y", "x"], "c": pd.Categorical(["u", None], categories=["v", "u"])})
    table = training_table(read_table(frame))
    assert table.features.categories == (None, ("x", "y"), ("v", "u"))
    assert [column.tolist() for column in table.rows.data] == [[1.0, 2.0], [1, 0], [1, -1]]


def test_an_identifier_is_refused_by_name() -> None:
    frame = pd.DataFrame({"id": pd.Categorical.from_codes(np.arange(70_000), categories=np.arange(70_000))})
    with pytest.raises(TableError, match="'id' has 70,000 levels"):
        training_table(read_table(frame))
