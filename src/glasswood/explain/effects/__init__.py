"""Effects: what each feature, each pair and all of them together add, cell by cell."""

from glasswood.explain.effects._cell_grid import make_grid
from glasswood.explain.effects._effects import effects
from glasswood.explain.effects._interactions import interactions
from glasswood.explain.effects._ledger import ledger
from glasswood.explain.effects._purify import purify
from glasswood.explain.effects._usage import count_usage, usage

__all__ = ["count_usage", "effects", "interactions", "ledger", "make_grid", "purify", "usage"]
