"""Attributions: what each feature adds to the raw prediction of each row."""

from glasswood.explain.attributions._attributions import attributions
from glasswood.explain.attributions._attributor import (
    Attributor,
    PreparedAttributions,
    attributor,
    prepare_attributions,
)
from glasswood.explain.attributions._engine import check_bytes

__all__ = [
    "Attributor",
    "PreparedAttributions",
    "attributions",
    "attributor",
    "check_bytes",
    "prepare_attributions",
]
