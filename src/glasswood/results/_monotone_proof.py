"""MonotoneProof: whether raw rises or falls with a feature, with rows that show it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.plots import draw_bars
from glasswood.results._bounds import Row, feature_columns, plain_row
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SENTENCES = {
    "rises": "raw never falls when {} grows",
    "falls": "raw never rises when {} grows",
    "constant": "raw does not depend on {}",
    "neither": "raw rises with {} in some rows and falls in others",
    "undecided": "the search ended before it was proved how raw depends on {}",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MonotoneProof:
    """How raw depends on one number if all other features stay; every statement is proved.

    `rows_rise` are two rows that differ only in the feature and at which raw rises, `rows_fall` two at which it falls;
    None if no such rows were found. `largest_rise` and `largest_fall` are bounds of a step from one interval between
    thresholds of the model to the next; they hold for every row, also if the verdict is ``"undecided"``.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> proof = gw.monotone(tree, "x0")
    >>> proof
    <MonotoneProof rises: raw never falls when x0 grows>
    >>> proof.verdict, proof.rows_fall
    ('rises', None)
    """

    feature: str
    verdict: str  # "rises", "falls", "constant", "neither" or "undecided"
    rows_rise: tuple[Row, Row] | None
    rows_fall: tuple[Row, Row] | None
    raw_rise: tuple[float, float] | None  # raw of `rows_rise`
    raw_fall: tuple[float, float] | None
    largest_rise: float
    largest_fall: float
    output: str
    n_nodes: int  # boxes that the search looked at

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows that show what was found: shows, raw, then one column per feature."""
        pairs = [("rises", self.rows_rise, self.raw_rise), ("falls", self.rows_fall, self.raw_fall)]
        shown = [
            (way, row, raw)
            for way, rows, raws in pairs
            if rows is not None and raws is not None
            for row, raw in zip(rows, raws, strict=True)
        ]
        columns: dict[str, Any] = {
            "shows": [way for way, _, _ in shown],
            "raw": np.array([raw for _, _, raw in shown], dtype=np.float64),
        }
        return make_frame(feature_columns(columns, [row for _, row, _ in shown]), backend)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        rows = {
            name: None if pair is None else [plain_row(row) for row in pair]
            for name, pair in (("rows_rise", self.rows_rise), ("rows_fall", self.rows_fall))
        }
        return {
            "feature": self.feature,
            "output": self.output,
            "verdict": self.verdict,
            **rows,
            "raw_rise": None if self.raw_rise is None else to_json(self.raw_rise),
            "raw_fall": None if self.raw_fall is None else to_json(self.raw_fall),
            "largest_rise": to_json(self.largest_rise),
            "largest_fall": to_json(self.largest_fall),
            "n_nodes": self.n_nodes,
        }

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the bounds of a step up and of a step down as bars."""
        sizes = np.array([self.largest_rise, -self.largest_fall])
        label = f"largest step of raw with {self.feature}"
        return draw_bars(["rise, at most", "fall, at most"], sizes, xlabel=label, ax=ax)

    def _repr_html_(self) -> str:
        rows = [
            [way, float(raw[0]), float(raw[1]), str(pair[0][self.feature]), str(pair[1][self.feature])]
            for way, pair, raw in (
                ("rises", self.rows_rise, self.raw_rise),
                ("falls", self.rows_fall, self.raw_fall),
            )
            if pair is not None and raw is not None
        ]
        header = ["raw", "first row", "second row", f"{self.feature}, first", f"{self.feature}, second"]
        return html_table(self.sentence, header, rows)

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return _SENTENCES[self.verdict].format(self.feature)

    def __repr__(self) -> str:
        return f"<MonotoneProof {self.verdict}: {self.sentence}>"
