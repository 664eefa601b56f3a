"""Grown trees on bins → Ensemble."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Link, Provenance, build_ensemble, pack_set, unpack_set
from glasswood.train.boosting._binning import Binning


def boosted_ensemble(
    nodes: dict[str, NDArray[Any]],
    tree_output: NDArray[np.int32],
    binning: Binning,
    *,
    baseline: NDArray[np.float64],
    link: Link,
    outputs: tuple[str, ...],
    source: Provenance,
) -> Ensemble:
    """Make an Ensemble of the joined trees (at least one), with thresholds and levels instead of bins."""
    nodes = dict(nodes)
    inner = nodes["feature"] >= 0
    left_set, bin_ = nodes.pop("left_set"), nodes.pop("bin")
    words, places = nodes.pop("wide_set"), pairwise(nodes.pop("wide_start").tolist())
    wide = {node: words[a:b] for node, (a, b) in zip(nodes.pop("wide_node").tolist(), places, strict=True)}
    category = inner & np.append(binning.features.is_category, False)[nodes["feature"]]
    sets = [
        _level_set(binning, nodes["feature"][i], wide.get(i, left_set[i])) for i in np.flatnonzero(category).tolist()
    ]
    category_set = np.full(len(inner), -1)
    category_set[category] = np.arange(len(sets))
    return build_ensemble(
        **nodes,
        tree_output=tree_output,
        threshold=_thresholds(binning, nodes["feature"], bin_, inner & ~category),
        category_set=category_set,
        set_start=np.cumsum([0, *map(len, sets)]),
        set_bits=np.concatenate([*sets, np.empty(0, dtype=np.uint64)]),
        baseline=baseline,
        features=binning.features,
        link=link,
        outputs=outputs,
        source=source,
    )


def _thresholds(
    binning: Binning, feature: NDArray[Any], bin_: NDArray[Any], number: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Threshold of each split on a number; after the last edge all numbers go left and only missing values right."""
    threshold = np.full(len(feature), np.nan)
    n_edges = np.diff(binning.edge_start)[feature[number]]
    place = binning.edge_start[feature[number]] + bin_[number]
    edges = np.append(binning.edges, np.inf)
    threshold[number] = np.where(bin_[number] < n_edges, edges[np.minimum(place, len(edges) - 1)], np.inf)
    return threshold


def _level_set(binning: Binning, feature: int, left_set: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Levels that go left, as bits, from the bins that go left."""
    return pack_set(unpack_set(left_set)[binning.bins_of_levels(feature)])
