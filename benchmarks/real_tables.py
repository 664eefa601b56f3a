"""Real tables for benchmarks, from a folder of parquet files that is not part of the project.

Each is read as a kind (number, count or class), a frame, a target and, for counts, the log of the exposure.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TARGETS = {
    "boston": ("number", "MEDV"),
    "california_housing": ("number", "median_house_value"),
    "kc_house_sales": ("number", "price"),
    "diamonds": ("number", "price"),
    "nycflights13": ("number", "arr_delay"),
    "fremtpl2": ("count", "ClaimNb"),
    "titanic": ("class", "survived"),
    "adult": ("class", "income"),
    "covertype": ("class", "Cover_Type"),
}
LOGS = {"median_house_value", "price"}  # prices differ by factors
LEFT_OUT = {
    "titanic": ["name", "ticket", "cabin", "boat", "body", "home.dest"],
    "adult": ["split"],
    "kc_house_sales": ["id"],
    "nycflights13": ["year", "arr_time", "air_time", "tailnum", "time_hour", "flight"],
    "fremtpl2": ["IDpol", "ClaimAmount", "ClaimAmountCut", "ClaimNb_pos", "Exposure"],
}


def data_folder() -> Path:
    """Where the tables are: GLASSWOOD_DATA, or shared/data beside the project."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("GLASSWOOD_DATA", beside))


@dataclass(frozen=True, slots=True, eq=False)
class RealTable:
    """One table."""

    name: str
    kind: str  # "number", "count" or "class"
    X: Any  # pandas frame; text as category dtype
    y: NDArray[Any]
    offset: NDArray[np.float64] | None  # log exposure of counts


def has_table(name: str, folder: Path) -> bool:
    """Whether a table is there; prints a message if it is not."""
    there = (folder / f"{name}.parquet").exists()
    if not there:
        print(f"{name}: skipped, {folder} has no {name}.parquet (GLASSWOOD_DATA names the folder of the tables)")
    return there


def read_real(name: str, folder: Path, max_rows: int = 40_000) -> RealTable:
    """Read a table, at most so many rows of it, drawn with a fixed seed."""
    import pandas as pd

    kind, target = TARGETS[name]
    frame = pd.read_parquet(folder / f"{name}.parquet")
    frame = frame[frame[target].notna()]
    if len(frame) > max_rows:
        frame = frame.sample(max_rows, random_state=0)
    frame = frame.reset_index(drop=True)
    offset = np.log(frame["Exposure"].to_numpy()) if kind == "count" else None
    y = frame[target].to_numpy()
    if kind == "class":
        y = np.unique(y, return_inverse=True)[1]
    elif target in LOGS:
        y = np.log(y.astype(np.float64))
    X = frame.drop(columns=[target, *LEFT_OUT.get(name, [])])
    for column in X.columns:
        if not pd.api.types.is_numeric_dtype(X[column]):
            X[column] = X[column].astype("category")
        else:
            X[column] = X[column].astype(np.float64)
    return RealTable(name, kind, X, y if kind == "class" else y.astype(np.float64), offset)
