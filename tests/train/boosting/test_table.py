"""BoostingTable: weights, targets and offsets that are too large are refused in every table."""

from typing import Any

import numpy as np
import pytest

from glasswood.ensemble import AlignedRows
from glasswood.errors import TableError
from glasswood.train.boosting import BoostingTable
from glasswood.train.boosting._losses import make_loss
from glasswood.train.boosting._table import check_tables

Y = np.array([1.0, 0.0, 1.0, 3.0])


def table(name: str = "train", **changed: Any) -> BoostingTable:
    return BoostingTable(**{"name": name, "rows": AlignedRows(4, np.zeros((4, 1))), "y": Y, **changed})


def loss_named(name: str) -> Any:
    return make_loss(name, quantile=0.5, power=1.5)


def test_a_table_without_offset_has_one_of_zeros() -> None:
    np.testing.assert_array_equal(table().offset_of(2), np.zeros((2, 4)))
    np.testing.assert_array_equal(table(offset=np.ones((1, 4))).offset_of(1), np.ones((1, 4)))


@pytest.mark.parametrize("scale", [1e-300, 1e-31, 1e31, 1e300])
def test_weights_whose_sums_overflow_are_refused(scale: float) -> None:
    wrong = np.array([0.0, 1.0, 1.0, 0.0]) * scale
    with pytest.raises(TableError, match=r"^the largest sample_weight is 1e.*multiply the weights by a constant"):
        check_tables(loss_named("squared_error"), table(weight=wrong), [])
    with pytest.raises(TableError, match=r"^eval0: the largest sample_weight is"):
        check_tables(loss_named("squared_error"), table(), [table("eval0", weight=wrong)])
    check_tables(loss_named("squared_error"), table(weight=np.array([1e-300, 1.0, 0.0, 1e30])), [])


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("poisson", 1e3, "offset is as large as 1000 in row 2; it is on the log scale.*poisson loss takes up to 350"),
        ("tweedie", -1e300, "offset is as large as 1e\\+300 in row 2"),
        ("logistic", 1e7, "offset is as large as 1e\\+07 in row 2; it is on the logit scale"),
        ("squared_error", 1e200, "y − offset is as large as 1e\\+200"),
        ("absolute_error", -1.7e308, "y − offset is as large as"),
    ],
)
def test_offsets_that_are_too_large_are_refused(name: str, size: float, message: str) -> None:
    far = np.array([[0.0, 0.0, size, 0.0]])
    y = Y > 0 if name == "logistic" else Y
    with pytest.raises(TableError, match=f"^{message}"):
        check_tables(loss_named(name), table(y=y.astype(float), offset=far), [])
    with pytest.raises(TableError, match=f"^eval1: {message}"):
        check_tables(loss_named(name), table(y=y.astype(float)), [table("eval1", y=y.astype(float), offset=far)])


def test_a_size_is_that_of_the_gradient_weight_included() -> None:
    loss = loss_named("squared_error")
    check_tables(loss, table(y=1e100 * Y), [])
    with pytest.raises(TableError, match=r"y is as large as 3e\+100.*divide y by a constant"):
        check_tables(loss, table(y=1e100 * Y, weight=np.full(4, 1e25)), [])
    with pytest.raises(TableError, match=r"eval0: y is as large as 3e\+150"):
        check_tables(loss, table(), [table("eval0", y=1e150 * Y)])
    with pytest.raises(TableError, match="all of y lies within"):
        check_tables(loss, table(y=1e-150 * Y), [])
    check_tables(loss, table(), [table("eval0", y=1e-150 * Y)])
