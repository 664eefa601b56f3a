"""Predictions are shown on the scale people know: shares of classes in percent, also those of forests."""

import pytest

import glasswood as gw
from glasswood.web.panels._answers import answer_texts, says_shares
from tests.web.cases import binary, numbers, several


@pytest.mark.parametrize("case", [binary, several, numbers])
def test_shares_are_percent_and_numbers_are_numbers(case) -> None:
    model, X, _ = case()
    ensemble = gw.read(model)
    texts = answer_texts(ensemble, ensemble.predict_raw(X))
    assert says_shares(ensemble) == (case is not numbers)
    assert all(text.endswith(" %") for text in texts) == (case is not numbers)
    assert all(text[:3] in ("0: ", "1: ", "2: ") for text in texts) == (case is several)
