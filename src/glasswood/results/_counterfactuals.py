"""Counterfactuals: rows near a row that get another prediction, and how near any such row can be."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.errors import OptionError
from glasswood.plots import draw_bars
from glasswood.results._bounds import Row, feature_columns, plain_row
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import FrameKind, Label, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Counterfactuals:
    """Rows that get the wanted prediction, nearest first; none changes all the features that a nearer one changes.

    No other row that counts is nearer than `bound`. If `status` is ``"proven"``, the rows are the nearest ones; if it
    is ``"impossible"``, no row within the limits gets the prediction; if it is ``"undecided"``, the search ended early.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.counterfactuals(tree, [0.0, 0.0], 2.0, X=X)
    >>> found.status, found.changes, found.distance
    ('proven', ({'x1': (0.0, 1.0)},), array([2.]))
    """

    row: Row  # the row asked about
    rows: tuple[Row, ...]
    distance: NDArray[np.float64]  # (n_found,)
    bound: float
    raw: NDArray[np.float64]  # (1 + n_found, n_outputs) of the row asked about, then of the rows found
    prediction: NDArray[np.float64] | None  # in the same shape; None if the link is not known
    cost: tuple[dict[str, float], ...]  # what each changed feature adds to the distance
    asked: int  # how many rows were asked for
    target: str  # what is wanted, in words
    outputs: tuple[str, ...]
    n_nodes: int  # boxes that the search looked at
    kind: FrameKind | None = None

    @property
    def status(self) -> str:
        """``"proven"``, ``"impossible"`` or ``"undecided"``."""
        if not self.rows:
            return "impossible" if self.bound == np.inf else "undecided"
        enough = len(self.rows) == self.asked or self.bound == np.inf or self.distance[0] == 0
        return "proven" if enough and self.distance[0] <= self.bound else "undecided"

    @property
    def changes(self) -> tuple[dict[str, tuple[Label | None, Label | None]], ...]:
        """What each row changes: the value before and after, by feature."""
        return tuple(
            {name: (self.row[name], row[name]) for name in cost} for row, cost in zip(self.rows, self.cost, strict=True)
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row for each row found: distance, changed, raw of each output, then the features."""
        columns: dict[str, Any] = {
            "distance": self.distance,
            "changed": [", ".join(cost) for cost in self.cost],
        }
        for o, output in enumerate(self.outputs):
            columns["raw" if len(self.outputs) == 1 else f"raw {output}"] = self.raw[1:, o]
        return make_frame(feature_columns(columns, self.rows), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "target": self.target,
            "status": self.status,
            "row": plain_row(self.row),
            "rows": [plain_row(row) for row in self.rows],
            "distance": to_json(self.distance),
            "bound": to_json(np.float64(self.bound)),
            "raw": to_json(self.raw),
            "prediction": None if self.prediction is None else to_json(self.prediction),
            "cost": [dict(cost) for cost in self.cost],
            "outputs": list(self.outputs),
            "n_nodes": self.n_nodes,
        }

    def plot(self, ax: "Axes | None" = None, *, which: int = 0) -> "Axes":
        """Draw what each change of one row found adds to its distance."""
        if self.cost and which not in range(len(self.cost)):
            raise OptionError(f"which must be the position of one of {counted(len(self.cost), 'row')}; got {which!r}")
        cost = self.cost[which] if self.cost else {}
        changes = self.changes[which] if self.cost else {}
        names = [f"{name}: {_shown(changes[name][0])} → {_shown(changes[name][1])}" for name in cost]
        return draw_bars(names, np.array(list(cost.values())), xlabel="part of the distance", ax=ax)

    def _repr_html_(self) -> str:
        rows = [
            [number + 1, name, _shown(before), _shown(after), self.cost[number][name]]
            for number, changes in enumerate(self.changes)
            for name, (before, after) in changes.items()
        ]
        return html_table(self._sentence(), ["row", "feature", "from", "to", "part of the distance"], rows)

    def _sentence(self) -> str:
        if self.status == "impossible":
            return f"No row gives {self.target}: proven"
        if not self.rows:
            return f"No row with {self.target} was found; none is nearer than {self.bound:.4g}"
        nearest = f"distance {self.distance[0]:.4g}"
        if self.status == "undecided":
            return f"Rows with {self.target}, {nearest}; none is nearer than {self.bound:.4g}"
        return f"Nearest rows with {self.target}, {nearest}: proven"

    def __repr__(self) -> str:
        return f"<Counterfactuals: {self._sentence()}>"


def _shown(value: Label | None) -> str:
    if value is None:
        return "missing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
