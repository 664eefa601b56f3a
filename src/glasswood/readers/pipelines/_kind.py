"""Kind: how one kind of shell around models is read and asked."""

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
    """What the reader does with a shell."""

    inside: Callable[[Any], list[Any]]  # the models it holds
    read: Callable[[Any, bytes | None], Ensemble]  # from what the library of a single model inside wrote
    ask: Callable[[Any, Ensemble, Table], Oracle]
    predicted: Callable[[Any, Ensemble, Table], NDArray[np.float64] | None]
    state: Callable[[Any], Any]  # what the reading depends on beside the models inside
