"""RowAttribution: what each feature adds to the raw prediction of one row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Link
from glasswood.plots import Waterfall, draw_waterfall
from glasswood.results._html import Bar, html_table
from glasswood.results._json import to_json
from glasswood.results._outputs import with_output
from glasswood.results._raw_words import chosen_output, ends, raw_unit
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class RowAttribution:
    """Attributions of one row: baseline + Σ values = raw, per output.

    `values` is (n_features,) for one output, else (n_features, n_outputs).
    """

    row: int  # its number in the table that was explained
    values: NDArray[np.float64]
    baseline: NDArray[np.float64]  # (n_outputs,)
    raw: NDArray[np.float64]  # (n_outputs,)
    prediction: NDArray[np.float64] | None  # (n_outputs,) inverse link of raw; None if the link is unknown
    baseline_prediction: NDArray[np.float64] | None  # (n_outputs,)
    interactions: NDArray[np.float64] | None  # (n_features, n_features[, n_outputs])
    names: tuple[str, ...]
    texts: tuple[str, ...]  # the value of each feature in the row
    outputs: tuple[str, ...]
    link: Link
    kind: FrameKind | None = None

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per feature, largest first: feature, value, attribution, cumulated [, output]."""
        values = self.values.reshape(len(self.names), -1)
        parts: dict[str, list[Any]] = {"feature": [], "value": [], "attribution": [], "cumulated": []}
        for o in range(len(self.outputs)):
            order = self.order(o)
            parts["feature"] += [self.names[j] for j in order]
            parts["value"] += [self.texts[j] for j in order]
            parts["attribution"] += values[order, o].tolist()
            parts["cumulated"] += (self.baseline[o] + np.cumsum(values[order, o])).tolist()
        return make_frame(with_output(parts, self.outputs, len(self.names)), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "row": self.row,
            "features": list(self.names),
            "texts": list(self.texts),
            "values": to_json(self.values),
            "baseline": to_json(self.baseline),
            "raw": to_json(self.raw),
            "prediction": None if self.prediction is None else to_json(self.prediction),
            "interactions": None if self.interactions is None else to_json(self.interactions),
            "outputs": list(self.outputs),
            "link": self.link.kind.value,
        }

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None, most: int = 10) -> "Axes":
        """Draw the steps from the baseline to raw, the largest first; a model with several outputs needs `output`."""
        o = chosen_output(output, self.outputs)
        order = self.order(o)
        values = self.values.reshape(len(self.names), -1)[order, o]
        names = [f"{self.names[j]} = {self.texts[j]}" if self.texts[j] else self.names[j] for j in order]
        low, high = ends(self, o)
        picture = Waterfall(
            names=names, steps=values, start=float(self.baseline[o]), start_label=low, end_label=high, most=most
        )
        return draw_waterfall(picture, xlabel=raw_unit(self.link, self.outputs, o), ax=ax)

    def ends(self, output: int = 0) -> tuple[str, str]:
        """Baseline and raw of an output in words, with the predictions they correspond to."""
        return ends(self, output)

    def order(self, output: int) -> NDArray[np.intp]:
        """Positions of the features, largest |value| first."""
        return np.argsort(-np.abs(self.values.reshape(len(self.names), -1)[:, output]), kind="stable")

    def _repr_html_(self) -> str:
        rows: list[list[Any]] = []
        for o, name in enumerate(self.outputs):
            values = self.values.reshape(len(self.names), -1)[:, o]
            reach = float(np.abs(values).max(initial=0.0))
            several = [name] if len(self.outputs) > 1 else []
            rows += [[*several, self.names[j], self.texts[j], values[j], Bar(values[j], reach)] for j in self.order(o)]
        header = [*(["output"] if len(self.outputs) > 1 else []), "feature", "value", "attribution", ""]
        return html_table(self._title(), header, rows)

    def _title(self) -> str:
        ways = [f"{low} → {high}" for low, high in (ends(self, o) for o in range(len(self.outputs)))]
        return f"Row {self.row:,}: " + "; ".join(ways)

    def __repr__(self) -> str:
        return f"<RowAttribution {self._title()}>"
