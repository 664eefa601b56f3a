"""The background is 100 evenly spaced rows, fewer for a large model, with their weights."""

import numpy as np
import pytest

from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction import _background
from glasswood.web.panels.prediction._background import background_of
from tests.web.cases import numbers


def test_it_is_evenly_spaced_rows_and_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = numbers()
    rows, weight, some = background_of(Subject("", model, X, y, np.arange(300.0)))
    assert some is not None and len(some) == 100
    np.testing.assert_array_equal(weight, some)
    assert rows.n_rows == 100
    monkeypatch.setattr(_background, "_MAX_WORK", 1)
    assert len(background_of(Subject("", model, X, y))[2]) == 10
    monkeypatch.undo()
    _, weight, some = background_of(Subject("", model, X[:60], y[:60]))
    assert weight is None and some is None
