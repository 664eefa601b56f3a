"""Words for raw: its unit, and the prediction it corresponds to."""

import pytest

from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, SOFTMAX
from glasswood.errors import OptionError
from glasswood.results._raw_words import chosen_output, ends, raw_unit, with_prediction
from tests.results.attribution_cases import REGRESSION, TWO_CLASSES


def test_the_unit_is_that_of_the_link() -> None:
    assert raw_unit(IDENTITY, ("y",), 0) == "raw"
    assert raw_unit(LOGIT, ("1",), 0) == "raw (log-odds)"
    assert raw_unit(SOFTMAX, ("a", "b"), 1) == "raw (softmax score) of b"


def test_a_prediction_is_shown_beside_raw_if_it_differs() -> None:
    assert with_prediction("raw", 0.5, 0.5, IDENTITY) == "raw 0.5"
    assert with_prediction("raw", 0.0, 0.5, LOGIT) == "raw 0 (probability 0.5)"
    assert with_prediction("raw", 0.0, 1.0, LOG) == "raw 0 (prediction 1)"
    assert with_prediction("raw", 0.25, None, NO_LINK) == "raw 0.25"


def test_both_ends_are_named() -> None:
    assert ends(REGRESSION[0], 0)[0].startswith("baseline ")
    assert all("probability" in end for end in ends(TWO_CLASSES[0], 0))


def test_one_of_several_outputs_must_be_chosen() -> None:
    assert chosen_output(None, ("y",)) == 0 and chosen_output("b", ("a", "b")) == 1
    with pytest.raises(OptionError, match="2 outputs"):
        chosen_output(None, ("a", "b"))
    with pytest.raises(OptionError, match="there is no output 'c'"):
        chosen_output("c", ("a", "b"))
