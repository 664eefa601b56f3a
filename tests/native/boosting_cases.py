"""What the tests of the boosting kernels start from: a few binned rows, their statistics, and rules for nodes."""

from typing import Any

import numpy as np

from glasswood import _native

N, P = 12, 3
NONE = np.empty(0)
NO_NUMBERS = np.empty(0, dtype=np.int64)
OPTIONS: dict[str, Any] = {
    "n_bins": np.full(P, 4, dtype=np.uint16),
    "is_category": np.zeros(P, dtype=bool),
    "monotone": np.zeros(P, dtype=np.int32),
    "together": [],
    "gain": "newton",
    "l2": 1.0,
    "power": np.nan,
    "largest_step": np.inf,
    "rho": 1.0,
    "min_weight_leaf": 1.0,
    "min_gain": 0.0,
    "max_depth": 3,
    "max_leaf_nodes": 0,
}


def binned(n: int = N, p: int = P) -> tuple[Any, Any]:
    X = np.random.default_rng(0).integers(0, 4, (n, p)).astype(float)
    start = np.arange(p + 1, dtype=np.int64) * 3
    no_levels = np.zeros(p + 1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    return _native.bin_rows(X, np.zeros(p, dtype=bool), start, np.tile([0.5, 1.5, 2.5], p), *no_levels, True, 1)


def numbers(*values: int) -> Any:
    return np.array(values, dtype=np.uint32)


def statistics(n: int = N) -> Any:
    stats = _native.RowStatistics(True)
    stats.set(np.linspace(-1, 1, n), np.ones(n), NONE, NO_NUMBERS, 0, 0, 1)
    return stats
