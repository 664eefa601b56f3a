"""LazyTable: an array of a result that is computed when first asked for, because computing it may be slow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived


@dataclass(frozen=True, slots=True, eq=False)
class LazyTable:
    """A function without arguments that computes an array, and the array once it is computed.

    Examples
    --------
    >>> import numpy as np
    >>> from functools import partial
    >>> table = LazyTable(partial(np.arange, 3.0))
    >>> table.array is table.array
    True
    """

    compute: Callable[[], NDArray[np.float64]]  # a partial of a function, so that a result can be pickled
    _kept: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def array(self) -> NDArray[np.float64]:
        """The array, always the same object."""
        return derived(self._kept, "array", self.compute)

    def transpose(self, axes: Sequence[int]) -> "LazyTable":
        """The same array with its axes in another order; it is computed only once for both."""
        return LazyTable(partial(_transposed, self, tuple(axes)))


def _transposed(table: LazyTable, axes: tuple[int, ...]) -> NDArray[np.float64]:
    return table.array.transpose(axes)
