"""cut: the same trees, truncated at a depth."""

import dataclasses

import numpy as np

from glasswood._checks import whole_number
from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._node_depths import node_depths
from glasswood.ensemble._provenance import NOT_CHECKED
from glasswood.errors import UnsupportedModelError


def cut(ensemble: Ensemble, depth: int) -> Ensemble:
    """Keep the nodes down to `depth` (roots have depth 0); those at `depth` become leaves with the mean below them."""
    level = whole_number("depth", depth, 0)
    depths = node_depths(ensemble)
    closed = (depths == level) & (ensemble.feature >= 0)
    if np.any(np.isnan(ensemble.value[closed])):
        raise UnsupportedModelError("the model carries no node weights, so the mean of a cut subtree is not known")
    keep = depths <= level
    position = np.cumsum(keep) - 1
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return build_ensemble(
        tree_start=kept_before[ensemble.tree_start],
        tree_output=ensemble.tree_output,
        feature=np.where(closed, -1, ensemble.feature)[keep],
        threshold=np.where(closed, np.nan, ensemble.threshold)[keep],
        left=np.where(closed | (ensemble.left < 0), -1, position[ensemble.left])[keep],
        right=np.where(closed | (ensemble.right < 0), -1, position[ensemble.right])[keep],
        missing_left=ensemble.missing_left[keep] & ~closed[keep],
        category_set=np.where(closed, -1, ensemble.category_set)[keep],
        unseen_left=ensemble.unseen_left[keep] & ~closed[keep],
        stated_threshold=np.where(closed, np.nan, ensemble.stated_threshold)[keep],
        value=ensemble.value[keep],
        weight=ensemble.weight[keep],
        gain=np.where(closed, np.nan, ensemble.gain)[keep],
        set_start=ensemble.set_start,
        set_bits=ensemble.set_bits,
        baseline=ensemble.baseline,
        link=ensemble.link,
        features=ensemble.features,
        outputs=ensemble.outputs,
        source=dataclasses.replace(
            ensemble.source, parity=NOT_CHECKED, notes=(*ensemble.source.notes, f"cut at depth {level}")
        ),
    )
