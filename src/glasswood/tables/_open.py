"""Opening a table: turns what the user passed into a numpy array or a frame that narwhals supports."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables._array import check_dimensions, read_list
from glasswood.tables._frame import check_unique
from glasswood.tables._kind import frame_kind

Table: TypeAlias = Any
"""What a user may pass as a table: a 2-D numpy array, a pandas or polars frame, a pyarrow table, a sparse
array or matrix of scipy, a list of rows, or any object with ``__arrow_c_stream__`` or ``__array__``."""

_KNOWN = "a 2-D numpy array, a pandas or polars frame, a pyarrow table, a scipy sparse array or another Arrow stream"


def open_table(X: Table) -> NDArray[Any] | nw.DataFrame[Any]:
    """Table as an array or a frame, without any conversion yet; raises `TableError` if it is not a table."""
    if isinstance(X, np.ndarray):
        return check_dimensions(X)
    if frame_kind(X) is None:
        _refuse(X)
    if isinstance(X, list | tuple):
        return check_dimensions(read_list(X, "the table"))
    frame = _wrap(X)
    if frame is not None:
        return frame
    if hasattr(X, "__arrow_c_stream__"):
        return _from_stream(X)
    if hasattr(X, "__array__"):
        try:
            array = np.asarray(X)
        except Exception as error:
            raise TableError(f"the {type(X).__name__} does not convert to a numpy array: {error}") from error
        return check_dimensions(array)
    raise TableError(f"a {type(X).__name__} is not a table; give {_KNOWN}")


def _refuse(X: Any) -> None:
    """Raise with advice for objects that are almost a table."""
    if X is None:
        raise TableError(f"a table is needed, found None; give {_KNOWN}")
    if isinstance(X, dict):
        raise TableError("a dict is not a table; make a frame of it first, such as pandas.DataFrame(X)")
    if hasattr(X, "__cuda_array_interface__"):
        raise TableError(
            f"the {type(X).__name__} lies on a GPU; copy it to the host, or use the functions of glasswood.gpu: "
            f"effects, interactions, attributions, predict_raw"
        )
    if hasattr(X, "tocsr") and hasattr(X, "toarray"):
        raise TableError(f"a sparse {type(X).__name__} that is not of scipy is not read; give X.tocsr()")


def _wrap(X: Any) -> nw.DataFrame[Any] | None:
    """Frame as a narwhals frame; None if narwhals does not support it."""
    if type(X).__name__ == "LazyFrame":
        raise TableError("a LazyFrame has no rows yet; give X.collect()")
    check_unique(_frame_names(X))
    wrapped = nw.from_native(X, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(wrapped, nw.Series):
        advice = "X.to_frame(), or a table with that one column"
        if wrapped.implementation.is_pandas_like():
            advice = "X.iloc[[0]] for a single row, X[['name']] for a single column"
        raise TableError(f"a table needs 2 dimensions, found a series; give {advice}")
    return wrapped if isinstance(wrapped, nw.DataFrame) else None


def _frame_names(X: Any) -> Sequence[Any]:
    if frame_kind(X) is None:
        return ()
    # asked of the class, because the attribute of a pandas frame may also be one of its columns
    for attribute in ("column_names", "columns"):
        if hasattr(type(X), attribute):
            return list(getattr(X, attribute))
    return ()


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
