"""Examples: the training rows that are most similar to a row, from the model's point of view."""

from glasswood.explain.examples._examples import MAX_ROWS, METHODS, Method, choose_method, examples, weights_of
from glasswood.explain.examples._index import (
    ExampleIndex,
    IndexArrays,
    find_nearest,
    nearest_in,
    row_source,
    similar_in,
)
from glasswood.explain.examples._leaf_rows import LeafCounts, LeafRows, leaf_counts, number_leaves, part_rows

__all__ = [
    "MAX_ROWS",
    "METHODS",
    "ExampleIndex",
    "IndexArrays",
    "LeafCounts",
    "LeafRows",
    "Method",
    "choose_method",
    "examples",
    "find_nearest",
    "leaf_counts",
    "nearest_in",
    "number_leaves",
    "part_rows",
    "row_source",
    "similar_in",
    "weights_of",
]
