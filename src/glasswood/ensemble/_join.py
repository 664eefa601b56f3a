"""join: the trees of two ensembles in one ensemble."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._ensemble import Ensemble


def join(first: Ensemble, later: Ensemble) -> Ensemble:
    """Trees of both; the baseline, features and outputs are those of the first."""
    n_nodes, n_sets = first.n_nodes, len(first.set_start) - 1
    moved: dict[str, NDArray[Any]] = {
        "tree_start": later.tree_start[1:] + n_nodes,
        "left": np.where(later.left >= 0, later.left + n_nodes, -1),
        "right": np.where(later.right >= 0, later.right + n_nodes, -1),
        "category_set": np.where(later.category_set >= 0, later.category_set + n_sets, -1),
        "set_start": later.set_start[1:] + first.set_start[-1],
    }
    arrays = {
        name: np.concatenate([array, moved.get(name, getattr(later, name))])
        for name, array in first._arrays().items()
        if name != "baseline"
    }
    return build_ensemble(
        **arrays,
        baseline=first.baseline,
        features=first.features,
        link=first.link,
        outputs=first.outputs,
        source=later.source,
    )
