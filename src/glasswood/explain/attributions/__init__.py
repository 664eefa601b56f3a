"""Attributions: what each feature adds to the raw prediction of each row."""

from glasswood.explain.attributions._attributions import attributions
from glasswood.explain.attributions._attributor import (
    Attributor,
    PreparedAttributions,
    attributor,
    prepare_attributions,
)

__all__ = [
    "Attributor",
    "PreparedAttributions",
    "attributions",
    "attributor",
    "prepare_attributions",
]
