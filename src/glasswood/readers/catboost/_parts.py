"""Parts: what a CatBoost model file says, the same for its binary and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class CategoryFeature:
    """A category: its place in the table and the levels that are split off one by one."""

    index: int  # among the categories
    flat_index: int
    name: str
    hashes: tuple[int, ...]  # of the levels, 32 bits, unsigned
    labels: tuple[str, ...]  # their texts where the file has them, else empty


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
    splits: NDArray[np.int64]  # per split or node the number of its condition: borders first, then category levels
    steps: NDArray[np.int64] | None  # (n_nodes, 2) distance to the two children, 0: none; None: trees are oblivious
    leaf_of: NDArray[np.int64]  # (n_nodes,) first value of a leaf; empty in oblivious trees
    leaf_values: NDArray[np.float64]
    leaf_weights: NDArray[np.float64]  # one per leaf; empty where the file has none
    info: Mapping[str, Any]  # metadata; the value of a key that ends in "params" is parsed

    @property
    def features(self) -> tuple[Feature, ...]:
        """Every feature: numbers, then categories."""
        return (*self.floats, *self.categories)
