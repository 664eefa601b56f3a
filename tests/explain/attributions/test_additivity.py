"""Additivity: attributions that do not add up are not returned."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.explain.attributions._additivity import check_additivity
from tests.explain.attributions import vectors

E = vectors.two_outputs()  # leaves up to 8 in size
BASE = np.array([1.0, 2.0])
VALUES = np.array([[[1.0, 0.5], [2.0, 0.25]]])
RAW = np.array([[4.0, 2.75]])


def test_what_adds_up_passes() -> None:
    check_additivity(E, VALUES, BASE, RAW, 0)
    check_additivity(E, VALUES, BASE, RAW + 7e-12, 0)
    check_additivity(E, VALUES[:0], BASE, RAW[:0], 0)


@pytest.mark.parametrize("miss", [1e-11, -1e-11, np.nan, np.inf])
def test_what_does_not_names_row_output_and_miss(miss: float) -> None:
    wrong = RAW.copy()
    wrong[0, 1] += miss
    with pytest.raises(gw.AdditivityError, match="row 41 miss raw of output 'output1'"):
        check_additivity(E, VALUES, BASE, wrong, 41)
