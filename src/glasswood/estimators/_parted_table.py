"""PartedTable: a table in parts, of which a fit holds one at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from glasswood.ensemble import FeatureSchema
from glasswood.tables import Table
from glasswood.train import PartedRows


@dataclass(frozen=True, slots=True, eq=False)
class PartedTable:
    """Tables with the same columns that are read one after the other, more than once, and are not kept."""

    load: Callable[[int], Table]
    n_rows: Sequence[int]  # of each part
    empty: Table  # the same columns without rows


@dataclass(frozen=True, slots=True, eq=False)
class PartedTraining:
    """A table in parts, and the features of a model that is fitted to it."""

    features: FeatureSchema
    rows: PartedRows
