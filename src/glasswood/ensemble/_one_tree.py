"""one_tree: one tree of an ensemble, as an ensemble."""

from dataclasses import replace

import numpy as np

from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._class_shares import holds_shares
from glasswood.ensemble._ensemble import Ensemble


def one_tree(ensemble: Ensemble, tree: int) -> Ensemble:
    """One tree as an ensemble; for a forest that averages class shares, with the shares of that tree."""
    first, last = (int(node) for node in ensemble.tree_start[tree : tree + 2])
    here = slice(first, last)
    # leaves of a forest hold shares divided by the number of trees
    scale = ensemble.n_trees if holds_shares(ensemble) else 1
    alone = ensemble.n_trees == 1
    width = ensemble.value.shape[1]
    output = int(ensemble.tree_output[tree])
    return build_ensemble(
        tree_start=[0, last - first],
        feature=ensemble.feature[here],
        threshold=ensemble.threshold[here],
        left=np.where(ensemble.left[here] < 0, -1, ensemble.left[here] - first),
        right=np.where(ensemble.right[here] < 0, -1, ensemble.right[here] - first),
        missing_left=ensemble.missing_left[here],
        category_set=ensemble.category_set[here],
        unseen_left=ensemble.unseen_left[here],
        leaf_id=ensemble.leaf_id[here],
        stated_threshold=ensemble.stated_threshold[here],
        value=ensemble.value[here] * scale,
        weight=ensemble.weight[here],
        gain=ensemble.gain[here],
        set_start=ensemble.set_start,
        set_bits=ensemble.set_bits,
        baseline=ensemble.baseline if alone else np.zeros(width),
        link=ensemble.link,
        features=ensemble.features,
        outputs=ensemble.outputs if alone else ensemble.outputs[output : output + width],
        # a tree that adds to one of several outputs does not predict a class by itself
        source=ensemble.source if width == ensemble.n_outputs else replace(ensemble.source, classes=(), n_targets=1),
    )
