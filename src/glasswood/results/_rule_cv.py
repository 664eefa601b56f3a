"""RuleCV: error, number of rules and stability for each p0, and the choices of p0 that follow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_rule_cv
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WANTED = 0.9  # the stability that p0_stab aims at


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleCV:
    """Repeated cross-validation; arrays are (n_repeats, n_p0), p0 ascending.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(100.0)[:, None]
    >>> sirus = gw.SirusClassifier(50, random_state=0)
    >>> found = gw.rule_cv(sirus, X, X[:, 0] > 39, n_splits=2, n_repeats=1, random_state=0)
    >>> found.error.shape == found.stability.shape == (1, len(found.p0))
    True
    """

    p0: NDArray[np.float64]  # (n_p0,)
    error: NDArray[np.float64]  # 1 − AUC, or the share of the variance that is not explained
    n_rules: NDArray[np.float64]  # mean over the folds
    stability: NDArray[np.float64]  # mean Dice–Sørensen index of the paths of two folds
    measure: Literal["1 - AUC", "unexplained variance"]
    n_splits: int
    kind: FrameKind | None = None

    @property
    def error_se(self) -> NDArray[np.float64]:
        """Standard error of the mean error over the repeats, (n_p0,); 0 if there is only one repeat."""
        n = len(self.error)
        return np.asarray(self.error.std(axis=0, ddof=1) / np.sqrt(n)) if n > 1 else np.zeros(len(self.p0))

    @property
    def p0_pred(self) -> float:
        """Largest p0 whose error is at most two standard errors above the smallest."""
        mean = self.error.mean(axis=0)
        best = int(mean.argmin())
        return float(self.p0[np.flatnonzero(mean <= mean[best] + 2 * self.error_se[best])[-1]])

    @property
    def p0_stab(self) -> float:
        """Median over the repeats of the p0 that comes closest to stability 0.9 and error 0."""
        distance = (self.stability - _WANTED) ** 2 + self.error**2
        return float(np.median(self.p0[distance.argmin(axis=1)]))

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per p0: p0, error, error_se, n_rules, stability, means over the repeats."""
        columns = {
            "p0": self.p0,
            "error": self.error.mean(axis=0),
            "error_se": self.error_se,
            "n_rules": self.n_rules.mean(axis=0),
            "stability": self.stability.mean(axis=0),
        }
        return make_frame(columns, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        arrays = {name: to_json(getattr(self, name)) for name in ("p0", "error", "n_rules", "stability")}
        return arrays | {
            "measure": self.measure,
            "n_splits": self.n_splits,
            "p0_pred": self.p0_pred,
            "p0_stab": self.p0_stab,
        }

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw error and stability against p0, with both choices marked."""
        return draw_rule_cv(
            self.p0,
            self.error.mean(axis=0),
            self.error_se,
            self.stability.mean(axis=0),
            marks={"p0_pred": self.p0_pred, "p0_stab": self.p0_stab},
            measure=self.measure,
            ax=ax,
        )

    def _repr_html_(self) -> str:
        rows = []
        for name, p0 in (("p0_pred", self.p0_pred), ("p0_stab", self.p0_stab)):
            at = int(np.abs(self.p0 - p0).argmin())
            means = [part.mean(axis=0)[at] for part in (self.error, self.n_rules, self.stability)]
            rows.append([name, p0, *means])
        title = f"{len(self.error)} × {self.n_splits}-fold cross-validation along p0"
        return html_table(title, ["choice", "p0", self.measure, "rules", "stability"], rows)
