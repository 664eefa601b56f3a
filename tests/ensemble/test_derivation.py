"""Derivations: tables of the caller become tables of the features, unless they are already."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import FeatureSchema, align, model_table
from glasswood.tables import Columns, Table, read_table


@dataclass(frozen=True)
class Total:
    """The sum of two columns."""

    key: bytes = b"total"
    names: tuple[str, ...] = ("total",)
    columns: tuple[str, ...] | None = ("a", "b")

    def __call__(self, X: Table | Columns) -> Columns:
        table = read_table(X)
        total = np.asarray(table.column(0), dtype=np.float64) + np.asarray(table.column(1), dtype=np.float64)
        return Columns(table.n_rows, self.names, total[:, np.newaxis], (), table.kind)


FEATURES = replace(FeatureSchema.numeric(["total"]), derivation=Total())
FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0]})


@pytest.mark.parametrize("table", [FRAME, FRAME.to_numpy(), read_table(FRAME)], ids=["frame", "array", "read"])
def test_features_are_computed_of_the_caller_s_table(table: Table) -> None:
    assert align(table, FEATURES).column(0).tolist() == [11.0, 22.0]


def test_a_table_with_the_names_of_the_features_is_taken_as_it_is() -> None:
    given = pd.DataFrame({"total": [1.0]})
    assert model_table(given, FEATURES) is given
    assert align(given, FEATURES).column(0).tolist() == [1.0]
    assert model_table(FRAME, FeatureSchema.numeric(["a", "b"])) is FRAME


def test_a_derivation_is_neither_compared_nor_written() -> None:
    bare = replace(FEATURES, derivation=None)
    assert bare == FEATURES
    assert FeatureSchema.from_dict(FEATURES.to_dict()).derivation is None
    with pytest.raises(gw.TableError, match="lacks 'total'"):
        align(FRAME, bare)
