"""Examples: the training rows that a prediction rests on."""

from glasswood.explain.examples._examples import examples
from glasswood.explain.examples._index import ExampleIndex, find_nearest

__all__ = ["ExampleIndex", "examples", "find_nearest"]
