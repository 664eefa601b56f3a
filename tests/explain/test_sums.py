"""RowSums: the sums that effects are finished from. Chunking and threads are tested with the rows."""

import numpy as np

from glasswood.explain._grid import make_grid
from glasswood.explain._sums import FOLLOWED, FREE, Moments, RowSums, roles
from tests.ensemble.examples import two_trees


def test_roles_are_given_to_the_features_asked_for() -> None:
    grid = make_grid(two_trees())
    assert roles(grid, np.array([[1]], dtype=np.int32), FREE).tolist() == [0, FREE]
    assert roles(grid, np.array([[0, 1]], dtype=np.int32), FOLLOWED).tolist() == [FOLLOWED, FOLLOWED]


def test_cells_count_the_weight_of_their_rows() -> None:
    sums = RowSums(
        make_grid(two_trees()), np.array([[0], [1]], dtype=np.int32), exact=False, observed=False, n_threads=1
    )
    sums.add(np.array([[0.0, 0.0], [9.0, np.nan]]), np.array([2.0, 3.0]))
    assert sums.finish() == []
    assert sums.weight.tolist() == [2, 0, 3, 0, 2, 0, 0, 3]


def test_the_error_of_a_mean_counts_effective_rows() -> None:
    moments = Moments(1, 1)
    moments.weight[:], moments.squared[:], moments.mean[:], moments.scatter[:] = 4, 8, 1, 6
    mean, error = moments.finish(1)
    assert mean[0, 0] == 1
    assert error[0, 0] == np.sqrt(6 / 4 / (16 / 8 - 1))
