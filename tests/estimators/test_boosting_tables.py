"""Inputs of boosting: offsets, categories on request, evaluation tables, rows set aside."""

from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.estimators._boosting_inputs import (
    read_boosting_weight,
    read_eval_set,
    read_offset,
    read_row_id,
    with_categories,
)
from glasswood.tables import CategoryColumn, read_table


def test_an_offset_is_transposed_to_outputs_by_rows() -> None:
    assert read_offset(None, 3, 1) is None
    np.testing.assert_array_equal(read_offset([1, 2, 3], 3, 1), [[1.0, 2.0, 3.0]])
    assert read_offset(np.zeros((3, 2)), 3, 2).shape == (2, 3)
    with pytest.raises(TableError, match="3 rows of 2 finite numbers"):
        read_offset(np.zeros((2, 3)), 3, 2)


@pytest.mark.parametrize("wanted", [[1], [False, True], ["b"]])
def test_columns_become_categories_by_position_mask_or_name(wanted: Any) -> None:
    import pandas as pd

    table = read_table(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [5.0, np.nan, 5.0]}))
    column = with_categories(table, wanted).columns[1]
    assert isinstance(column, CategoryColumn)
    assert column.codes.tolist() == [0, -1, 0] and column.labels == (5.0,)


def test_unknown_features_are_refused() -> None:
    table = read_table(np.zeros((2, 2)))
    assert with_categories(table, None) is table
    for wanted in ([2], ["a"], [True]):
        with pytest.raises(OptionError, match="categorical_features"):
            with_categories(table, wanted)


def test_an_evaluation_table_must_have_rows_and_targets() -> None:
    with pytest.raises(TableError, match=r"eval_set must hold \(X, y\)"):
        gw.BoostingRegressor().fit([[0.0], [1.0]], [0.0, 1.0], eval_set=[[1.0]])


def test_an_offset_of_text_is_refused() -> None:
    with pytest.raises(TableError, match="offset must hold numbers"):
        gw.BoostingRegressor().fit([[0.0], [1.0]], [0.0, 1.0], offset=["a", "b"])


def test_rows_set_aside_are_rows_that_count() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = X[:, 0] + rng.normal(size=200)
    weight = np.r_[np.ones(60), np.zeros(140)]
    options: Any = {"n_estimators": 20, "early_stopping": True, "random_state": 1}
    some = gw.BoostingRegressor(**options).fit(X[:60], y[:60])
    every = gw.BoostingRegressor(**options).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(every.history_.values, some.history_.values)
    assert every.history_.best_round == some.history_.best_round


def test_names_and_positions_may_be_mixed_in_one_list() -> None:
    import pandas as pd

    table = read_table(pd.DataFrame({"age": [1.0, 2.0], "kind": [5.0, 6.0], "x": [0.0, 1.0]}))
    for wanted, chosen in (("kind", [1]), (["age", 1], [0, 1]), ([], []), (np.array([2]), [2])):
        columns = with_categories(table, wanted).columns
        assert [j for j, column in enumerate(columns) if isinstance(column, CategoryColumn)] == chosen


def test_tables_to_evaluate_on_come_alone_or_in_a_list() -> None:
    assert read_eval_set(None) == []
    assert read_eval_set(("X", "y")) == [("X", "y", None, None)]
    assert read_eval_set([["X", "y", "w"], ("X", "y", "w", "o")]) == [("X", "y", "w", None), ("X", "y", "w", "o")]
    with pytest.raises(TableError, match="eval_set must be a list"):
        read_eval_set(5)


def test_weights_must_count_somewhere() -> None:
    assert len(read_boosting_weight(None, 3)) == 0
    with pytest.raises(TableError, match="zero in every row"):
        read_boosting_weight([0.0, 0.0], 2)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (([[0.0], [1.0]], [0.0, np.nan]), "eval0: y is missing in row 1"),
        (([[0.0], [1.0]], [0.0]), "eval0: y has 1 values for a table of 2 rows"),
        (([[0.0], [1.0]], [0.0, 1.0], [0.0, 0.0]), "eval0: sample_weight is zero in every row"),
        (([[0.0, 1.0]], [0.0]), "eval0: the model has 1 features"),
        (([[0.0], [1.0]], [0.0, 1.0], None, [np.inf, 0.0]), "eval0: offset is infinite in row 0"),
        (([[0.0], [1.0]], [0.0, 1e300]), "eval0: y is as large as"),
    ],
)
def test_errors_of_an_evaluation_table_are_named(part: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        gw.BoostingRegressor(n_estimators=1).fit([[0.0], [1.0]], [0.0, 1.0], eval_set=[part])


def test_a_row_id_is_a_whole_number_of_its_own() -> None:
    assert len(read_row_id(None, 3)) == 0
    assert read_row_id([7, -1, 2**62], 3).tolist() == [7, -1, 2**62]
    with pytest.raises(TableError, match="7 stands for 2 rows"):
        read_row_id([7, 1, 7], 3)
    with pytest.raises(TableError, match="whole numbers"):
        read_row_id([0.5, 1.0, 2.0], 3)
    with pytest.raises(TableError, match="2 values for a table of 3 rows"):
        read_row_id([0, 1], 3)


@pytest.mark.parametrize("options", [{"subsample": 0.5}, {"early_stopping": True}, {"statistics": "quantised"}])
def test_with_row_id_the_order_of_the_rows_does_not_matter(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    X, y, w, row_id = rng.normal(size=(400, 3)), rng.normal(size=400), rng.random(400), rng.permutation(5000)[:400]
    order = rng.permutation(400)
    first, second = (
        gw.BoostingRegressor(n_estimators=5, random_state=0, **options).fit(X[i], y[i], w[i], row_id=row_id[i])
        for i in (np.arange(400), order)
    )
    assert first.ensemble_ == second.ensemble_
    np.testing.assert_array_equal(first.history_.values, second.history_.values)


def test_edges_of_a_large_table_do_not_depend_on_the_order_of_its_rows() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(210_000, 1)).astype(np.float32)
    row_id, order = np.arange(len(X)), rng.permutation(len(X))
    first, second = (
        gw.BoostingRegressor(n_estimators=1, random_state=0, max_bins=16).fit(X[i], X[i, 0] ** 2, row_id=row_id[i])
        for i in (row_id, order)
    )
    assert first.ensemble_ == second.ensemble_


def test_weights_and_targets_that_are_lost_cause_a_warning() -> None:
    X = np.arange(20.0)[:, None]
    with pytest.warns(gw.PrecisionWarning, match="1 rows weigh less"):
        gw.BoostingRegressor(n_estimators=1).fit(X, X[:, 0], sample_weight=[1e-12, *[1e18] * 19])
    with pytest.warns(gw.PrecisionWarning, match="y is as large as 1e\\+30 in row 3"):
        gw.BoostingRegressor(n_estimators=1).fit(X, np.where(X[:, 0] == 3, 1e30, X[:, 0]))


def test_integers_beyond_2_to_the_53_are_levels_of_their_own() -> None:
    ids = np.array([2**60 + 1, 2**60 + 2, 2**60 + 1])
    column = with_categories(read_table(ids.reshape(-1, 1)), [0]).column(0)
    assert (column.labels, column.codes.tolist()) == ((2**60 + 1, 2**60 + 2), [0, 1, 0])
