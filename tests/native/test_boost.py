"""Bindings of boosting refuse arguments that would make a kernel read or write beyond an array."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glasswood import _native
from tests.native.boosting_cases import NO_NUMBERS, NONE, OPTIONS, N, P, binned, numbers, statistics


class Grown:
    def __init__(self) -> None:
        self.bins, columns = binned()
        self.grower = _native.Grower(self.bins, columns, _native.NodeRules(**OPTIONS))
        self.tree = self.grower.grow(statistics(), numbers(*range(N)), numbers(*range(P)), 1)
        assert len(self.tree.arrays()["feature"]) > 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_bins": np.full(P + 1, 4, dtype=np.uint16)}, "is_category has 3 entries, expected 4"),
        (
            {"n_bins": np.full(P, 256, dtype=np.uint16)},
            r"n_bins must hold numbers from 0 to 256 \(exclusive\), found 256",
        ),
        ({"is_category": np.zeros(P - 1, dtype=bool)}, "is_category has 2 entries, expected 3"),
        ({"monotone": np.zeros(0, dtype=np.int32)}, "monotone has 0 entries, expected 3"),
        ({"together": [[0]]}, "together has 1 entries, expected 3"),
        ({"gain": "variance"}, "unknown gain 'variance'; there are newton, cred_var, cred_std, welch"),
        ({"l2": np.nan}, r"l2 must be at least 0\.0+, found nan"),
        ({"l2": -1.0}, "l2 must be at least 0"),
        ({"rho": np.nan}, "rho must be at least 0"),
        ({"min_weight_leaf": np.nan}, "min_weight_leaf must be at least 0"),
        ({"min_gain": np.nan}, "min_gain must be at least 0"),
        ({"n_wide": np.zeros(P - 1, dtype=np.uint16)}, "n_wide has 2 entries, expected 3"),
        (
            {"n_wide": np.full(P, 65535, dtype=np.uint16), "is_category": np.ones(P, dtype=bool)},
            r"n_wide must hold numbers from 0 to 65535 \(exclusive\), found 65535",
        ),
        ({"n_wide": np.array([0, 5, 0], dtype=np.uint16)}, "only a category can be wide"),
    ],
)
def test_rules_are_not_made_of_what_does_not_fit(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.NodeRules(**{**OPTIONS, **change})


def test_bins_and_rules_must_fit_each_other() -> None:
    rules = _native.NodeRules(**OPTIONS)
    with pytest.raises(ValueError, match="differ in shape"):
        _native.Grower(binned()[0], binned(N - 1)[1], rules)
    with pytest.raises(ValueError, match="bins must come from bin_rows"):
        _native.Grower(np.zeros((N, P), dtype=np.uint8), binned()[1], rules)
    with pytest.raises(ValueError, match="rules has 3 entries, expected 2"):
        _native.Grower(*binned(N, 2), rules)


WIDE_RULES = {
    **OPTIONS,
    "is_category": np.array([False, True, False]),
    "n_wide": np.array([0, 9, 0], dtype=np.uint16),
}


@pytest.mark.parametrize(
    ("wide", "message"),
    [
        (None, "wide has 0 columns, but the trees need 1"),
        (np.zeros((0, N), dtype=np.uint16), "wide has 0 columns, but the trees need 1"),
        (np.zeros((1, N - 1), dtype=np.uint16), "wide has 11 entries, expected 12"),
        (np.full((1, N), 10, dtype=np.uint16), "wide holds codes beyond those of missing values"),
    ],
)
def test_wide_columns_must_fit_the_rules(wide: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.Grower(*binned(), _native.NodeRules(**WIDE_RULES), wide)


def test_a_tree_that_splits_a_wide_category_walks_on_wide_columns_only() -> None:
    bins, by_column = binned()
    wide = (np.arange(N, dtype=np.uint16) // 3)[None]
    grower = _native.Grower(bins, by_column, _native.NodeRules(**WIDE_RULES), wide)
    tree = grower.grow(statistics(), numbers(*range(N)), numbers(1), 1)
    assert len(tree.arrays()["wide_node"]) > 0
    grown, walked = np.zeros(N), np.zeros(N)
    tree.add_to_grown(grower, grown, 1)
    tree.add_to_rows(bins, numbers(*range(N)), walked, 1, wide)
    np.testing.assert_array_equal(walked, grown)
    for other, message in ((None, "wide has 0 columns"), (wide[:, 1:].copy(), "wide has 11 entries, expected 12")):
        with pytest.raises(ValueError, match=message):
            tree.add_to_rows(bins, numbers(0), walked, 1, other)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.grower.grow(statistics(N - 1), numbers(0), numbers(0), 1), "stats has 11 entries, expected 12"),
        (lambda g: g.grower.grow(statistics(), numbers(0, N), numbers(0), 1), "rows must hold numbers from 0 to 12"),
        (lambda g: g.grower.grow(statistics(), numbers(0), numbers(P), 1), "columns must hold numbers from 0 to 3"),
        (lambda g: g.grower.grow(statistics(), numbers(), numbers(0), 1), "a tree needs at least one row"),
        (lambda g: g.tree.add_to_grown(g.grower, np.zeros(N - 1), 1), "raw has 11 entries, expected 12"),
        (lambda g: g.tree.add_to_rows(g.bins, numbers(0), np.zeros(N - 1), 1), "raw has 11 entries, expected 12"),
        (lambda g: g.tree.add_to_rows(g.bins, numbers(N), np.zeros(N), 1), "rows must hold numbers from 0 to 12"),
        (lambda g: g.tree.add_to_rows(binned(N, 0)[0], numbers(0), np.zeros(N), 1), "features that bins do not have"),
        (lambda g: g.tree.refit_leaves(g.grower, np.zeros(N - 1), np.zeros(N), NONE, 0.5, 1), "y has 11 entries"),
        (lambda g: g.tree.refit_leaves(g.grower, np.zeros(N), np.zeros(N - 1), NONE, 0.5, 1), "raw has 11 entries"),
        (lambda g: g.tree.refit_leaves(g.grower, np.zeros(N), np.zeros(N), np.ones(1), 0.5, 1), "weight has 1 entries"),
        (
            lambda g: g.tree.refit_leaves(g.grower, np.zeros(N), np.zeros(N), NONE, np.nan, 1),
            "quantile must lie between",
        ),
        (lambda g: g.tree.refit_leaves(g.grower, np.zeros(N), np.zeros(N), NONE, 1.5, 1), "quantile must lie between"),
    ],
)
def test_a_tree_takes_nothing_that_does_not_fit(call: Callable[[Grown], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(Grown())


def test_only_the_growers_last_tree_is_added_to_its_rows() -> None:
    grown = Grown()
    grown.grower.grow(statistics(), numbers(0, 1, 2), numbers(0), 1)
    with pytest.raises(ValueError, match="not the grower's last one"):
        grown.tree.add_to_grown(grown.grower, np.zeros(N), 1)
    with pytest.raises(ValueError, match="not the grower's last one"):
        grown.tree.refit_leaves(grown.grower, np.zeros(N), np.zeros(N), NONE, 0.5, 1)


@pytest.mark.parametrize(
    ("hess", "weight", "message"),
    [
        (np.ones(2), NONE, "hess has 2 entries, expected 3"),
        (np.ones(3), np.ones(2), "weight has 2 entries, expected 3"),
    ],
)
def test_statistics_that_differ_in_length_are_refused(hess: Any, weight: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _native.RowStatistics(True).set(np.ones(3), hess, weight, NO_NUMBERS, 0, 0, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": "huber"}, "unknown loss 'huber'; there are squared_error, .*, softmax"),
        ({"loss": "quantile", "parameter": np.nan}, "quantile must lie between"),
        ({"loss": "tweedie", "parameter": 3.0}, "power must lie between"),
        ({"y": np.zeros(2)}, "a row of raw has 3 entries, expected 2"),
        ({"weight": np.zeros(2)}, "weight has 2 entries, expected 3"),
        ({"raw": np.zeros((2, 3))}, "raw of a loss with one output has 2 entries, expected 1"),
        ({"loss": "softmax", "y": np.array([0.0, 1.0, 2.0]), "raw": np.zeros((2, 3))}, "numbers of classes"),
        ({"loss": "softmax", "y": np.array([0.0, np.nan, 1.0]), "raw": np.zeros((2, 3))}, "numbers of classes"),
        ({"loss": "softmax", "y": np.array([0.0, -1.0, 1.0]), "raw": np.zeros((2, 3))}, "numbers of classes"),
    ],
)
def test_a_loss_takes_nothing_that_does_not_fit(change: dict[str, Any], message: str) -> None:
    given = {"loss": "poisson", "parameter": 0.5, "y": np.zeros(3), "raw": np.zeros((1, 3)), "weight": NONE, **change}
    with pytest.raises(ValueError, match=message):
        _native.mean_loss(**given, n_threads=1)
    filled = {"grad": np.zeros_like(given["raw"]), "hess": np.zeros_like(given["raw"])}
    with pytest.raises(ValueError, match=message):
        _native.fill_gradients(**given, **filled, n_threads=1)


def test_gradients_are_written_to_arrays_like_raw() -> None:
    for grad, hess in (((1, 2), (1, 3)), ((1, 3), (1, 4))):
        with pytest.raises(ValueError, match="grad and hess must be like raw"):
            _native.fill_gradients(
                "poisson", 0.0, np.zeros(3), np.zeros((1, 3)), NONE, np.zeros(grad), np.zeros(hess), 1
            )


def test_more_rows_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="more rows asked for than there are"):
        _native.choose_rows(numbers(0, 1), NO_NUMBERS, 3, 0, 0)
