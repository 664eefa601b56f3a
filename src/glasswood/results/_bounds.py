"""Bounds: the least and the largest raw that a model can give, with rows that show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_bars
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import FrameKind, Label, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Row = dict[str, Label | None]  # value of each feature; None is missing


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bounds:
    """No row of the domain has a raw below `low` or above `high`; arrays are (n_outputs,).

    If `proven` is true, these are the least and the largest raw, to the last bit, and `row_low` and `row_high` have
    them. Otherwise the search ended early: the bounds hold, but rows that reach them may not exist; `found_low` and
    `found_high` are the raws of the best rows found.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.bounds(tree)
    >>> found.low, found.high, found.proven
    (array([0.]), array([6.]), True)
    >>> found.row_high
    ({'x0': 1.5, 'x1': 1.5},)
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    found_low: NDArray[np.float64]  # raw of `row_low`
    found_high: NDArray[np.float64]  # raw of `row_high`
    row_low: tuple[Row, ...]  # one for each output
    row_high: tuple[Row, ...]
    prediction_low: NDArray[np.float64] | None  # None if the prediction of an output depends on more than its raw
    prediction_high: NDArray[np.float64] | None
    outputs: tuple[str, ...]
    n_nodes: int  # boxes that the search looked at
    kind: FrameKind | None = None

    @property
    def proven(self) -> bool:
        """Whether the bounds are the least and the largest raw."""
        return bool(np.all(self.low == self.found_low) and np.all(self.high == self.found_high))

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per output and end: output, end, bound, found, then the features of the row that was found."""
        rows = [*self.row_low, *self.row_high]
        n = len(self.outputs)
        columns: dict[str, Any] = {
            "output": [*self.outputs] * 2,
            "end": ["low"] * n + ["high"] * n,
            "bound": np.concatenate([self.low, self.high]),
            "found": np.concatenate([self.found_low, self.found_high]),
        }
        return make_frame(feature_columns(columns, rows), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        parts = ("low", "high", "found_low", "found_high")
        predictions = [None if part is None else to_json(part) for part in (self.prediction_low, self.prediction_high)]
        return {
            "outputs": list(self.outputs),
            "proven": self.proven,
            **{name: to_json(getattr(self, name)) for name in parts},
            "prediction_low": predictions[0],
            "prediction_high": predictions[1],
            "row_low": [plain_row(row) for row in self.row_low],
            "row_high": [plain_row(row) for row in self.row_high],
            "n_nodes": self.n_nodes,
        }

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw both bounds of every output as bars."""
        names = [f"{output} {end}" for output in self.outputs for end in ("low", "high")]
        sizes = np.column_stack([self.low, self.high]).ravel()
        return draw_bars(names, sizes, xlabel="raw", ax=ax)

    def _repr_html_(self) -> str:
        rows = [
            [output, end, float(bound[o]), float(found[o]), "yes" if bound[o] == found[o] else "no"]
            for o, output in enumerate(self.outputs)
            for end, bound, found in (("low", self.low, self.found_low), ("high", self.high, self.found_high))
        ]
        return html_table("Bounds of raw", ["output", "end", "bound", "found in a row", "proven"], rows)

    def __repr__(self) -> str:
        ends = ", ".join(
            f"{output}: {low:.6g} to {high:.6g}"
            for output, low, high in zip(self.outputs, self.low, self.high, strict=True)
        )
        return f"<Bounds of raw, {'proven' if self.proven else 'not reached by a row found'}: {ends}>"


def feature_columns(columns: dict[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """Columns with one more for each feature of the rows, renamed where the name is taken."""
    found = dict(columns)
    for name in rows[0] if rows else ():
        found[f"feature {name}" if name in columns else name] = _column([row[name] for row in rows])
    return found


def plain_row(row: Row) -> dict[str, Any]:
    """A row for JSON; infinities are None, as missing values are."""
    return {name: to_json(value) if isinstance(value, float) else value for name, value in row.items()}


def _column(values: list[Label | None]) -> Any:
    """Numbers with NaN, or texts with None."""
    if any(isinstance(value, str) for value in values):
        return [None if value is None else str(value) for value in values]
    return np.array([np.nan if value is None else float(value) for value in values])
