"""Usage: how many leaves depend on each feature, or on each combination of features."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_bars
from glasswood.results._html import Bar, html_table
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Usage:
    """Number of leaves whose path uses a combination of features, most used first.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> gw.usage(tree, degree=2).to_frame("pyarrow").to_pylist()
    [{'feature_0': 'x0', 'feature_1': 'x1', 'leaves': 4}]
    """

    features: tuple[tuple[str, ...], ...]  # the combinations, each of `degree` names
    leaves: NDArray[np.int64]  # (n_combinations,)
    degree: int
    kind: FrameKind | None = None

    def __len__(self) -> int:
        return len(self.features)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per combination: feature and leaves for degree 1, else feature_0, feature_1, … and leaves."""
        columns: dict[str, Any] = {
            "feature" if self.degree == 1 else f"feature_{d}": [names[d] for names in self.features]
            for d in range(self.degree)
        }
        return make_frame(columns | {"leaves": self.leaves}, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "degree": self.degree,
            "features": [list(names) for names in self.features],
            "leaves": self.leaves.tolist(),
        }

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the number of leaves as bars."""
        names = [" × ".join(combination) for combination in self.features]
        return draw_bars(names, self.leaves.astype(np.float64), xlabel="leaves", ax=ax)

    def _repr_html_(self) -> str:
        reach = float(self.leaves.max(initial=0))
        rows = [
            [*names, int(leaves), Bar(float(leaves), reach, signed=False)]
            for names, leaves in zip(self.features, self.leaves, strict=True)
        ]
        header = ["feature"] if self.degree == 1 else [f"feature {d + 1}" for d in range(self.degree)]
        return html_table("Usage: leaves whose path uses the features", [*header, "leaves", ""], rows)

    def __repr__(self) -> str:
        return f"Usage({len(self)} combinations of degree {self.degree})"
