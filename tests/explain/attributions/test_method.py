"""The method: chosen by the arguments, and refused if they do not fit."""

import dataclasses

import numpy as np
import pytest

from glasswood.errors import OptionError, UnsupportedModelError
from glasswood.explain.attributions._method import check_model, choose_method
from tests.explain.attributions import vectors


def test_auto_follows_the_background() -> None:
    assert choose_method("auto", None, None) == "path"
    assert choose_method("auto", [[1.0]], None) == "interventional"
    assert choose_method("path", None, None) == "path"


@pytest.mark.parametrize(
    ("method", "background", "weight"),
    [("interventional", None, None), ("path", [[1.0]], None), ("auto", None, [1.0]), ("shap", None, None)],
)
def test_what_does_not_fit_is_refused(method: str, background: object, weight: object) -> None:
    with pytest.raises(OptionError):
        choose_method(method, background, weight)


def test_path_needs_weights() -> None:
    e = vectors.two_numbers()
    bare = dataclasses.replace(e, weight=np.full(e.n_nodes, np.nan))
    check_model("interventional", bare)
    check_model("path", e)
    with pytest.raises(UnsupportedModelError, match="carries none"):
        check_model("path", bare)
