"""Text and category columns are categories, all others are numbers."""

import numpy as np
import pandas as pd
import pytest

from glasswood.ensemble import AlignedRows, FeatureSchema, Provenance
from glasswood.errors import TableError
from glasswood.tables import read_table
from glasswood.train import NumberTarget, TrainingTable, training_table
from glasswood.train._training_table import check_n_rows
from glasswood.train.boosting import BoostingOptions, BoostingTable, boost
from glasswood.train.forest import TreeOptions, grow_forest


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


def test_a_column_of_identifiers_is_refused_by_name() -> None:
    frame = pd.DataFrame({"id": pd.Categorical.from_codes(np.arange(70_000), categories=np.arange(70_000))})
    with pytest.raises(TableError, match="'id' has 70,000 levels"):
        training_table(read_table(frame))


def test_more_rows_than_kernels_can_number_are_refused() -> None:
    check_n_rows(2**32 - 1)
    with pytest.raises(TableError, match="4,294,967,296 rows"):
        check_n_rows(2**32)


def test_training_refuses_them_before_it_touches_a_row() -> None:
    rows = AlignedRows(2**32, np.zeros((1, 1)))
    many = BoostingTable(name="train", rows=rows, y=np.zeros(1))
    with pytest.raises(TableError, match="4,294,967,296 rows"):
        boost(many, FeatureSchema.numeric(["x"]), BoostingOptions(), outputs=("y",))
    source = Provenance(library="", version="", model="", objective="", weight_kind="weights")
    table = TrainingTable(features=FeatureSchema.numeric(["x"]), rows=rows)
    with pytest.raises(TableError, match="4,294,967,296 rows"):
        options = TreeOptions(criterion="squared_error")
        grow_forest(table, NumberTarget(np.zeros(1)), None, options, seed=0, source=source)
