"""Parts: what a CatBoost model file says, the same for its binary and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class FloatFeature:
    """A number: its place in the table and the borders it is compared with, in float32."""

    flat_index: int
    name: str
    borders: NDArray[np.float32]
    missing_right: bool  # a missing value counts as +∞; else it is above no border
    missing_routed: bool  # the training table had missing values there
    index: int = 0  # among the numbers


@dataclass(frozen=True, slots=True, eq=False)
class CategoryFeature:
    """A category: its place in the table and the levels the model knows."""

    index: int  # among the categories
    flat_index: int
    name: str
    hashes: tuple[int, ...]  # of the levels, 32 bits, unsigned; those split off one by one come first
    labels: tuple[str, ...]  # texts of the levels split off one by one where the file has them, else empty
    n_split_off: int  # levels that are split off one by one


@dataclass(frozen=True, slots=True)
class Combination:
    """What a target statistic (CTR) is taken over: the parts of its key, in their order."""

    categories: tuple[int, ...]  # numbers of categories whose level counts
    borders: tuple[tuple[int, float], ...]  # number of a number and a float32 border: is it above?
    levels: tuple[tuple[int, int], ...]  # number of a category and the hash of a level: is it that one?


@dataclass(frozen=True, slots=True, eq=False)
class CtrTable:
    """Counts of the training rows, by the key of their combination."""

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
class Parts:
    """A model file, checked for form but not for sense."""

    dimension: int  # outputs
    scale: float
    bias: NDArray[np.float64]  # (dimension,)
    floats: tuple[FloatFeature, ...]
    categories: tuple[CategoryFeature, ...]
    tree_sizes: NDArray[np.int64]  # splits of an oblivious tree, nodes of another
    splits: NDArray[np.int64]  # per split or node the number of its condition: borders, levels, then borders of CTRs
    steps: NDArray[np.int64] | None  # (n_nodes, 2) distance to the two children, 0: none; None: trees are oblivious
    leaf_of: NDArray[np.int64]  # (n_nodes,) first value of a leaf; empty in oblivious trees
    leaf_values: NDArray[np.float64]
    leaf_weights: NDArray[np.float64]  # one per leaf; empty where the file has none
    info: Mapping[str, Any]  # metadata; the value of a key that ends in "params" is parsed
    ctrs: tuple[Ctr, ...] = ()
    texts: Mapping[int, str] = field(default_factory=dict)  # of hashed levels, where the file has them

    @property
    def features(self) -> tuple[Feature, ...]:
        """Every feature: numbers, then categories."""
        return (*self.floats, *self.categories)
