"""Examples: the training rows that are most similar to a row, from the model's point of view."""

from glasswood.explain.examples._examples import examples
from glasswood.explain.examples._index import ExampleIndex, find_nearest

__all__ = ["ExampleIndex", "examples", "find_nearest"]
