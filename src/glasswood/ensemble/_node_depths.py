"""Node depths: how many splits lie above each node."""

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble._ensemble import Ensemble


def node_depths(ensemble: Ensemble) -> NDArray[np.int32]:
    """Depth of every node, (n_nodes,); a root has depth 0."""
    return _native.node_depths(ensemble.left, ensemble.right)
