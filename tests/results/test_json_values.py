"""to_json: numbers for JSON."""

import numpy as np

from glasswood.results._json_values import to_json


def test_what_is_not_finite_is_none() -> None:
    assert to_json(np.array([[1.0, np.nan], [np.inf, -np.inf]])) == [[1.0, None], [None, None]]
    assert to_json(np.float64(np.nan)) is None
    assert to_json(2.5) == 2.5
    assert to_json(np.array([True, False])) == [True, False]
