"""Proofs: what holds for every row that a model may meet, and the nearest row with another prediction."""

from glasswood.explain.proofs._bounds import bounds, find_bounds
from glasswood.explain.proofs._counterfactuals import CounterfactualSearch, counterfactuals, prepare_counterfactuals
from glasswood.explain.proofs._goals import classes_of
from glasswood.explain.proofs._monotone import monotone
from glasswood.explain.proofs._robustness import robustness
from glasswood.explain.proofs._search import Limits

__all__ = [
    "CounterfactualSearch",
    "Limits",
    "bounds",
    "classes_of",
    "counterfactuals",
    "find_bounds",
    "monotone",
    "prepare_counterfactuals",
    "robustness",
]
