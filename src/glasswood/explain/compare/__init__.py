"""Compare: what differs between two models."""

from glasswood.explain.compare._agreement import Losses
from glasswood.explain.compare._compare import compare
from glasswood.explain.compare._comparison import Comparison
from glasswood.explain.compare._difference import difference

__all__ = ["Comparison", "Losses", "compare", "difference"]
