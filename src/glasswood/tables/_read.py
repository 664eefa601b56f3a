"""Whatever the user calls a table → Columns."""

from importlib.util import find_spec
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables._array import read_array, read_list
from glasswood.tables._columns import Columns
from glasswood.tables._frame import check_unique, read_frame
from glasswood.tables._kind import frame_kind

Table: TypeAlias = Any
"""What a user may pass as a table: a 2-D numpy array, a pandas or polars frame, a pyarrow table, a list of
rows, or any object with ``__arrow_c_stream__`` or ``__array__``."""

_KNOWN = "a 2-D numpy array, a pandas or polars frame, a pyarrow table or another Arrow stream"


def read_table(X: Table) -> Columns:
    """Read a table without copying what can be used as it is.

    Parameters
    ----------
    X : Table
        numpy (plain, masked, structured), pandas, polars, pyarrow, a list of rows, or any Arrow C stream.

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
    if isinstance(X, np.ndarray):
        return read_array(X)
    _refuse(X)
    if isinstance(X, list | tuple):
        return read_array(read_list(X, "the table"))
    frame = _wrap(X)
    if frame is not None:
        return read_frame(frame, frame_kind(X))
    if hasattr(X, "__arrow_c_stream__"):
        return read_frame(_from_stream(X), frame_kind(X))
    if hasattr(X, "__array__"):
        try:
            array = np.asarray(X)
        except Exception as error:
            raise TableError(f"the {type(X).__name__} does not convert to a numpy array: {error}") from error
        return read_array(array)
    raise TableError(f"a {type(X).__name__} is not a table; give {_KNOWN}")


def _refuse(X: Any) -> None:
    """Say what to do with things that are nearly a table."""
    kind = type(X).__name__
    if X is None:
        raise TableError(f"a table is needed, found None; give {_KNOWN}")
    if isinstance(X, dict):
        raise TableError("a dict is not a table; make a frame of it first, such as pandas.DataFrame(X)")
    if hasattr(X, "tocsr") and hasattr(X, "toarray"):
        raise TableError(f"a sparse {kind} is not read; give X.toarray()")
    if kind == "LazyFrame":
        raise TableError("a LazyFrame has no rows yet; give X.collect()")


def _wrap(X: Any) -> nw.DataFrame[Any] | None:
    """Frame as narwhals knows it, None where it does not."""
    names = getattr(X, "column_names", None)
    if names is None:
        names = getattr(X, "columns", None)
    if frame_kind(X) is not None and names is not None and not callable(names):
        check_unique(list(names))
    wrapped = nw.from_native(X, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(wrapped, nw.Series):
        raise TableError(
            "a table needs 2 dimensions, found a series; give X.to_frame(), or a table with that one column"
        )
    return wrapped if isinstance(wrapped, nw.DataFrame) else None


def _from_stream(X: Any) -> nw.DataFrame[Any]:
    for library in ("pyarrow", "polars"):
        if find_spec(library) is not None:
            break
    else:
        raise MissingDependencyError(
            f"reading the Arrow stream of a {type(X).__name__} needs pyarrow or polars: pip install pyarrow"
        )
    try:
        return nw.from_arrow(X, backend=library)
    except nw.exceptions.DuplicateError:
        raise TableError("the table has two columns of one name; rename or drop one") from None
    except Exception as error:
        raise TableError(f"the Arrow stream of the {type(X).__name__} is not a table: {error}") from error
