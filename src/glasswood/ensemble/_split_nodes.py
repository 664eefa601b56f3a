"""split_nodes: the inner nodes of an ensemble by the feature they split on."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._ensemble import Ensemble


def split_nodes(ensemble: Ensemble) -> list[NDArray[np.int64]]:
    """Nodes that split on each feature, ascending; sorted once, because a search for each feature looks at every node.

    Examples
    --------
    >>> import glasswood as gw
    >>> from glasswood.ensemble import split_nodes
    >>> tree = gw.TreeRegressor(max_depth=1).fit([[0.0, 5.0], [0.0, 6.0]], [1.0, 2.0])
    >>> split_nodes(tree.ensemble_)
    [array([], dtype=int64), array([0])]
    """
    inner = np.flatnonzero(ensemble.feature >= 0)
    nodes = inner[np.argsort(ensemble.feature[inner], kind="stable")]
    ends = np.searchsorted(ensemble.feature[nodes], np.arange(len(ensemble.features) + 1))
    return [nodes[first:last] for first, last in pairwise(ends.tolist())]
