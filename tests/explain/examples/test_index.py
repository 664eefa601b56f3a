"""ExampleIndex: queries with new rows."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.errors import NoNeighbourWarning, OptionError
from glasswood.explain.examples import ExampleIndex

X = np.arange(8.0).reshape(-1, 1)
# leaves {0, 1}, {2, 3}, {4, 5}, {6, 7}
TREE = DecisionTreeRegressor(max_depth=2).fit(X, np.arange(8.0))


def index() -> ExampleIndex:
    return gw.examples(TREE, X, np.arange(8) * 10)


def test_the_rows_of_the_leaf_are_the_neighbours() -> None:
    found = index().nearest([[2.2], [7.0]], k=3)
    assert found.row.tolist() == [[2, 3, -1], [6, 7, -1]]
    assert found.similarity.tolist() == [[0.5, 0.5, 0.0]] * 2
    assert found.target.tolist() == [[20, 30, None], [60, 70, None]]


def test_weights_are_sparse_with_sorted_columns() -> None:
    W = index().weights([[2.2], [7.0]])
    assert W.shape == (2, 8) and W.has_canonical_format
    assert W.indices.tolist() == [2, 3, 6, 7]


def test_a_query_without_rows_is_zero_and_warned_about() -> None:
    few = gw.examples(TREE, X[:2])
    with pytest.warns(NoNeighbourWarning, match="1 of 2 queries"):
        W = few.weights([[0.0], [7.0]])
    assert W.toarray().tolist() == [[0.5, 0.5], [0.0, 0.0]]


def test_no_queries_give_no_neighbours() -> None:
    assert index().nearest(X[:0], k=2).row.shape == (0, 2)
    assert index().weights(X[:0]).shape == (0, 8)


def test_columns_are_matched_by_name() -> None:
    frame = pd.DataFrame({"a": X[:, 0], "b": 0.0})
    named = gw.examples(DecisionTreeRegressor(max_depth=2).fit(frame, X[:, 0]), frame)
    found = named.nearest(frame[["b", "a"]].iloc[[5]], k=2)
    assert found.row.tolist() == [[4, 5]]
    assert found.to_dict()["queries"][0]["values"] == [5.0, 0.0]


def test_k_is_a_count() -> None:
    with pytest.raises(OptionError, match="k must be a whole number, at least 1; got 0"):
        index().nearest(X, k=0)
    with pytest.raises(OptionError, match=r"k must be a whole number, at least 1; got 2\.5"):
        index().nearest(X, k=2.5)  # type: ignore[arg-type]


def test_more_than_all_rows_are_all_rows() -> None:
    found = index().nearest(X[:2], k=10**9)
    assert found.row.tolist() == [[0, 1] + [-1] * 6] * 2
    np.testing.assert_array_equal(found.similarity, index().nearest(X[:2], k=8).similarity)


def test_it_describes_itself_and_survives_a_pickle() -> None:
    assert repr(index()) == "<ExampleIndex method='leaf_weight': 8 rows in 4 leaves of 1 tree>"
    again = pickle.loads(pickle.dumps(index()))
    np.testing.assert_array_equal(again.nearest(X).row, index().nearest(X).row)


def test_nearest_needs_no_scipy() -> None:
    code = """
import sys
import numpy as np, glasswood as gw
from glasswood.ensemble import Provenance
from glasswood.tables import read_table
from glasswood.train import NumberTarget, training_table
from glasswood.train.forest import TreeOptions, grow_forest
X = np.arange(8.0).reshape(-1, 1)
source = Provenance(library="glasswood", version="", model="tree", objective="squared_error", weight_kind="weights")
options = TreeOptions(criterion="squared_error", max_depth=2)
tree = grow_forest(training_table(read_table(X)), NumberTarget(X[:, 0]), None, options, seed=0, source=source)
print(gw.examples(tree, X).nearest(X[:1], k=2).row.tolist(), "scipy" in sys.modules)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[[0, 1]] False"
