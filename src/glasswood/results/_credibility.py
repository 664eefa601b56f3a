"""CredibilityGrid: Z and gain of a child by its spread, noise and rows, under each rule."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood.errors import OptionError
from glasswood.plots import draw_children, draw_grid
from glasswood.results._json_values import to_json
from glasswood.tables import make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CredibilityGrid:
    """Credibility and gain over a grid.

    A cell is a child of `n` rows whose residuals have mean −spread and standard deviation sd, split from its mirror
    image of mean +spread; the gain is the child's half of the split's, l2 = 0.

    Examples
    --------
    >>> import glasswood as gw
    >>> grid = gw.credibility_grid(spread=[0.1], sd=[0.1, 0.5], n=1000, gain="cred_std")
    >>> grid.credibility.ravel().round(3)
    array([0.5  , 0.167])
    """

    spread: NDArray[np.float64]  # (n_spreads,)
    sd: NDArray[np.float64]  # (n_sds,)
    n: NDArray[np.int64]  # (n_ns,)
    rules: tuple[str, ...]
    credibility: NDArray[np.float64]  # (n_rules, n_ns, n_spreads, n_sds) Z in [0, 1]
    gain: NDArray[np.float64]  # the same shape

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per cell: rule, n, spread, sd, credibility, gain."""
        rule, n, spread, sd = np.indices(self.gain.shape).reshape(4, -1)
        columns: dict[str, Any] = {
            "rule": [self.rules[k] for k in rule],
            "n": self.n[n],
            "spread": self.spread[spread],
            "sd": self.sd[sd],
            "credibility": self.credibility.ravel(),
            "gain": self.gain.ravel(),
        }
        return make_frame(columns, backend)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "rules": list(self.rules),
            "n": self.n.tolist(),
            "spread": self.spread.tolist(),
            "sd": self.sd.tolist(),
            "credibility": to_json(self.credibility),
            "gain": to_json(self.gain),
        }

    def plot(
        self, ax: "Axes | None" = None, *, rule: str | None = None, n: int | None = None, what: str = "credibility"
    ) -> "Axes":
        """Draw the credibility or the gain of one rule as a heat map of spread and sd. Returns the Axes."""
        check_choice("what", what, ("credibility", "gain"))
        k, i = self._index(rule, n)
        table = (self.credibility if what == "credibility" else self.gain)[k, i]
        title = f"{self.rules[k]}, {self.n[i]:,} rows"
        return draw_grid(table, self.spread, self.sd, across="sd", up="spread", label=what, title=title, ax=ax)

    def plot_children(self, axes: Any = None, *, n: int | None = None) -> Any:
        """Draw the two children of every cell with Z and gain under each rule. Returns the array of Axes."""
        _, i = self._index(None, n)
        texts = [
            [
                "\n".join(
                    f"{rule}: Z {self.credibility[k, i, s, d]:.2f}, gain {self.gain[k, i, s, d]:.4g}"
                    for k, rule in enumerate(self.rules)
                )
                for d in range(len(self.sd))
            ]
            for s in range(len(self.spread))
        ]
        return draw_children(self.spread, self.sd, int(self.n[i]), texts, axes=axes)

    def _index(self, rule: str | None, n: int | None) -> tuple[int, int]:
        rules, counts = self.rules, self.n.tolist()
        rule, n = rules[0] if rule is None else rule, counts[0] if n is None else n
        check_choice("rule", rule, rules)
        if n not in counts:
            raise OptionError(f"n must be one of {', '.join(map(str, counts))}; got {n!r}")
        return rules.index(rule), counts.index(n)

    def _repr_html_(self) -> str:
        cells = f"{len(self.spread)} spreads × {len(self.sd)} sds × {len(self.n)} numbers of rows"
        return f"<p>Credibility and gain of {', '.join(self.rules)}: {cells}</p>"
