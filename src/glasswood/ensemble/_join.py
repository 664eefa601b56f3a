"""join: the trees of several ensembles in one ensemble."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._ensemble import Ensemble


def join(first: Ensemble, *later: Ensemble) -> Ensemble:
    """Trees of all; the baseline, features and outputs are those of the first."""
    every = (first, *later)
    nodes = np.cumsum([0, *(part.n_nodes for part in every)])
    sets = np.cumsum([0, *(len(part.set_start) - 1 for part in every)])
    words = np.cumsum([0, *(len(part.set_bits) for part in every)])
    moved: dict[str, list[NDArray[Any]]] = {
        "tree_start": [part.tree_start[k > 0 :] + nodes[k] for k, part in enumerate(every)],
        "left": [np.where(part.left >= 0, part.left + nodes[k], -1) for k, part in enumerate(every)],
        "right": [np.where(part.right >= 0, part.right + nodes[k], -1) for k, part in enumerate(every)],
        "category_set": [
            np.where(part.category_set >= 0, part.category_set + sets[k], -1) for k, part in enumerate(every)
        ],
        "set_start": [part.set_start[k > 0 :] + words[k] for k, part in enumerate(every)],
    }
    arrays = {
        name: np.concatenate(moved[name] if name in moved else [getattr(part, name) for part in every])
        for name in first._arrays()
        if name != "baseline"
    }
    return build_ensemble(
        **arrays,
        baseline=first.baseline,
        features=first.features,
        link=first.link,
        outputs=first.outputs,
        source=every[-1].source,
    )
