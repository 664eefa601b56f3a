import numpy as np
import pytest

import glasswood as gw
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.tree._section import MAX_POINTS, build_tree
from tests.web.examples import EIGHT, FIRST


def test_without_targets_there_is_no_panel() -> None:
    with pytest.raises(gw.OptionError, match="pass y"):
        build_tree(Subject("t", gw.TreeClassifier().fit(EIGHT, FIRST), EIGHT))


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(gw.TableError, match="no rows"):
        build_tree(Subject("t", gw.TreeClassifier().fit(EIGHT, FIRST), EIGHT[:0], FIRST[:0]))


def test_at_most_2000_rows_are_drawn_in_the_proportion_of_their_classes() -> None:
    X = np.random.RandomState(0).rand(10_000, 2)
    y = (np.arange(10_000) % 10 == 0).astype(int)
    data = build_tree(Subject("t", gw.TreeClassifier(max_depth=3).fit(X, y), X, y))
    rows = data["rows"]
    assert MAX_POINTS - 24 <= len(rows["index"]) == len(set(rows["index"])) <= MAX_POINTS
    assert abs(sum(rows["class"]) - 200) <= 24  # 24 rows are those of the panel This prediction
    assert data["trees"][0]["rows"][0] == 10_000
    assert data["notes"] == [f"{len(rows['index']):,} of 10,000 rows are drawn; every count is of all rows"]
