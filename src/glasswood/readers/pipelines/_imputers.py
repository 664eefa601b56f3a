"""Imputers and indicators of missing values, column by column."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._levels import Fill
from glasswood.readers.pipelines._tracks import Link, Matrix, Step, Track


def imputed(transformer: Any, tracks: Sequence[Track]) -> list[Track]:
    """Follow the columns through a SimpleImputer: missing values become its statistic; indicators are appended."""
    wanted = _wanted(transformer)
    fills = [_label(value) for value in np.asarray(transformer.statistics_, dtype=object).tolist()]
    # a column without values in training is dropped, or kept with the imputer's constant
    kept = [k for k, fill in enumerate(fills) if fill is not None or transformer.keep_empty_features]
    numbers = np.array([fill if isinstance(fill, int | float) else np.nan for fill in fills], dtype=np.float64)

    def call(matrix: Matrix) -> Matrix:
        return np.where(_is_missing(matrix, wanted), numbers, matrix)

    step = Step("SimpleImputer", len(tracks), call, lambda matrix: matrix)
    pivots = _around(wanted)
    found = []
    for k in kept:
        fill = fills[k]
        found.append(tracks[k].then(Link(step, k, k, pivots, None if fill is None else Fill(wanted, fill))))
    if transformer.indicator_ is not None:
        found.extend(_indicators(wanted, tracks, np.asarray(transformer.indicator_.features_)))
    return found


def indicated(transformer: Any, tracks: Sequence[Track]) -> list[Track]:
    """Follow the columns through a MissingIndicator."""
    return _indicators(_wanted(transformer), tracks, np.asarray(transformer.features_))


def _indicators(wanted: Label | None, tracks: Sequence[Track], features: NDArray[np.int64]) -> list[Track]:
    def call(matrix: Matrix) -> Matrix:
        return _is_missing(matrix, wanted).astype(np.float64)

    step = Step("MissingIndicator", len(tracks), call)
    flag = Fill(wanted, True)
    return [tracks[k].then(Link(step, k, k, _around(wanted), flag, True)) for k in features.tolist()]


def _is_missing(matrix: Matrix, wanted: Label | None) -> NDArray[np.bool_]:
    if wanted is None:
        return np.isnan(matrix)
    return np.asarray(matrix == wanted) if not isinstance(wanted, str) else np.zeros(matrix.shape, dtype=bool)


def _around(wanted: Label | None) -> tuple[float, ...]:
    """Pivots that isolate a number."""
    if wanted is None or isinstance(wanted, str):
        return ()
    value = float(wanted)
    return float(np.nextafter(value, -np.inf)), value


def _wanted(transformer: Any) -> Label | None:
    """The value that the transformer treats as missing; None for ordinary missing values."""
    return _label(transformer.missing_values)


def _label(value: Any) -> Label | None:
    """A value as a label; None for any kind of missing value."""
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or type(plain).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(plain, float) and math.isnan(plain):
        return None
    if isinstance(plain, str | int | float):
        return plain
    raise UnsupportedModelError(
        f"SimpleImputer holds the value {plain!r} of type {type(plain).__name__}; glasswood reads text, numbers and "
        "booleans; convert the column before the pipeline"
    )
