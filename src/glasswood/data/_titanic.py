"""load_titanic: 1,309 passengers (public domain, the `titanic3` table of Vanderbilt's biostatistics datasets).

The columns `boat` and `body` are not included: they are known only afterwards and reveal the target.
"""

import csv
import importlib.resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.tables import FrameKind, make_frame

_NUMBERS = ("pclass", "survived", "age", "sibsp", "parch", "fare")


def load_titanic(kind: FrameKind | str | None = None) -> Any:
    """Load the passengers as a frame; numbers are float64 with NaN for missing, text is text with None for missing.

    Parameters
    ----------
    kind : {"pandas", "polars", "pyarrow"}, optional
        Kind of frame; the first installed one by default.

    Examples
    --------
    >>> from glasswood.data import load_titanic
    >>> passengers = load_titanic("pandas")
    >>> passengers.shape
    (1309, 12)
    """
    return make_frame(titanic_columns(), kind)


def titanic_columns() -> dict[str, NDArray[np.float64] | list[str | None]]:
    """The columns of the passengers by name: they need no library of frames."""
    text = importlib.resources.files("glasswood.data").joinpath("titanic.csv").read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    return {
        name: np.array([float(cell) if cell else np.nan for cell in cells])
        if name in _NUMBERS
        else [cell or None for cell in cells]
        for name, cells in columns.items()
    }
