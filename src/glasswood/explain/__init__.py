"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._credibility import GAINS, credibility_grid, split_gains
from glasswood.explain._target import TargetRows, target_rows

__all__ = ["GAINS", "TargetRows", "credibility_grid", "split_gains", "target_rows"]
