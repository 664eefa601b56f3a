"""Cells are drawn in few places, each with a text."""

from dataclasses import replace

import numpy as np

from glasswood.results import Cells
from glasswood.web.panels._axis import axis_of

ARRAYS = ("lower", "upper", "category", "missing")


def line(upper: list[float], *, missing: bool = True) -> Cells:
    ends = np.array([*upper, np.inf])
    lower = np.concatenate([[-np.inf], ends[:-1]])
    extra = [np.nan] * missing
    return Cells(
        feature="age",
        is_category=False,
        lower=np.array([*lower, *extra]),
        upper=np.array([*ends, *extra]),
        category=(None,) * (len(ends) + missing),
        missing=np.array([False] * len(ends) + [True] * missing),
    )


def levels(n: int) -> Cells:
    return Cells(
        feature="port",
        is_category=True,
        lower=np.full(n + 2, np.nan),
        upper=np.full(n + 2, np.nan),
        category=(*(f"c{k}" for k in range(n)), None, None),
        missing=np.array([False] * (n + 1) + [True]),
    )


def test_every_cell_has_its_words() -> None:
    axis = axis_of(line([10.0, 20.5]), np.ones(4), most=50)
    assert axis.words == ("age at most 10", "age above 10, at most 20.5", "age above 20.5", "age is missing")
    assert axis.edges == ("10", "20.5")
    shown = axis.to_dict()
    assert shown["label"] == [None, None, None, "missing"]
    assert shown["left"][1:3] == [10.0, 20.5]


def test_merged_cells_have_one_text_and_a_note() -> None:
    axis = axis_of(line([float(k) for k in range(1, 200)], missing=False), np.ones(200), most=20)
    assert len(axis.words) == 20
    assert axis.words[0] == "age at most 10"
    assert axis.words[-1] == "age above 190"
    assert axis.to_dict()["note"] == "200 cells drawn as 20"


def test_the_rarest_categories_become_one() -> None:
    weight = np.concatenate([np.arange(100.0), [0.0, 5.0]])
    axis = axis_of(levels(100), weight, most=50)
    assert len(axis.words) == 24 + 3
    assert axis.cells.labels[-3:] == ("76 others", "unseen", "missing")
    assert axis.words[-3] == "port is one of 76 others, the rarest"
    assert axis.words[0] == "port is c76"
    assert axis.cells.total(weight).tolist() == [*range(76, 100), sum(range(76)), 0.0, 5.0]


def test_a_range_far_from_zero_keeps_its_cells_apart() -> None:
    start = 1.6e15
    shown = axis_of(line([start, start + 10, start + 20], missing=False), np.ones(4), most=50).to_dict()
    assert len(set(shown["right"])) == 4


def test_a_category_that_the_model_does_not_split_by_has_one_place_for_every_value() -> None:
    axis = axis_of(replace(levels(0), **{name: getattr(levels(0), name)[:1] for name in ARRAYS}), np.ones(1), most=50)
    assert axis.to_dict()["label"] == ["every value"] and axis.words == ("any port",)
