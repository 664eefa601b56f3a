"""Ledger: shares that add up."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from glasswood.results import Ledger
from tests.ensemble.examples import two_trees

LEDGER = Ledger(
    mean=np.zeros(2),
    variance=np.array([4.0, 1.0]),
    effects=np.array([0.5, 0.25]),
    effects_and_pairs=np.array([0.75, 1.0]),
    as_they_stand=np.array([-0.5, 1.0]),
    outputs=("a", "b"),
    n_rows=3,
)


def test_parts_add_up_to_the_variance() -> None:
    frame = LEDGER.to_frame("polars")
    assert frame["share"].to_list() == [0.5, 0.25, 0.25, 0.25, 0.75, 0.0]
    assert frame["variance"].to_list() == [2, 1, 1, 0.25, 0.75, 0]
    assert frame["output"].to_list() == ["a"] * 3 + ["b"] * 3


def test_names_mean_the_same_everywhere() -> None:
    frame, document = LEDGER.to_frame("polars"), LEDGER.to_dict()
    for name in ("effects", "pairs", "left_over"):
        rows = frame.filter(frame["part"] == name.replace("_", " "))
        assert rows["share"].to_list() == getattr(LEDGER, name).tolist() == document[name]
    assert repr(LEDGER) == "Ledger(effects=50.0% 25.0%, pairs=25.0% 75.0%, left_over=25.0% 0.0%, n_rows=3)"


def test_it_is_json_ready() -> None:
    assert json.loads(json.dumps(LEDGER.to_dict(), allow_nan=False))["left_over"] == [0.25, 0.0]


def test_shares_are_drawn_and_shown() -> None:
    found = gw.ledger(two_trees(), np.random.default_rng(0).normal(1.5, 1, size=(50, 2)))
    ax = found.plot(Figure().add_subplot())
    assert sum(bar.get_width() for bar in ax.patches) == pytest.approx(1.0)
    assert "Ledger over 50 rows" in found._repr_html_()
