"""ModelContent: the content of a CatBoost model file, the same for its binary and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class FloatFeature:
    """A number: its position in the table, and the float32 borders it is compared with."""

    flat_index: int
    name: str
    borders: NDArray[np.float32]
    missing_right: bool  # a missing value counts as +∞; otherwise it is above no border
    missing_routed: bool  # the training table had missing values there
    index: int = 0  # position among the numbers


@dataclass(frozen=True, slots=True, eq=False)
class CategoryFeature:
    """A category: its position in the table, and the levels the model knows."""

    index: int  # position among the categories
    flat_index: int
    name: str
    hashes: tuple[int, ...]  # of the levels, unsigned 32 bits; levels with one-hot splits come first
    labels: tuple[str, ...]  # texts of the levels with one-hot splits if the file has them, otherwise empty
    n_split_off: int  # number of levels with one-hot splits


@dataclass(frozen=True, slots=True)
class Combination:
    """What a target statistic (CTR) is computed over: the parts of its key, in order."""

    categories: tuple[int, ...]  # positions of categories whose level is part of the key
    borders: tuple[tuple[int, float], ...]  # position of a number and a float32 border: is the number above it?
    levels: tuple[tuple[int, int], ...]  # position of a category and the hash of a level: is it this level?


@dataclass(frozen=True, slots=True, eq=False)
class CtrTable:
    """Counts of training rows by the key of their combination."""

    keys: NDArray[np.uint64]  # (n_keys,) distinct
    counts: NDArray[np.float64]  # (n_keys, width): rows per class of the target; a count; a sum and a count
    denominator: int  # of a Counter


@dataclass(frozen=True, slots=True, eq=False)
class Ctr:
    """A target statistic of a combination, and the borders it is compared with; its numbers are float32."""

    combination: Combination
    kind: str
    table: CtrTable
    target_class: int
    prior: tuple[float, float]  # numerator, denominator
    shift: float
    scale: float
    borders: NDArray[np.float32]


Feature: TypeAlias = FloatFeature | CategoryFeature


@dataclass(frozen=True, slots=True, eq=False)
class ModelContent:
    """A model file; its form was checked, its meaning was not."""

    dimension: int  # outputs
    scale: float
    bias: NDArray[np.float64]  # (dimension,)
    floats: tuple[FloatFeature, ...]
    categories: tuple[CategoryFeature, ...]
    tree_sizes: NDArray[np.int64]  # splits of an oblivious tree, nodes of any other
    # for each split or node the number of its condition: borders, levels, then borders of CTRs
    splits: NDArray[np.int64]
    # (n_nodes, 2) distance to the two children, 0 for none; None if trees are oblivious
    steps: NDArray[np.int64] | None
    leaf_of: NDArray[np.int64]  # (n_nodes,) first value of a leaf; empty for oblivious trees
    leaf_values: NDArray[np.float64]
    leaf_weights: NDArray[np.float64]  # one per leaf; empty if the file has none
    info: Mapping[str, Any]  # metadata; values whose key ends in "params" are parsed
    ctrs: tuple[Ctr, ...] = ()
    n_bytes: int = 0  # of the file
    texts: Mapping[int, str] = field(default_factory=dict)  # of hashed levels, if the file has them

    @property
    def features(self) -> tuple[Feature, ...]:
        """All features: numbers, then categories."""
        return (*self.floats, *self.categories)
