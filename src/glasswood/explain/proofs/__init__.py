"""Proofs: what holds for every row that a model may meet."""

from glasswood.explain.proofs._bounds import bounds, find_bounds
from glasswood.explain.proofs._monotone import monotone
from glasswood.explain.proofs._search import Limits

__all__ = ["Limits", "bounds", "find_bounds", "monotone"]
