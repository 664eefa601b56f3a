"""Trees and forests on exact thresholds or quantiles."""

from glasswood.train.forest._grow import drawn_counts, grow_forest
from glasswood.train.forest._options import ForestOptions, TreeOptions
from glasswood.train.forest._out_of_bag import out_of_bag

__all__ = ["ForestOptions", "TreeOptions", "drawn_counts", "grow_forest", "out_of_bag"]
