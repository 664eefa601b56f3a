"""Grown trees on bins → Ensemble."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Link, Provenance, build_ensemble, pack_set, unpack_set
from glasswood.train.boosting._binning import Binning

_MAX_FLAGS = 2**20  # bytes


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
    left_set, bin_, _ = nodes.pop("left_set"), nodes.pop("bin"), nodes.pop("wide_column")
    words, places = nodes.pop("wide_set"), pairwise(nodes.pop("wide_start").tolist())
    wide = {node: words[a:b] for node, (a, b) in zip(nodes.pop("wide_node").tolist(), places, strict=True)}
    category = inner & np.append(binning.features.is_category, False)[nodes["feature"]]
    set_start, set_bits = _level_sets(binning, np.flatnonzero(category), nodes["feature"][category], left_set, wide)
    category_set = np.full(len(inner), -1)
    category_set[category] = np.arange(len(set_start) - 1)
    return build_ensemble(
        **nodes,
        tree_output=tree_output,
        threshold=_thresholds(binning, nodes["feature"], bin_, inner & ~category),
        category_set=category_set,
        set_start=set_start,
        set_bits=set_bits,
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


def _level_sets(
    binning: Binning,
    node: NDArray[np.intp],
    feature: NDArray[np.int32],
    left_set: NDArray[np.uint64],
    wide: dict[int, NDArray[np.uint64]],
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Levels that go left at these nodes, as bits, from the bins that go left; many splits of a feature at once."""
    n_words = -(-np.diff(binning.level_start) // 64)
    start = np.append(0, np.cumsum(n_words[feature]))
    bits = np.empty(start[-1], dtype=np.uint64)
    for f in np.unique(feature).tolist():
        bin_of, of_feature = binning.bins_of_levels(f), np.flatnonzero(feature == f)
        at_once = max(1, _MAX_FLAGS // len(bin_of))
        for first in range(0, len(of_feature), at_once):
            own = of_feature[first : first + at_once]
            left = np.stack([wide[i] for i in node[own].tolist()]) if binning.is_wide[f] else left_set[node[own]]
            bits[start[own][:, None] + np.arange(n_words[f])] = pack_set(unpack_set(left)[:, bin_of])
    return start, bits
