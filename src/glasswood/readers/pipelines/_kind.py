"""Kind: how one kind of meta-estimator is read and asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.readers._oracle import Oracle
from glasswood.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What the reader does with a meta-estimator."""

    inside: Callable[[Any], list[Any]]  # the models inside
    read: Callable[[Any, bytes | None], Ensemble]  # also takes the bytes that the library of a single inner model wrote
    ask: Callable[[Any, Ensemble, Table], Oracle]
    predicted: Callable[[Any, Ensemble, Table], NDArray[np.float64] | None]
    state: Callable[[Any], Any]  # what the result depends on beside the inner models
