"""Robustness: how far the features of each row may move before its class can change."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.plots import draw_bars
from glasswood.results._bounds import Row, feature_columns, plain_row
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # of the rows, in the picture and the table


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Robustness:
    """The class of row i cannot change while no feature moves by `epsilon[i]` times its scale.

    `found[i]` is the distance of the nearest row of another class that was found, `rows[i]`; where the two are equal,
    the distance is exact.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeClassifier(max_depth=2).fit(X, [0, 0, 0, 1])
    >>> found = gw.robustness(tree, X)
    >>> found.epsilon, found.proven
    (array([1., 1., 1., 1.]), array([ True,  True,  True,  True]))
    """

    epsilon: NDArray[np.float64]  # (n_rows,) infinite if the class cannot change at all
    found: NDArray[np.float64]  # (n_rows,) infinite if no row of another class was found
    rows: tuple[Row | None, ...]
    classes: tuple[str, ...]  # predicted for each row
    kind: FrameKind | None = None

    @property
    def proven(self) -> NDArray[np.bool_]:
        """Rows whose distance is exact, (n_rows,)."""
        return np.asarray(self.epsilon == self.found)

    def quantiles(self) -> list[tuple[float, float]]:
        """Shares of the rows, and the distance within which no more than this share can change class."""
        ordered = np.sort(self.epsilon)
        if not len(ordered):
            return []
        return [(share, float(ordered[min(int(share * len(ordered)), len(ordered) - 1)])) for share in _SHARES]

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per row of X: class, epsilon, found, proven, then the features of the row of another class."""
        columns: dict[str, Any] = {
            "class": list(self.classes),
            "epsilon": self.epsilon,
            "found": self.found,
            "proven": self.proven,
        }
        names = next((list(row) for row in self.rows if row is not None), [])
        rows = [dict.fromkeys(names) if row is None else row for row in self.rows]
        return make_frame(feature_columns(columns, rows), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; infinite distances are None."""
        return {
            "classes": list(self.classes),
            "epsilon": to_json(self.epsilon),
            "found": to_json(self.found),
            "proven": self.proven.tolist(),
            "rows": [None if row is None else plain_row(row) for row in self.rows],
        }

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the distance within which 5, 25, 50, 75 and 95 % of the rows can change class."""
        # the largest share first, so that equal distances stand in the order of the shares
        shown = [(share, distance) for share, distance in reversed(self.quantiles()) if np.isfinite(distance)]
        names = [f"{share:.0%} of the rows" for share, _ in shown]
        return draw_bars(names, np.array([distance for _, distance in shown]), xlabel="distance", ax=ax)

    def _repr_html_(self) -> str:
        rows = [[f"{share:.0%}", distance] for share, distance in self.quantiles()]
        title = f"Robustness of {counted(len(self.epsilon), 'row')}, {int(self.proven.sum()):,} exact"
        return html_table(title, ["share of the rows", "can change class only beyond"], rows)

    def __repr__(self) -> str:
        middle = dict(self.quantiles()).get(0.5, np.nan)
        size = f"{counted(len(self.epsilon), 'row')}, {int(self.proven.sum()):,} exact"
        return f"<Robustness of {size}: median {middle:.4g}>"
