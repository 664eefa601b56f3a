"""Values of CTRs: numbers one can check by hand, in float32."""

import numpy as np
import pytest

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._ctr_values import ctr_values, width_of
from glasswood.readers.catboost._model_content import Combination, Ctr, CtrTable

F = np.float32


def ctr(kind: str, counts: list[float], *, target: int = 0, denominator: int = 0, **numbers: float) -> Ctr:
    table = CtrTable(keys=np.array([1], np.uint64), counts=np.array([counts], dtype=float), denominator=denominator)
    prior = (numbers.get("numerator", 0.5), numbers.get("prior", 1.0))
    return Ctr(
        Combination((0,), (), ()), kind, table, target, prior, numbers.get("shift", 0.0), numbers.get("scale", 1.0),
        np.zeros(0, dtype=F),
    )  # fmt: skip


def test_each_kind_divides_its_own_counts() -> None:
    assert ctr_values(ctr("Borders", [3, 1])).tolist() == [F(1.5) / F(5), 0.5]
    # two classes: the class is ignored
    assert ctr_values(ctr("Borders", [3, 1], target=7)).tolist() == [F(1.5) / F(5), 0.5]
    assert ctr_values(ctr("Borders", [1, 2, 3, 4], target=1)).tolist() == [F(7.5) / F(11), 0.5]
    assert ctr_values(ctr("Buckets", [1, 2, 3], target=1)).tolist() == [F(2.5) / F(7), 0.5]
    assert ctr_values(ctr("Counter", [3], denominator=9)).tolist() == [F(3.5) / F(10), F(0.05)]
    assert ctr_values(ctr("FeatureFreq", [3], denominator=9)).tolist() == [F(3.5) / F(10), F(0.05)]
    for kind in ("BinarizedTargetMeanValue", "FloatTargetMeanValue"):
        assert ctr_values(ctr(kind, [2.25, 4])).tolist() == [F(2.75) / F(5), 0.5]


def test_shift_and_scale_come_last_in_float32() -> None:
    found = ctr_values(ctr("Counter", [1], denominator=2, numerator=0.1, prior=0.3, shift=0.7, scale=15.0))
    wanted = ((F(1) + F(0.1)) / (F(2) + F(0.3)) + F(0.7)) * F(15)
    assert found.dtype == np.float32 and found[0] == wanted


def test_zero_divided_by_zero_is_above_no_border() -> None:
    assert np.isnan(ctr_values(ctr("Counter", [0], numerator=0.0, prior=0.0))).all()


def test_numbers_beyond_float32_are_infinite_without_a_warning() -> None:
    assert ctr_values(ctr("Counter", [1], numerator=1e300)).tolist() == [np.inf, np.inf]
    assert ctr_values(ctr("Counter", [1], prior=-1e300, scale=1e300, shift=1.0)).tolist() == [np.inf, np.inf]


def test_classes_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ModelFileError, match="refers to class 3, but the model has 3 classes"):
        ctr_values(ctr("Buckets", [1, 2, 3], target=3))
    with pytest.raises(ModelFileError, match="invalid number of classes: 1"):
        width_of("Borders", 1)
