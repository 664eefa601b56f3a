"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._credibility import credibility_grid
from glasswood.explain._effects import effects
from glasswood.explain._interactions import interactions
from glasswood.explain._ledger import ledger
from glasswood.explain._tree_diagram import tree_diagram
from glasswood.explain._tree_profile import tree_profile
from glasswood.explain._usage import usage

__all__ = ["credibility_grid", "effects", "interactions", "ledger", "tree_diagram", "tree_profile", "usage"]
