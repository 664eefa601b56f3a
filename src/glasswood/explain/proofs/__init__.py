"""Proofs: what holds for every row that a model may meet, and the nearest row with another prediction."""

from glasswood.explain.proofs._bounds import bounds, find_bounds
from glasswood.explain.proofs._counterfactuals import counterfactuals
from glasswood.explain.proofs._monotone import monotone
from glasswood.explain.proofs._robustness import robustness
from glasswood.explain.proofs._search import Limits

__all__ = ["Limits", "bounds", "counterfactuals", "find_bounds", "monotone", "robustness"]
