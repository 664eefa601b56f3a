"""Artefacts: a model as code that runs without this package, checked before it is handed over."""

from glasswood.artefacts._export import export

__all__ = ["export"]
