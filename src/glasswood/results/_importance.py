"""Importance: how much each feature changes what the model predicts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_bars
from glasswood.results._html import Bar, html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import by_output, output_index, with_output
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Importance:
    """Weighted standard deviation and weighted mean size of the effect, largest first.

    Arrays are (n_features,) for a model with one output, else (n_features, n_outputs); features are ordered by the sum
    of `sd` over the outputs.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.effects(tree, X).importance()
    >>> found.features, found.sd
    (('x1', 'x0'), array([1.75, 1.25]))
    """

    features: tuple[str, ...]
    sd: NDArray[np.float64]  # weighted standard deviation of the effect
    mean_abs: NDArray[np.float64]  # weighted mean of |effect|
    method: str
    outputs: tuple[str, ...]
    of: str = "effect"  # or "attribution": then the arrays describe attributions, and `mean_abs` decides the order
    kind: FrameKind | None = None

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per feature: feature, sd, mean_abs [, output]."""
        n = len(self.outputs)
        columns = {
            "feature": list(self.features) * n,
            "sd": by_output(self.sd, n),
            "mean_abs": by_output(self.mean_abs, n),
        }
        return make_frame(with_output(columns, self.outputs, len(self.features)), backend or self.kind)

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None) -> "Axes":
        """Draw the number that decides the order as bars and the other as points; several outputs are averaged."""
        shown = output_index(output, self.outputs)
        sd, size = (part.reshape(len(self.features), -1)[:, shown].mean(axis=1) for part in (self.sd, self.mean_abs))
        of = (
            "" if len(self.outputs) == 1 else ", mean over outputs" if len(shown) > 1 else f", {self.outputs[shown[0]]}"
        )
        if self.of == "attribution":
            label = f"mean |attribution| to raw ({self.method}{of})"
            return draw_bars(self.features, size, xlabel=label, marks=sd, marks_label="sd of the attribution", ax=ax)
        label = f"sd of the effect on raw ({self.method}{of})"
        return draw_bars(self.features, sd, xlabel=label, marks=size, marks_label="mean |effect|", ax=ax)

    def _repr_html_(self) -> str:
        sd, size = (part.reshape(len(self.features), -1) for part in (self.sd, self.mean_abs))
        reach = float(sd.max()) if sd.size else 0.0
        several = len(self.outputs) > 1
        rows = [
            [name, *([output] if several else []), sd[i, o], Bar(sd[i, o], reach, signed=False), size[i, o]]
            for i, name in enumerate(self.features)
            for o, output in enumerate(self.outputs)
        ]
        header = ["feature", *(["output"] if several else []), "sd", "", f"mean |{self.of}|"]
        return html_table(f"Importance of the {self.of}s ({self.method})", header, rows)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "features": list(self.features),
            "sd": to_json(self.sd),
            "mean_abs": to_json(self.mean_abs),
            "method": self.method,
            "outputs": list(self.outputs),
        }
