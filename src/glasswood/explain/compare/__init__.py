"""Compare: what differs between two models."""

from glasswood.explain.compare._agreement import Losses
from glasswood.explain.compare._compare import compare, compare_models
from glasswood.explain.compare._compare_parts import compare_parts
from glasswood.explain.compare._comparison import Comparison
from glasswood.explain.compare._difference import difference, open_model
from glasswood.explain.compare._model_columns import columns_for

__all__ = [
    "Comparison",
    "Losses",
    "columns_for",
    "compare",
    "compare_models",
    "compare_parts",
    "difference",
    "open_model",
]
