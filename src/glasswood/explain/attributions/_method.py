"""The method of attributions: how features outside a coalition are averaged."""

from typing import Any

import numpy as np

from glasswood._checks import check_choice
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError, UnsupportedModelError

METHODS = ("interventional", "path")


def choose_method(method: str, background: Any, sample_weight: Any) -> str:
    """Name of the method, with `auto` resolved; raises if the arguments do not fit it."""
    check_choice("method", method, ("auto", *METHODS))
    if background is None and sample_weight is not None:
        raise OptionError("sample_weight weighs the rows of the background, and there is none; pass background")
    if method == "auto":
        return "path" if background is None else "interventional"
    if method == "interventional" and background is None:
        raise OptionError(
            "method 'interventional' averages over rows: pass background, such as the training table, or use "
            "method='path', which needs none"
        )
    if method == "path" and background is not None:
        raise OptionError(
            "method 'path' averages by the weights of the model's nodes and reads no background; "
            "leave background out, or use method='interventional'"
        )
    return method


def check_model(method: str, ensemble: Ensemble) -> None:
    """Refuse a model without node weights if the method needs them."""
    if method == "path" and np.isnan(ensemble.weight).any():
        raise UnsupportedModelError(
            "method 'path' needs the training weight of every node and this model carries none; "
            "pass background and use method='interventional'"
        )
