"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._credibility import credibility_grid
from glasswood.explain._target import TargetRows, target_rows

__all__ = ["TargetRows", "credibility_grid", "target_rows"]
