"""Made-up tables of the size and kinds of well-known ones, so that a benchmark needs no files."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Table = tuple[pd.DataFrame, NDArray[np.int64]]


def credit(n: int = 30_000, seed: int = 0) -> Table:
    """Like the default of credit cards: 23 columns, of which 13 have thousands of values, and some move together."""
    rng = np.random.default_rng(seed)
    limit = (rng.lognormal(11.7, 0.8, n) // 10_000 * 10_000).clip(10_000, 1_000_000)
    columns = {
        "limit": limit,
        "sex": rng.integers(1, 3, n),
        "education": rng.choice([1, 2, 3, 4], n, p=[0.35, 0.47, 0.16, 0.02]),
        "marriage": rng.choice([1, 2, 3], n, p=[0.45, 0.53, 0.02]),
        "age": rng.gamma(9, 3, n).round().clip(0, 58) + 21,
    }
    trouble = rng.normal(size=n) - 0.4 * (np.log(limit) - 11.7)
    for k in range(6):
        trouble = 0.8 * trouble + 0.6 * rng.normal(size=n)
        in_time = rng.choice([-2, -1, 0], n, p=[0.15, 0.25, 0.6])
        columns[f"status_{k}"] = np.where(trouble > 1.1, np.floor(trouble * 1.6).clip(1, 8), in_time)
    bill = limit * rng.beta(0.6, 1.2, n)
    for k in range(6):
        bill = bill * rng.normal(0.95, 0.15, n).clip(0, 2) + rng.normal(0, 3000, n)
        columns[f"bill_{k}"] = bill.round()
    for k in range(6):
        paid = columns[f"bill_{k}"].clip(500) * rng.beta(0.5, 6, n)
        columns[f"paid_{k}"] = np.where(rng.random(n) < 0.2, 0, paid).round()
    X = pd.DataFrame(columns).astype(float)
    late = X["status_0"].clip(0, 3)
    raw = 0.9 * late + 0.3 * (X["status_1"] > 0) - 0.25 * (np.log(limit) - 11.7) - 0.3 * (X["paid_0"] > 3000) - 1.6
    raw = raw + 0.4 * (X["bill_0"] > 0.8 * limit) * (X["age"] < 30)
    y = rng.random(n) < 1 / (1 + np.exp(-raw))
    return X, y.to_numpy().astype(np.int64)


def campaign(n: int = 41_000, seed: int = 0) -> Table:
    """Like the calls of a bank: 20 columns, half of them with a few values."""
    rng = np.random.default_rng(seed)
    columns = {f"number_{k}": rng.gamma(2, 1 + k, n).round(2) for k in range(10)}
    columns |= {f"level_{k}": rng.integers(0, 3 + k, n) for k in range(10)}
    X = pd.DataFrame(columns).astype(float)
    raw = 0.3 * X["number_0"] - 0.1 * X["number_3"] + 0.4 * (X["level_2"] == 1) * X["number_1"] - 0.2 * X["level_8"]
    y = rng.random(n) < 1 / (1 + np.exp(2.0 - raw))
    return X, y.to_numpy().astype(np.int64)
