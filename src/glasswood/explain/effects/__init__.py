"""Effects: what each feature, each pair and all of them together add, cell by cell."""

from glasswood.explain.effects._cell_grid import CellGrid, make_grid
from glasswood.explain.effects._coarse_pairs import coarse_interactions
from glasswood.explain.effects._counted_parts import CountedParts
from glasswood.explain.effects._effects import effects
from glasswood.explain.effects._interactions import interactions
from glasswood.explain.effects._ledger import find_terms, ledger, ledger_of
from glasswood.explain.effects._ledger_parts import ledger_of_parts
from glasswood.explain.effects._purify import purify
from glasswood.explain.effects._row_stream import RowCounter, weight_unit
from glasswood.explain.effects._row_sums import FinishedSums, largest_change
from glasswood.explain.effects._row_terms import RowTerms
from glasswood.explain.effects._usage import count_usage, usage

__all__ = [
    "CellGrid",
    "CountedParts",
    "FinishedSums",
    "RowCounter",
    "RowTerms",
    "coarse_interactions",
    "count_usage",
    "effects",
    "find_terms",
    "interactions",
    "largest_change",
    "ledger",
    "ledger_of",
    "ledger_of_parts",
    "make_grid",
    "purify",
    "usage",
    "weight_unit",
]
