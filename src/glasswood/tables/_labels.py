"""Labels: categories and classes as plain Python objects and as text, with codes that point at them."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import TableError
from glasswood.tables._columns import CategoryColumn, Label


def declared_column(codes: NDArray[Any], values: Iterable[Any], where: str) -> CategoryColumn:
    """Column of a dtype that lists its categories; the codes are kept as they are."""
    labels = [plain_label(value, where) for value in values]
    codes = codes.astype(np.int32, copy=False)
    if None in labels or len(set(labels)) < len(labels):
        # An Arrow dictionary may hold a null or repeat itself.
        return _gather(codes, labels, list(dict.fromkeys(v for v in labels if v is not None)), declared=True)
    return CategoryColumn(codes=codes, labels=tuple(v for v in labels if v is not None), declared=True)


def text_column(codes: NDArray[Any], values: Iterable[Any], where: str) -> CategoryColumn:
    """Column of values found in the rows; sorted labels do not depend on the order of the rows."""
    labels = [plain_label(value, where) for value in values]
    found = {v for v in labels if v is not None}
    return _gather(codes, labels, sorted(found, key=label_key), declared=False)


def label_key(label: Label) -> tuple[bool, Label]:
    """Sort key of labels: numbers first, then text, because Python cannot compare the two."""
    return isinstance(label, str), label


def class_labels(labels: Iterable[Any]) -> tuple[Label, ...]:
    """Class labels as plain Python objects that a file can hold: text, booleans and finite numbers; others as text.

    Examples
    --------
    >>> from glasswood.tables import class_labels
    >>> class_labels(np.array([0, 1])), class_labels(["no", None])
    ((0, 1), ('no', 'None'))
    """
    plain = (_item(label) for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels))
    return tuple(label if _is_label(label) else str(label) for label in plain)


def class_names(labels: Iterable[Any]) -> tuple[str, ...]:
    """Class labels as text; a whole number is written without decimals, whether a file stores it as 1 or as 1.0.

    Examples
    --------
    >>> from glasswood.tables import class_names
    >>> class_names([0.0, 1.0]), class_names([0.5, 1.0]), class_names(["no", "yes"])
    (('0', '1'), ('0.5', '1'), ('no', 'yes'))
    """
    return tuple(_class_name(label) for label in (labels.tolist() if isinstance(labels, np.ndarray) else labels))


def _item(value: Any) -> Any:
    """A numpy scalar as a plain Python object."""
    return value.item() if isinstance(value, np.generic) else value


def _is_label(value: Any) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def _class_name(label: Label) -> str:
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _gather(
    codes: NDArray[Any], labels: Sequence[Label | None], distinct: Sequence[Label], *, declared: bool
) -> CategoryColumn:
    position = {label: code for code, label in enumerate(distinct)}
    moved = [-1 if label is None else position[label] for label in labels]
    # code −1 selects the last entry
    table = np.array([*moved, -1], dtype=np.int32)
    return CategoryColumn(codes=table[codes], labels=tuple(distinct), declared=declared)


def plain_label(value: Any, where: str) -> Label | None:
    """A level as a plain Python object that a model file can hold; an error begins with `where`.

    Examples
    --------
    >>> from glasswood.tables import plain_label
    >>> plain_label(np.int64(3), "row"), plain_label((1, 2), "row")
    (3, '(1, 2)')
    """
    value = _item(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, bytes | dict | list | np.ndarray):
        raise TableError(f"{where} has {type(value).__name__} categories; give text, numbers or booleans instead")
    # intervals, timestamps and tuples are kept as text, which identifies them and fits a model file
    return str(value)
