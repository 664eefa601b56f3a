"""Out-of-bag predictions are those of the trees that did not draw the row."""

import numpy as np
import pytest

from glasswood.tables import read_table
from glasswood.train import ClassTarget, training_table
from glasswood.train.forest import ForestOptions, drawn_counts, grow_forest, out_of_bag
from tests.train.examples import SOURCE


@pytest.mark.parametrize("n_classes", [2, 3])
def test_out_of_bag_is_the_mean_over_the_trees_that_left_the_row_out(n_classes: int) -> None:
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(60, 3)), rng.integers(0, n_classes, 60).astype(np.int32)
    options = ForestOptions(criterion="gini", n_estimators=5, max_depth=3)
    table = training_table(read_table(X))
    target = ClassTarget(labels, tuple(map(str, range(n_classes))))
    ensemble = grow_forest(table, target, None, options, seed=1, source=SOURCE)
    found = out_of_bag(ensemble, table, None, options, seed=1)
    leaf = ensemble.apply(X) + ensemble.tree_start[:-1]
    left_out = np.array([drawn_counts(None, 60, options, seed=1, tree=t) == 0 for t in range(5)]).T
    for row in range(60):
        trees = np.flatnonzero(left_out[row])
        if len(trees):
            np.testing.assert_allclose(found[row], 5 * ensemble.value[leaf[row, trees]].mean(axis=0))
        else:
            assert np.isnan(found[row]).all()
