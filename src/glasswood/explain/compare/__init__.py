"""Compare: what differs between two models."""

from glasswood.explain.compare._difference import difference

__all__ = ["difference"]
