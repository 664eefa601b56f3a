"""Split pool: equal splits are stored once, and only sets that a node uses are kept."""

import numpy as np
import pytest

from glasswood.errors import UnsupportedModelError
from glasswood.readers.catboost import _split_pool
from glasswood.readers.catboost._model_content import CategoryFeature, FloatFeature, ModelContent
from glasswood.readers.catboost._split_pool import SplitPool


def pool(n_bytes: int = 0) -> SplitPool:
    none, whole = np.zeros(0), np.zeros(0, dtype=np.int64)
    parts = ModelContent(
        dimension=1, scale=1.0, bias=np.zeros(1), info={}, leaf_weights=none, leaf_values=none, tree_sizes=whole,
        splits=whole, steps=None, leaf_of=whole, floats=(FloatFeature(1, "x", np.zeros(0, np.float32), True, True),),
        categories=(CategoryFeature(0, 0, "c", (7, 8, 9), (), 0),), n_bytes=n_bytes,
    )  # fmt: skip
    return SplitPool(parts, np.array([1, 0]))


def test_equal_splits_have_one_number() -> None:
    splits = pool()
    left = np.array([True, False, True, False])
    assert splits.border(0, 0.5) == splits.border(0, 0.5) != splits.border(0, 1.5)
    assert splits.levels(1, left) == splits.levels(1, left.copy()) != splits.levels(1, ~left)


def test_arrays_of_nodes() -> None:
    splits = pool()
    splits.levels(1, np.array([True, True, False, False]))  # no node uses it
    numbers = [splits.levels(1, np.array([True, False, True, True])), splits.border(0, 0.5), splits.border(0, np.inf)]
    arrays = splits.arrays(np.array([*numbers, -1]))
    assert arrays["feature"].tolist() == [0, 1, 1, -1]
    assert arrays["category_set"].tolist() == [0, -1, -1, -1]
    assert arrays["set_start"].tolist() == [0, 1] and arrays["set_bits"].tolist() == [5]
    assert arrays["unseen_left"].tolist() == [True, False, False, False]
    # a missing number counts as +∞ here, which is not above an infinite border
    assert arrays["missing_left"].tolist() == [True, False, True, False]
    np.testing.assert_array_equal(arrays["stated_threshold"], [np.nan, 0.5, np.inf, np.nan])


def test_too_many_sets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_split_pool, "_MIN_WORDS", 1)
    splits = pool()
    splits.levels(1, np.array([True, False, True, False]))
    with pytest.raises(UnsupportedModelError, match="too many different sets"):
        splits.levels(1, np.array([False, True, True, False]))


def test_a_larger_file_may_have_more_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_split_pool, "_MIN_WORDS", 1)
    splits = pool(n_bytes=1)
    for k in range(8):
        splits.levels(1, np.array([bool(k & 1), bool(k & 2), bool(k & 4), False]))
    assert len(splits.arrays(np.arange(8))["set_bits"]) == 8
