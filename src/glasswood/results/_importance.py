"""Importance: how far the effect of each feature moves the model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results._json import to_json
from glasswood.results._outputs import by_output, with_output
from glasswood.tables import FrameKind, make_frame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Importance:
    """Weighted standard deviation and weighted mean size of the effect, largest first.

    Arrays are (n_features,) for a model with one output, else (n_features, n_outputs); features are ordered by the sum
    of `sd` over the outputs.
    """

    features: tuple[str, ...]
    sd: NDArray[np.float64]  # weighted standard deviation of the effect
    mean_abs: NDArray[np.float64]  # weighted mean of |effect|
    method: str
    outputs: tuple[str, ...]
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

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "features": list(self.features),
            "sd": to_json(self.sd),
            "mean_abs": to_json(self.mean_abs),
            "method": self.method,
            "outputs": list(self.outputs),
        }
