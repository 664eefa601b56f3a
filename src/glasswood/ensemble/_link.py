"""Link: turns raw, the sum over the trees, into the prediction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import exp, expit
from glasswood.errors import UnsupportedModelError


class LinkKind(StrEnum):
    """The inverse links that glasswood supports."""

    IDENTITY = "identity"
    LOG = "log"
    LOGIT = "logit"
    SOFTMAX = "softmax"
    OVA = "ova"  # one logit per output, not normalised
    NONE = "none"  # raw is exact, but how the library turns it into a prediction is not known


@dataclass(frozen=True, slots=True)
class Link:
    """An inverse link and its scale (LightGBM's `sigmoid`: probability = 1 / (1 + exp(−scale·raw)))."""

    kind: LinkKind
    scale: float = 1.0

    @property
    def gives_shares(self) -> bool:
        """Whether predictions are probabilities of classes."""
        return self.kind in (LinkKind.LOGIT, LinkKind.SOFTMAX, LinkKind.OVA)

    def __str__(self) -> str:
        return self.kind.value if self.scale == 1.0 else f"{self.kind.value} (scale {self.scale:g})"

    def inverse(self, raw: NDArray[np.float64], *, objective: str, notes: Sequence[str] = ()) -> NDArray[np.float64]:
        """Turn raw (n, n_outputs) into predictions of the same shape; a note on what raw is explains a refusal."""
        match self.kind:
            case LinkKind.IDENTITY:
                return raw
            case LinkKind.LOG:
                return exp(raw)
            case LinkKind.LOGIT | LinkKind.OVA:
                return expit(self.scale * raw)
            case LinkKind.SOFTMAX:
                shifted = exp(raw - raw.max(axis=1, keepdims=True))
                # class by class, because the order of numpy's own sum depends on the layout of the array
                total = shifted[:, 0].copy()
                for k in range(1, shifted.shape[1]):
                    total += shifted[:, k]
                return shifted / total[:, None]
            case LinkKind.NONE:
                known = [note for note in notes if note.startswith("raw is ")]
                if known:
                    raise UnsupportedModelError(f"{known[-1]}; use predict_raw, which is exact")
                raise UnsupportedModelError(
                    f"the objective {objective!r} turns raw into a prediction in a way glasswood does not know; "
                    "use predict_raw, which is exact"
                )


IDENTITY = Link(LinkKind.IDENTITY)
LOG = Link(LinkKind.LOG)
LOGIT = Link(LinkKind.LOGIT)
SOFTMAX = Link(LinkKind.SOFTMAX)
OVA = Link(LinkKind.OVA)
NO_LINK = Link(LinkKind.NONE)
