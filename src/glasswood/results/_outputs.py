"""Outputs: the layout of arrays and frames with one or several outputs, and how one is chosen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import did_you_mean
from glasswood._exact import exact_mean
from glasswood._powers import power_of, times_power
from glasswood.errors import KeyNotFoundError


def outputs_last(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """From (n_outputs, …) to (…) for one output, else (…, n_outputs); a view."""
    return tables[0] if len(tables) == 1 else np.moveaxis(tables, 0, -1)


def by_output(values: NDArray[np.float64], n_outputs: int) -> NDArray[np.float64]:
    """Flat array, one output after the other."""
    return values.ravel() if n_outputs == 1 else np.moveaxis(values, -1, 0).ravel()


def with_output(columns: dict[str, Any], outputs: Sequence[str], n_rows: int) -> dict[str, Any]:
    """Add the column `output` if there are several outputs; each has `n_rows` consecutive rows."""
    if len(outputs) == 1:
        return columns
    return columns | {"output": [name for name in outputs for _ in range(n_rows)]}


def output_index(output: str | int | None, outputs: Sequence[str]) -> list[int]:
    """Positions of the outputs to show: all of them, or the one named."""
    if output is None:
        return list(range(len(outputs)))
    if isinstance(output, str) and output in outputs:
        return [outputs.index(output)]
    if isinstance(output, int | np.integer) and not isinstance(output, bool) and -len(outputs) <= output < len(outputs):
        return [int(output) % len(outputs)]
    hint = did_you_mean(output, outputs) if isinstance(output, str) else ""
    raise KeyNotFoundError(f"there is no output {output!r}{hint or '; the model has ' + ', '.join(map(repr, outputs))}")


def weighted_mean(value: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Mean of the cells that have weight; if none has, the plain mean of all cells."""
    power = power_of(value)
    value, weight = times_power(value, -power), times_power(weight, -power_of(weight))
    mean = exact_mean(value, weight)
    if np.isnan(mean) and not np.any(weight > 0):
        mean = exact_mean(value[~np.isnan(value)])
    return float(times_power(np.asarray(mean), power))


def weighted_sd(value: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Standard deviation over the cells that have weight."""
    held = weight > 0
    if not held.any():
        return 0.0
    power = power_of(value[held])
    w, v = times_power(weight[held], -power_of(weight)), times_power(value[held], -power)
    return float(times_power(np.sqrt(exact_mean((v - exact_mean(v, w)) ** 2, w)), power))
