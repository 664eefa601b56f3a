"""The background: read in parts, with all rows, and with errors that name it."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import glasswood as gw
from glasswood.errors import TableError
from glasswood.explain.attributions._background import open_background, read_background
from glasswood.explain.attributions._engine import plan_model
from tests.explain.attributions import vectors

E = vectors.two_outputs()
ROWS = vectors.TWO_OUTPUTS_BACKGROUND


def test_every_row_counts() -> None:
    many = np.tile(ROWS, (5000, 1))
    kept = read_background(E, plan_model(E), open_background(many, None), 1, False)
    assert kept.n_rows == 15_000
    np.testing.assert_allclose(plan_model(E).mean(kept), E.predict_raw(ROWS).mean(axis=0), rtol=1e-14)


def test_rows_without_weight_are_left_out() -> None:
    kept = read_background(E, plan_model(E), open_background(ROWS, [0.0, 1.0, 0.0]), 1, False)
    assert kept.n_rows == 1
    np.testing.assert_array_equal(plan_model(E).mean(kept), E.predict_raw(ROWS[1:2])[0])


def test_a_bad_part_is_named_as_the_background() -> None:
    parts = open_background(iter([ROWS, ROWS[:, :2]]), None)
    with pytest.raises(TableError, match="background: the model has 3 features"):
        read_background(E, plan_model(E), parts, 1, False)


def test_nothing_to_average_over_is_refused() -> None:
    with pytest.raises(TableError, match="the background has no row with a weight above 0"):
        read_background(E, plan_model(E), open_background(ROWS, np.zeros(3)), 1, False)


@pytest.mark.parametrize(
    ("background", "message"),
    [
        (pd.DataFrame(ROWS).iloc[0], r"background: .* give background\.iloc\[\[0\]\] for a single row"),
        (ROWS[0], r"background: .* give background\.reshape\(1, -1\)"),
        (pl.DataFrame(ROWS).lazy(), r"background: .* give background\.collect\(\)"),
        ({"a": 1.0}, r"background: .* pandas\.DataFrame\(background\)"),
        ([ROWS, ROWS], r"^background is a list of tables; pass iter\(background\)"),
    ],
)
def test_advice_names_the_background(background: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        open_background(background, None)


def test_a_table_that_does_not_fit_an_attributor_is_named_as_the_background() -> None:
    from sklearn.tree import DecisionTreeRegressor

    frame = pd.DataFrame(ROWS, columns=["a", "b", "c"])
    tree = DecisionTreeRegressor().fit(frame, [1.0, 2.0, 3.0])
    with pytest.raises(TableError, match=r"^background: the table lacks 'a'"):
        gw.attributor(tree, background=frame.rename(columns={"a": "z"}))
