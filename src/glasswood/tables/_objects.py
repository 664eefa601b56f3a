"""Columns of Python objects: read as numbers, text or dates, depending on the types found."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._columns import Column, as_floats
from glasswood.tables._labels import text_column

_NUMBERS = (int, float, Decimal, np.bool_, np.integer, np.floating)

# by name, so that pandas' NA and NaT and numpy's masked are recognised without importing their library
_MISSING = {"NoneType", "NAType", "NaTType", "MaskedConstant"}


def is_missing(value: Any) -> bool:
    """Whether a single value stands for a missing one: None, NaN, pandas' NA or NaT, numpy's masked.

    Examples
    --------
    >>> from glasswood.tables import is_missing
    >>> is_missing(None), is_missing(float("nan")), is_missing(0.0), is_missing("")
    (True, True, False, False)
    """
    if type(value).__name__ in _MISSING:
        return True
    return isinstance(value, float | np.floating | np.datetime64 | np.timedelta64) and bool(value != value)


def read_objects(values: NDArray[np.object_], where: str) -> Column:
    """Read one column of Python objects.

    Numbers and None give floats, text (also beside numbers) gives categories, dates and durations give their
    count.
    """
    items: list[Any] = values.tolist()
    types = set(map(type, items))
    if any(kind.__name__ in _MISSING for kind in types):
        items = [None if type(item).__name__ in _MISSING else item for item in items]
        types = {kind for kind in types if kind.__name__ not in _MISSING}
    if all(issubclass(kind, _NUMBERS) for kind in types):
        return _numbers(items, where)
    if all(issubclass(kind, (str, *_NUMBERS)) for kind in types):
        return _text(items, where)
    unit = _time_unit(types, items)
    if unit is not None:
        return as_floats(np.array(items, dtype=unit))
    foreign = sorted(kind.__name__ for kind in types if not issubclass(kind, (str, *_NUMBERS)))
    raise TableError(
        f"{where} holds {', '.join(foreign)} objects; give numbers, text, dates or a category dtype instead"
    )


def _numbers(items: list[Any], where: str) -> NDArray[np.float64]:
    try:
        # numpy reads None as NaN here
        return np.array(items, dtype=np.float64)
    except OverflowError:
        raise TableError(f"{where} holds an integer too large for a float64") from None


def _text(items: list[Any], where: str) -> Column:
    position: dict[Any, int] = {}
    codes = [-1 if item is None or item != item else position.setdefault(item, len(position)) for item in items]
    return text_column(np.array(codes, dtype=np.int32), position, where)


def _time_unit(types: set[type], items: list[Any]) -> str | None:
    """The numpy dtype for these objects: days for dates, microseconds (as in Python) for times."""
    if all(issubclass(kind, timedelta) for kind in types):
        return "timedelta64[us]"
    if all(issubclass(kind, datetime) for kind in types):
        aware = any(item is not None and item.tzinfo is not None for item in items)
        return None if aware else "datetime64[us]"
    if all(issubclass(kind, date) and not issubclass(kind, datetime) for kind in types):
        return "datetime64[D]"
    return None
