"""Cells: the intervals, categories and the missing cell of one feature; each is a row of the feature's tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.plots import DisplayCells, display_cells
from glasswood.results._json_values import to_json


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of a feature, in the order of all tables: intervals or known categories, unseen, missing.

    An interval is (lower, upper]. The unseen cell of a category feature has no category and is not missing.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> cells = gw.effects(tree, X)["x0"].cells
    >>> cells.lower, cells.upper, cells.missing
    (array([-inf,  0.5,  nan]), array([0.5, inf, nan]), array([False, False,  True]))
    """

    feature: str
    is_category: bool
    lower: NDArray[np.float64]  # (n_cells,) exclusive; NaN if the cell is not an interval
    upper: NDArray[np.float64]  # (n_cells,) inclusive
    category: tuple[Label | None, ...]  # (n_cells,) None if the cell is not a known category
    missing: NDArray[np.bool_]  # (n_cells,)

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def unseen(self) -> NDArray[np.bool_]:
        """Which cell is for categories the model has never seen, (n_cells,)."""
        known = np.array([label is not None for label in self.category], dtype=bool)
        return np.asarray(np.isnan(self.upper) & ~known & ~self.missing)

    def label(self, i: int) -> str:
        """Name of a cell: ``(1.5, 3]``, a category, ``unseen`` or ``missing``."""
        if self.missing[i]:
            return "missing"
        if self.category[i] is not None:
            return str(self.category[i])
        if np.isnan(self.upper[i]):
            return "unseen"
        return f"({self.lower[i]:.6g}, {self.upper[i]:.6g}{')' if np.isposinf(self.upper[i]) else ']'}"

    def display(
        self, most: int = 300, *, axis: str = "linear", reach: tuple[float, float] | None = None
    ) -> DisplayCells:
        """The cells as positions on an axis; if there are more than `most` intervals, neighbours are merged.

        Numbers are drawn to scale (``"linear"``), cells with equal widths (``"cells"``), or one of the two
        (``"auto"``). `reach` says how far the open cells go at both ends.
        """
        labels = tuple(self.label(i) if np.isnan(self.upper[i]) else None for i in range(len(self)))
        return display_cells(self.upper, labels, axis=axis, most=most, reach=reach)

    def take(self, index: NDArray[np.int64], suffix: str = "") -> dict[str, Any]:
        """Columns lower, upper, category and missing of a frame whose rows are in the given cells."""
        category = np.empty(len(self), dtype=object)
        category[:] = self.category
        return {
            f"lower{suffix}": self.lower[index],
            f"upper{suffix}": self.upper[index],
            f"category{suffix}": category[index],
            f"missing{suffix}": self.missing[index],
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; infinite and missing ends are None."""
        return {
            "feature": self.feature,
            "is_category": self.is_category,
            "lower": to_json(self.lower),
            "upper": to_json(self.upper),
            "category": list(self.category),
            "missing": to_json(self.missing),
        }
