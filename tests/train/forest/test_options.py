"""Options say which values they take."""

import pytest

from glasswood.errors import OptionError
from glasswood.train.forest import ForestOptions, TreeOptions


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", 0),
        ("max_depth", 1.5),
        ("max_depth", True),
        ("min_samples_split", 1),
        ("min_samples_split", 1.5),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", "all"),
        ("min_weight_leaf", -1.0),
        ("min_weight_fraction_leaf", float("nan")),
        ("max_leaf_nodes", 1),
        ("max_features", "cube"),
        ("max_features", 0),
        ("ccp_alpha", float("inf")),
        ("n_estimators", 0),
        ("max_samples", 0),
        ("splits", "random"),
        ("n_quantiles", 256),
        ("bootstrap", "no"),
    ],
)
def test_an_invalid_value_is_named(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"{name} must be"):
        ForestOptions(criterion="gini", **{name: value})


@pytest.mark.parametrize(
    ("max_features", "drawn"), [(None, 20), ("sqrt", 4), ("log2", 4), (7, 7), (50, 20), (0.5, 10), (0.01, 1)]
)
def test_features_drawn_per_node(max_features: int | float | str | None, drawn: int) -> None:
    assert TreeOptions(criterion="gini", max_features=max_features).n_features_drawn(20) == drawn


def test_rows_drawn_per_tree() -> None:
    assert ForestOptions(criterion="gini").n_rows_drawn(50) == 50
    assert ForestOptions(criterion="gini", max_samples=0.25).n_rows_drawn(50) == 13
    assert ForestOptions(criterion="gini", max_samples=7).n_rows_drawn(50) == 7


def test_a_child_needs_the_larger_of_both_weights() -> None:
    options = TreeOptions(criterion="gini", min_weight_leaf=2.0, min_weight_fraction_leaf=0.1)
    assert options.weight_needed(10.0) == 2.0
    assert options.weight_needed(100.0) == 10.0


@pytest.mark.parametrize("max_samples", [0.2, 5, 1.0])
def test_max_samples_without_bootstrap_is_refused(max_samples: float) -> None:
    with pytest.raises(OptionError, match=r"max_samples=.* bootstrap=False draws none; set bootstrap=True or"):
        ForestOptions(criterion="gini", bootstrap=False, max_samples=max_samples)
