"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._credibility import GAINS, credibility_grid, split_gains
from glasswood.explain._parts import (
    OnePart,
    Parts,
    add_each,
    either,
    largest_of,
    part_means,
    part_sums,
)
from glasswood.explain._target import TargetRows, target_rows

__all__ = [
    "GAINS",
    "OnePart",
    "Parts",
    "TargetRows",
    "add_each",
    "credibility_grid",
    "either",
    "largest_of",
    "part_means",
    "part_sums",
    "split_gains",
    "target_rows",
]
