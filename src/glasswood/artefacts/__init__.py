"""Artefacts: a model as code that runs without this package, checked before it is handed over."""

from glasswood.artefacts._export import export, sums_in_order

__all__ = ["export", "sums_in_order"]
