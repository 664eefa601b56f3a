"""Comparison: what differs between two models, over rows and anywhere."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.ensemble import Ensemble
from glasswood.explain.compare._agreement import QUANTILES, Losses
from glasswood.explain.rules import RuleSet
from glasswood.results import Bounds, Importance, Ledger, Ranking, html_table, to_json
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """Raw of the first model minus raw of the second, described; arrays have one entry per output.

    `bounds` are those of the difference over all rows, also rows that are not in the table.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> stump = gw.TreeRegressor(max_depth=1).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.compare(tree, stump, X)
    >>> found.mean, found.bounds.low, found.bounds.high
    (array([0.]), array([-2.]), array([2.]))
    """

    n_rows: int
    outputs: tuple[str, ...]
    correlation: NDArray[np.float64]  # of the two raws
    mean: NDArray[np.float64]  # of the difference
    sd: NDArray[np.float64]
    quantiles: NDArray[np.float64]  # (7, n_outputs) at 0, 5, 25, 50, 75, 95 and 100 %
    class_changes: float | None  # share of the rows whose class differs; None if no classes are predicted
    loss: Losses | None  # None without y
    importance: Importance  # of the effects of the difference
    pairs: Ranking | None  # the pairs that most leaves use; None if there is none
    ledger: Ledger  # share of the variance of the difference that effects and pairs reproduce
    rules: RuleSet | None  # where the output that differs most differs; None if nothing does
    rows: NDArray[np.int64]  # positions of the rows with the largest difference, largest first
    row_raw: NDArray[np.float64]  # (2, n_shown, n_outputs) raw of these rows in both models
    bounds: Bounds  # least and largest difference anywhere
    difference: Ensemble  # raw of the first minus raw of the second
    kind: FrameKind | None = None

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per output and number: output, what, value."""
        columns: dict[str, list[Any]] = {"output": [], "what": [], "value": []}
        for o, output in enumerate(self.outputs):
            for what, value in self.numbers(o):
                for name, item in zip(columns, (output, what, value), strict=True):
                    columns[name].append(item)
        return make_frame({**columns, "value": np.array(columns["value"])}, backend or self.kind)

    def numbers(self, o: int) -> list[tuple[str, float]]:
        """What is known about one output, in words and numbers; losses and classes stand with the first."""
        found = [("correlation", self.correlation[o]), ("mean difference", self.mean[o]), ("sd", self.sd[o])]
        found += [(f"quantile {q:g}", self.quantiles[i, o]) for i, q in enumerate(QUANTILES)]
        found += [("least anywhere", self.bounds.low[o]), ("largest anywhere", self.bounds.high[o])]
        found += [("share of effects", self.ledger.effects[o]), ("share of pairs", self.ledger.pairs[o])]
        found += [("left over", self.ledger.left_over[o])]
        if o == 0 and self.class_changes is not None:
            found.append(("share of rows whose class changes", self.class_changes))
        if o == 0 and self.loss is not None:
            loss = self.loss
            found += [(f"{loss.name}, first", loss.first), (f"{loss.name}, second", loss.second)]
            found += [(f"{loss.name}, difference", loss.difference), ("standard error", loss.error)]
        return [(what, float(value)) for what, value in found]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        loss = self.loss
        return {
            "n_rows": self.n_rows,
            "outputs": list(self.outputs),
            **{name: to_json(getattr(self, name)) for name in ("correlation", "mean", "sd")},
            "quantiles": [[q, to_json(self.quantiles[i])] for i, q in enumerate(QUANTILES)],
            "class_changes": self.class_changes,
            "loss": None
            if loss is None
            else {"name": loss.name, **{k: getattr(loss, k) for k in ("first", "second", "difference", "error")}},
            "importance": self.importance.to_dict(),
            "pairs": None if self.pairs is None else self.pairs.to_dict(),
            "ledger": self.ledger.to_dict(),
            "rules": None if self.rules is None else self.rules.to_dict(),
            "rows": self.rows.tolist(),
            "row_raw": to_json(self.row_raw),
            "bounds": self.bounds.to_dict(),
        }

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None) -> "Axes":
        """Draw which features the difference runs through: sd of its effects."""
        return self.importance.plot(ax, output=output)

    def _repr_html_(self) -> str:
        numbers = [[output, what, value] for o, output in enumerate(self.outputs) for what, value in self.numbers(o)]
        parts = [html_table("Difference of raw, first model minus second", ["output", "", "value"], numbers, most=60)]
        parts.append(self.importance._repr_html_())
        parts += [part._repr_html_() for part in (self.pairs, self.rules) if part is not None]
        shown = [
            [int(row), output, float(self.row_raw[0, i, o]), float(self.row_raw[1, i, o])]
            for i, row in enumerate(self.rows)
            for o, output in enumerate(self.outputs)
        ]
        parts.append(html_table("Rows with the largest difference", ["row", "output", "first", "second"], shown))
        return "".join(parts)

    def __repr__(self) -> str:
        sds = ", ".join(f"{output}: {sd:.4g}" for output, sd in zip(self.outputs, self.sd, strict=True))
        return f"<Comparison over {counted(self.n_rows, 'row')}: sd of the difference of raw {sds}>"
