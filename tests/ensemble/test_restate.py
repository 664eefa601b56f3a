"""Trees with other questions: the same leaves, the splits checked."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import Ensemble, restate
from glasswood.ensemble._restate import SPLIT_ARRAYS
from glasswood.errors import InvalidEnsembleError
from tests.ensemble.examples import category_tree, two_trees


def splits(ensemble: Ensemble, **changed: Any) -> dict[str, Any]:
    return {name: getattr(ensemble, name).copy() for name in SPLIT_ARRAYS} | changed


@pytest.mark.parametrize("ensemble", [two_trees(), category_tree()], ids=["numbers", "categories"])
def test_the_same_questions_give_the_same_ensemble(ensemble: Ensemble) -> None:
    none = np.zeros(ensemble.n_nodes, dtype=bool)
    same = restate(ensemble, splits(ensemble), none, features=ensemble.features, source=ensemble.source)
    assert same == ensemble
    assert not same.threshold.flags.writeable


def test_children_change_places() -> None:
    ensemble = two_trees()
    swapped = ensemble.feature >= 0
    mirrored = restate(ensemble, splits(ensemble), swapped, features=ensemble.features, source=ensemble.source)
    assert np.array_equal(mirrored.left, np.where(swapped, ensemble.right, ensemble.left))
    mirrored._validate()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("feature", 99, "feature that does not exist"),
        ("feature", -1, "not those of the inner nodes"),
        ("threshold", np.nan, "no threshold"),
        ("category_set", 7, "category"),
    ],
)
def test_splits_that_break_an_invariant_are_refused(name: str, value: float, message: str) -> None:
    ensemble = two_trees()
    broken = splits(ensemble)
    broken[name][0] = value
    none = np.zeros(ensemble.n_nodes, dtype=bool)
    with pytest.raises(InvalidEnsembleError, match=message):
        restate(ensemble, broken, none, features=ensemble.features, source=ensemble.source)
