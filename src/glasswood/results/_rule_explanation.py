"""RuleExplanation: which rules hold for each row, and what each adds to the prediction."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_parts
from glasswood.results._html import Bar, html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import by_output, output_index, with_output
from glasswood.results._rule import Rule
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleExplanation:
    """For every row: prediction = baseline + Σ added.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(100.0)[:, None]
    >>> sirus = gw.SirusClassifier(100, max_rules=2, random_state=0).fit(X, X[:, 0] > 39)
    >>> why = sirus.rules_.explain([[10.0]])
    >>> why.fired, why.baseline + why.added.sum()
    (array([[ True]]), array([0.]))
    """

    rules: tuple[Rule, ...]
    fired: NDArray[np.bool_]  # (n_rows, n_rules) the row is inside the rule
    added: NDArray[np.float64]  # (n_rows, n_rules, n_outputs)
    baseline: NDArray[np.float64]  # (n_outputs,) mean of the target over the training rows
    outputs: tuple[str, ...]
    kind: FrameKind | None = None

    @property
    def prediction(self) -> NDArray[np.float64]:
        """(n_rows,) for one output, else (n_rows, n_outputs)."""
        total = self.baseline + self.added.sum(axis=1)
        return np.asarray(total[:, 0] if len(self.outputs) == 1 else total)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per row, rule and output: row, rule (with exact numbers), fired, added [, output]."""
        (n, r), k = self.fired.shape, len(self.outputs)
        columns: dict[str, Any] = {
            "row": np.tile(np.repeat(np.arange(n), r), k),
            "rule": [rule.to_text(exact=True) for rule in self.rules] * (n * k),
            "fired": np.tile(self.fired.ravel(), k),
            "added": by_output(self.added, k),
        }
        return make_frame(with_output(columns, self.outputs, n * r), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "rules": [rule.to_text(exact=True) for rule in self.rules],
            "fired": to_json(self.fired),
            "added": to_json(self.added),
            "baseline": to_json(self.baseline),
            "prediction": to_json(self.prediction),
            "outputs": list(self.outputs),
        }

    def plot(self, ax: "Axes | None" = None, *, row: int = 0, output: str | int = 0) -> "Axes":
        """Draw what each rule added for one row."""
        (o,) = output_index(output, self.outputs)
        return draw_parts(
            [rule.to_text() for rule in self.rules],
            self.added[row, :, o],
            self.fired[row],
            start=float(self.baseline[o]),
            xlabel=f"added to {self.baseline[o]:.4g}",
            ax=ax,
        )

    def _repr_html_(self) -> str:
        if not len(self.fired):
            return html_table("No rows", ["rule"], [])
        o = len(self.outputs) - 1
        reach = float(np.abs(self.added[0, :, o]).max(initial=0.0))
        rows = [
            [rule.to_text(), "yes" if self.fired[0, r] else "no", self.added[0, r, o], Bar(self.added[0, r, o], reach)]
            for r, rule in enumerate(self.rules)
        ]
        total = np.atleast_2d(self.prediction.reshape(len(self.fired), -1))[0, o]
        title = f"Row 0 of {len(self.fired):,}: {self.baseline[o]:.4g} + rules = {total:.4g} ({self.outputs[o]})"
        return html_table(title, ["rule", "fired", "added", ""], rows)
