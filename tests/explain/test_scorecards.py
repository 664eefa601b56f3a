"""The parts of a scorecard: bands with names, tables with entries."""

import numpy as np

from glasswood.explain.scorecards._card_table import Bands, CardTable
from glasswood.results import Cells

NUMBER = Cells(
    feature="a",
    is_category=False,
    lower=np.array([-np.inf, 1.0, 2.0, np.nan]),
    upper=np.array([1.0, 2.0, np.inf, np.nan]),
    category=(None,) * 4,
    missing=np.array([False, False, False, True]),
)


def test_bands_are_named_by_their_ends() -> None:
    bands = Bands(NUMBER, np.array([0, 0, 1, 2]))
    assert len(bands) == 3 and [bands.label(b) for b in range(3)] == ["≤ 2", "> 2", "missing"]
    assert bands.ends(0) == (-np.inf, 2.0)
    assert [Bands(NUMBER, np.array([0, 1, 2, 3])).label(b) for b in range(4)] == ["≤ 1", "(1, 2]", "> 2", "missing"]
    assert Bands(NUMBER, np.array([0, 0, 0, 1])).label(0) == "any number"


def test_a_table_finds_the_points_of_cells() -> None:
    table = CardTable(
        (Bands(NUMBER, np.array([0, 0, 1, 2])),), np.array([[1.0], [2.0], [3.0]]), np.array([5.0, 6.0, 7.0])
    )
    assert table.at({"a": np.array([0, 1, 2, 3])}).ravel().tolist() == [1.0, 1.0, 2.0, 3.0]
    assert table.rows()[1][2] == 6.0 and table.to_dict()["bands"][0][1]["lower"] == 2.0
