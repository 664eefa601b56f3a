"""Request: names, positions and limits become arrays or a clear error."""

import dataclasses

import numpy as np
import pytest

from glasswood.ensemble import FeatureSchema
from glasswood.errors import OptionError
from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._request import check_cells, resolve_features, resolve_method, resolve_tuples
from tests.ensemble.examples import two_trees


def test_auto_is_interventional_with_rows_and_path_without() -> None:
    assert resolve_method("auto", two_trees(), True) == "interventional"
    assert resolve_method("auto", two_trees(), False) == "path"


def test_positions_may_count_from_the_end() -> None:
    assert resolve_features([-1, np.int64(0)], two_trees()) == [1, 0]


@pytest.mark.parametrize("features", [[1.5], [None], 3])
def test_a_feature_is_a_name_or_a_position(features: object) -> None:
    with pytest.raises(OptionError, match="name"):
        resolve_features(features, two_trees())  # type: ignore[arg-type]


def test_a_close_name_is_suggested() -> None:
    with pytest.raises(OptionError, match="did you mean 'f1'"):
        resolve_features(["f1 "], two_trees())


def test_degree_is_a_whole_number() -> None:
    with pytest.raises(OptionError, match="degree must be a whole number"):
        resolve_tuples(None, None, 2.5, two_trees(), 1000)  # type: ignore[arg-type]


def test_too_many_cells_are_refused_with_the_number_needed() -> None:
    grid = make_grid(two_trees())
    pairs = np.array([[0, 1]], dtype=np.int32)
    check_cells(grid, pairs, 16)
    with pytest.raises(OptionError, match=r"1 table would need 16 cells.*'f1' \(4\), 'f2' \(4\)"):
        check_cells(grid, pairs, 15)


def test_more_tables_than_cells_are_refused_before_they_are_listed() -> None:
    schema = FeatureSchema.numeric(FeatureSchema.positions(200))
    wide = dataclasses.replace(two_trees(), features=schema)
    with pytest.raises(OptionError, match="degree=8 of 200 features asks for 55,098,996,177,225 tables"):
        resolve_tuples(None, None, 8, wide, 50_000_000)


def test_an_empty_request_is_reported() -> None:
    with pytest.raises(OptionError, match="pairs is empty"):
        resolve_tuples(None, [], 2, two_trees(), 1000)
    with pytest.raises(OptionError, match="features is empty"):
        resolve_features([], two_trees())
