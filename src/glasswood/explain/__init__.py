"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._class_shares import holds_shares, predicted_class
from glasswood.explain._credibility import credibility_grid
from glasswood.explain._target import TargetRows, target_rows

__all__ = ["TargetRows", "credibility_grid", "holds_shares", "predicted_class", "target_rows"]
