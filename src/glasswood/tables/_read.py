"""The user's table → Columns."""

import numpy as np

from glasswood.tables._array import read_array
from glasswood.tables._columns import Columns
from glasswood.tables._frame import read_frame
from glasswood.tables._kind import frame_kind
from glasswood.tables._open import Table, open_table
from glasswood.tables._scipy import is_scipy_sparse, read_sparse


def read_table(X: Table | Columns) -> Columns:
    """Read a table without copying what can be used as it is.

    Parameters
    ----------
    X : Table or Columns
        numpy (plain, masked, structured), pandas, polars, pyarrow, a sparse array or matrix of scipy, a list of rows,
        or any Arrow C stream. A table that was read before is given back as it is.

    Returns
    -------
    Columns

    Raises
    ------
    TableError
        If it is not a table or a column cannot be read; the message names it.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.tables import read_table
    >>> read_table(np.array([[1, 2], [3, 4]])).matrix
    array([[1., 2.],
           [3., 4.]])
    """
    if isinstance(X, Columns):
        return X
    if is_scipy_sparse(X):
        return read_sparse(X)
    opened = open_table(X)
    return read_array(opened) if isinstance(opened, np.ndarray) else read_frame(opened, frame_kind(X))
