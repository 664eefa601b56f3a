"""Attributions: what each feature adds to the raw prediction of each row."""

from glasswood.explain.attributions._attributions import attributions
from glasswood.explain.attributions._attributor import Attributor, attributor

__all__ = ["Attributor", "attributions", "attributor"]
