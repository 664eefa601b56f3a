"""Invalid options are named."""

from typing import Any

import pytest

from glasswood.errors import OptionError
from glasswood.train.boosting import BoostingOptions


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gain": "gini"}, "gain must be one of 'newton'"),
        ({"n_estimators": 0}, "n_estimators must be a whole number, at least 1"),
        ({"max_depth": 1.5}, "max_depth must be a whole number"),
        ({"min_samples_leaf": 0.5}, "min_samples_leaf must be a whole number, from 1"),
        ({"max_leaf_nodes": 1}, "at least 2, or None"),
        ({"max_bins": 256}, "from 2 to 255"),
        ({"l2": -1.0}, "l2 must be a number, at least 0"),
        ({"learning_rate": float("nan")}, "learning_rate must be"),
        ({"subsample": 0.0}, "subsample must be a number above 0 and up to 1"),
        ({"quantile": 1.0}, "quantile must be a number above 0 and below 1"),
        ({"power": 1.0}, "power must be a number above 1 and below 2"),
        ({"statistics": "float"}, "statistics must be one of"),
    ],
)
def test_a_wrong_option_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BoostingOptions(**given)
