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
        ({"symmetric": 1}, "symmetric must be"),
        ({"symmetric": True, "max_leaf_nodes": 31}, "grows level by level: limit max_depth, with max_leaf_nodes=None"),
        ({"symmetric": True, "max_depth": None}, "needs max_depth from 1 to 16.*got max_depth=None"),
        ({"symmetric": True, "max_depth": 17}, "needs max_depth from 1 to 16.*got max_depth=17"),
        ({"statistics": "float"}, "statistics must be one of"),
    ],
)
def test_a_wrong_option_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BoostingOptions(**given)


def test_few_rows_make_symmetric_trees_unless_the_options_say_otherwise() -> None:
    assert BoostingOptions().grows_symmetric(9_999)
    assert not BoostingOptions().grows_symmetric(10_000)
    assert BoostingOptions(symmetric=True).grows_symmetric(10**9)
    others: list[dict[str, Any]] = [
        {"symmetric": False},
        {"max_leaf_nodes": 31},
        {"max_depth": None},
        {"max_depth": 9},
        {"statistics": "quantised"},
    ]
    assert not any(BoostingOptions(**other).grows_symmetric(100) for other in others)
