"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._effects import effects
from glasswood.explain._interactions import interactions
from glasswood.explain._ledger import ledger
from glasswood.explain._usage import usage

__all__ = ["effects", "interactions", "ledger", "usage"]
