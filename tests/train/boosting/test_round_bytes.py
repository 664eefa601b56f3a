"""Round bytes: what was packed comes back; damage is told."""

from typing import Any

import numpy as np
import pytest

from glasswood import BoostingRegressor, _native
from glasswood.errors import ModelFileError
from glasswood.train.boosting import RoundLog, pack_rounds, recorded, unpack_rounds


def some_rounds() -> RoundLog:
    """Rounds of trees that split numbers and two categories, one of more than 254 levels."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(600, 2)), np.r_[:300, [1, 2, 3] * 100], rng.integers(0, 9, 600)])
    log = RoundLog()
    with recorded(log):
        model = BoostingRegressor(
            n_estimators=3, max_depth=3, colsample=1.0, symmetric=False, categorical_features=[2, 3]
        )
        model.fit(X, X[:, 0] + 4 * np.isin(X[:, 2], (1, 3)) + (X[:, 3] == 2) + rng.normal(size=600))
    assert all(len(record.trees["wide_node"]) for record in log.rounds)
    return log


def test_rounds_come_back_with_their_bits() -> None:
    rounds = some_rounds().rounds
    for one, other in zip(rounds, unpack_rounds(pack_rounds(rounds)), strict=True):
        assert one.values == other.values and one.trees.keys() == other.trees.keys()
        for name, values in one.trees.items():
            assert values.tobytes() == other.trees[name].tobytes() and values.dtype == other.trees[name].dtype
    assert unpack_rounds(pack_rounds([])) == []


@pytest.mark.parametrize("at", [0, 30, 1000, -30])
def test_damaged_bytes_are_refused(at: int) -> None:
    data = bytearray(pack_rounds(some_rounds().rounds))
    with pytest.raises(ModelFileError, match="damaged"):
        unpack_rounds(data[: at or 5])
    with pytest.raises(ModelFileError, match="damaged"):
        unpack_rounds(b"not an archive")


def test_trees_whose_walks_do_not_end_are_refused() -> None:
    trees = some_rounds().rounds[0].trees
    for name, wrong in (("left", np.zeros_like(trees["left"])), ("right", trees["right"] + 1000)):
        with pytest.raises(ValueError, match="a child must come after its parent"):
            _native.part_trees(**{**trees, name: wrong})
    with pytest.raises(ValueError, match="tree_start must rise from 0"):
        _native.part_trees(**{**trees, "tree_start": trees["tree_start"][:-1]})
    with pytest.raises(ValueError, match="gain has 1 entries"):
        _native.part_trees(**{**trees, "gain": trees["gain"][:1]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wide_node": lambda own: own[::-1].copy()}, "wide_node must ascend"),
        ({"wide_node": lambda own: own + 100}, "wide_node must hold numbers from 0 to"),
        ({"wide_column": lambda own: own[:-1]}, "wide_column has"),
        ({"wide_start": lambda own: own[:-1]}, "wide_start has"),
        ({"wide_set": lambda own: own[:-1]}, "wide_start must rise from 0"),
    ],
)
def test_sets_of_levels_that_fit_no_node_are_refused(change: dict[str, Any], message: str) -> None:
    trees = some_rounds().rounds[0].trees
    with pytest.raises(ValueError, match=message):
        _native.part_trees(**{**trees, **{name: made(trees[name]) for name, made in change.items()}})


def test_parted_trees_join_to_the_same_arrays() -> None:
    trees = some_rounds().rounds[1].trees
    joined = _native.join_trees(_native.part_trees(**trees))
    for name, values in trees.items():
        assert joined[name].tobytes() == values.tobytes(), name
