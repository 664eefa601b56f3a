"""CTR values: what CatBoost computes from the counts of a key, in float32 arithmetic."""

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._model_content import Ctr

KINDS = ("Borders", "Buckets", "BinarizedTargetMeanValue", "FloatTargetMeanValue", "Counter", "FeatureFreq")
MEANS = ("BinarizedTargetMeanValue", "FloatTargetMeanValue")
COUNTERS = ("Counter", "FeatureFreq")


def ctr_values(ctr: Ctr) -> NDArray[np.float32]:
    """Value of every key of the table; the last entry is for keys that are not in it."""
    hits, total = _counts(ctr)
    with np.errstate(all="ignore"):  # a prior of 0 gives 0 / 0, which is above no border; a huge one gives infinity
        prior = np.array(ctr.prior, dtype=np.float32)
        # C++ adds whole numbers and rounds the sum once
        share = (hits.astype(np.float32) + prior[0]) / (total.astype(np.float32) + prior[1])
        values: NDArray[np.float32] = (share + np.float32(ctr.shift)) * np.float32(ctr.scale)
    return values


def _counts(ctr: Ctr) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numerator and denominator before the priors; the last entry is for keys that are not in the table."""
    counts, width = ctr.table.counts, ctr.table.counts.shape[1]
    if ctr.kind in COUNTERS:
        return _with_absent(counts[:, 0], 0.0), np.full(len(counts) + 1, float(ctr.table.denominator))
    if ctr.kind in MEANS:
        return _with_absent(counts[:, 0], 0.0), _with_absent(counts[:, 1], 0.0)
    total = _with_absent(counts.sum(axis=1), 0.0)
    if ctr.kind == "Borders" and width == 2:
        return _with_absent(counts[:, 1], 0.0), total  # CatBoost ignores the number of the class here
    if not 0 <= ctr.target_class < width:
        raise ModelFileError(f"a CTR refers to class {ctr.target_class}, but the model has {width} classes")
    if ctr.kind == "Buckets":
        return _with_absent(counts[:, ctr.target_class], 0.0), total
    return _with_absent(counts[:, ctr.target_class + 1 :].sum(axis=1), 0.0), total


def width_of(kind: str, n_classes: int) -> int:
    """How many numbers a table stores per key."""
    if kind in COUNTERS:
        return 1
    if kind in MEANS:
        return 2
    if n_classes < 2:
        raise ModelFileError(f"a CTR has an invalid number of classes: {n_classes}")
    return n_classes


def _with_absent(numbers: NDArray[np.float64], absent: float) -> NDArray[np.float64]:
    return np.append(numbers, absent)
