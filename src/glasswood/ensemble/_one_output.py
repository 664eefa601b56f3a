"""one_output: the trees of an ensemble that add to one output, as an ensemble with that output only."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._ensemble import Ensemble


def one_output(ensemble: Ensemble, output: int) -> Ensemble:
    """An ensemble with the same raw of one output, and without the others."""
    if ensemble.n_outputs == 1:
        return ensemble
    column = output - ensemble.tree_output
    trees = np.flatnonzero((column >= 0) & (column < ensemble.value.shape[1]))
    size = np.diff(ensemble.tree_start)[trees]
    start = np.concatenate([[0], np.cumsum(size)])
    nodes = np.repeat(ensemble.tree_start[:-1][trees] - start[:-1], size) + np.arange(start[-1])
    place = np.full(ensemble.n_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    arrays: dict[str, NDArray[Any]] = {
        name: array if name.startswith("set_") else array[nodes]
        for name, array in ensemble._arrays().items()
        if name not in ("baseline", "tree_start", "tree_output", "value")
    }
    for side in ("left", "right"):
        child = arrays[side]
        arrays[side] = np.where(child >= 0, place[child], -1)
    return build_ensemble(
        **arrays,
        tree_start=start,
        value=ensemble.value[nodes, np.repeat(column[trees], size)].reshape(-1, 1),
        baseline=ensemble.baseline[output : output + 1],
        features=ensemble.features,
        link=ensemble.link,
        outputs=ensemble.outputs[output : output + 1],
        source=ensemble.source,
    )
