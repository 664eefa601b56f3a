"""The unit of the weights of all partitions: each is looked at by the worker that holds it."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasswood import _native
from glasswood._exact import ValueRange, lost_words, whole_sum
from glasswood.dask._collections import need_dask, pieces_of
from glasswood.errors import PrecisionWarning, TableError, warn
from glasswood.tables import read_weight

_ROW = re.compile(r"\brow (\d+)\b")


@dataclass(frozen=True, slots=True)
class _Look:
    """What a partition of weights tells."""

    n_rows: int
    range: ValueRange
    lightest: float  # above 0
    wrong: str  # what is wrong with a weight; empty if nothing is


def weight_unit_of(sample_weight: Any) -> float:
    """The unit of all weights; warns of weights that count for nothing beside larger ones."""
    pieces = pieces_of(sample_weight)
    looks = _of_each(_look, pieces)
    before = 0
    for look in looks:
        if look.wrong:
            raise TableError(_ROW.sub(lambda found, n=before: f"row {int(found[1]) + n}", look.wrong))  # type: ignore[misc]
        before += look.n_rows
    found = ValueRange.merged([look.range for look in looks])
    total = found.to_sum(sum(_of_each(_whole, pieces, found.exponent)))
    if np.isinf(total):
        raise TableError("the sum of sample_weight is infinite; divide the weights by a constant")
    exponent = _native.unit_exponent(total, 61)
    unit = float(np.ldexp(1.0, exponent))
    lightest = min(look.lightest for look in looks)
    if np.rint(lightest / unit) == 0:
        n_lost = sum(_of_each(_n_lost, pieces, unit))
        warn(lost_words(lightest, found.highest, n_lost, unit), PrecisionWarning)
    return unit


def _of_each(function: Any, pieces: list[Any], *given: Any) -> tuple[Any, ...]:
    dask = need_dask("dask")
    task = dask.delayed(function, pure=False)
    found: tuple[Any, ...] = dask.compute(*[task(piece, *given) for piece in pieces])
    return found


def _weights(part: Any) -> Any:
    return read_weight(part, len(part)) if len(part) else np.empty(0)


def _look(part: Any) -> _Look:
    """Runs on a worker, as do the others below."""
    try:
        weight = _weights(part)
    except TableError as error:
        return _Look(len(part), ValueRange.of(np.empty(0), np.empty(0)), np.inf, str(error))
    lightest = float(weight[weight > 0].min(initial=np.inf))
    return _Look(len(part), ValueRange.of(weight, np.empty(0)), lightest, "")


def _whole(part: Any, exponent: int) -> int:
    return whole_sum(_weights(part), np.empty(0), exponent)


def _n_lost(part: Any, unit: float) -> int:
    weight = _weights(part)
    return int(np.count_nonzero((np.rint(weight / unit) == 0) & (weight > 0)))
