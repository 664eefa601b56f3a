"""TargetRows: the targets of rows, as classes of a model or as numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, holds_shares, join_names
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.explain._parts import Parts
from glasswood.tables import class_names, n_rows_of, read_vector

_MAX_SQUARE, _MIN_SIZE = 1e300, 1e-150  # sums of squares must neither overflow nor underflow


@dataclass(frozen=True, slots=True, eq=False)
class TargetRows:
    """Classes, or numbers if `classes` is None."""

    classes: tuple[str, ...] | None
    codes: NDArray[np.int64]  # (n_rows,) position of the class; empty for numbers
    numbers: NDArray[np.float64]  # (n_rows,) empty for classes

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.numbers) if self.classes is None else len(self.codes)


def target_rows(ensemble: Ensemble, y: Any, n_rows: int) -> TargetRows:
    """Read targets for a model: classes in the order of its outputs, or numbers.

    A model read from a file, or fitted on 0, 1, …, may have numbers instead of names for its classes. The classes are
    then those of y in ascending order ("no" before "yes"); there must be as many.
    """
    values = read_vector(y, n_rows)
    if predicts_numbers(ensemble):
        return TargetRows(None, np.zeros(0, dtype=np.int64), as_numbers(values))
    names, codes = _class_codes(ensemble, values)
    return TargetRows(names, codes, np.zeros(0))


def predicts_numbers(ensemble: Ensemble) -> bool:
    """Whether the targets of a model are numbers and not classes."""
    return not ensemble.source.classes and not holds_shares(ensemble) and not ensemble.link.gives_shares


@dataclass(frozen=True, slots=True, eq=False)
class TargetReader:
    """Reads the targets of a part of the rows for a model; the distinct values of all rows tell the classes."""

    classes: tuple[str, ...] | None  # None for numbers
    found: NDArray[Any]
    codes: NDArray[np.int64]  # class of each value found

    @classmethod
    def make(cls, ensemble: Ensemble, distinct: Callable[[], NDArray[Any]]) -> "TargetReader":
        """`distinct` finds the distinct values of all rows, in ascending order; it is asked only for classes."""
        if predicts_numbers(ensemble):
            return cls(None, np.zeros(0), np.zeros(0, dtype=np.int64))
        found = distinct()
        classes, codes = _class_codes(ensemble, found)
        return cls(classes, found, codes)

    def read(self, y: Any, n_rows: int) -> TargetRows:
        """Targets of some rows."""
        values = read_vector(y, n_rows)
        if self.classes is None:
            return TargetRows(None, np.zeros(0, dtype=np.int64), as_numbers(values))
        return TargetRows(self.classes, self.codes[np.searchsorted(self.found, values)], np.zeros(0))


def class_target(ensemble: Ensemble, y: Any, n_rows: int) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Read targets of a model that predicts classes: the names of the classes, and the class of each row."""
    return _class_codes(ensemble, read_vector(y, n_rows))


def _class_codes(ensemble: Ensemble, values: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names of the classes, and the position of each value among them."""
    source = ensemble.source
    if source.n_targets > 1:
        raise UnsupportedModelError(
            f"this {source.model} predicts the classes of {source.n_targets} targets; fit it on one of them"
        )
    known = source.classes
    found, which = np.unique(values, return_inverse=True)
    texts = class_names(found)
    names = class_names(known) if known and not _only_numbered(known, found) else _model_names(texts, ensemble)
    position: dict[Any, int] = {name: k for k, name in enumerate(names)}
    position |= {label: k for k, label in enumerate(known)}
    labels = found.tolist()
    codes = [position.get(label, position.get(text)) for label, text in zip(labels, texts, strict=True)]
    if None in codes:
        raise TableError(f"y holds the class {labels[codes.index(None)]!r}, which the model does not know")
    return names, np.array(codes, dtype=np.int64)[which]


def _only_numbered(known: Sequence[Any], found: NDArray[Any]) -> bool:
    """Whether a model was fitted on 0, 1, … and the targets name each of these classes by a word instead."""
    words = all(isinstance(label, str) for label in found.tolist())
    numbered = list(known) == list(range(len(known)))
    return words and numbered and len(found) == len(known) and not set(class_names(known)) & set(found.tolist())


def as_numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    """Targets of a model that predicts numbers."""
    if values.dtype.kind not in "biuf":
        raise TableError("y holds text, but the model predicts numbers; its target must be numbers")
    return values.astype(np.float64)


def check_squares(y: NDArray[np.float64], weight: NDArray[np.float64]) -> None:
    """Refuse numbers whose weighted squares overflow or underflow."""
    counted = y[weight > 0]
    lowest, highest = (float(counted.min()), float(counted.max())) if len(counted) else (0.0, 0.0)
    check_reach(lowest, highest, float(weight.sum()))


def check_reach(lowest: float, highest: float, total: float) -> None:
    """The same of numbers of which the lowest and highest are known, and the sum of their weights."""
    largest = max(abs(lowest), abs(highest))
    if largest > np.sqrt(_MAX_SQUARE / max(total, 1.0)):
        raise TableError(f"y reaches {largest:g}, whose square overflows; divide y by a constant first")
    with np.errstate(over="ignore"):
        reach = float(np.subtract(highest, lowest))
    if 0 < reach < _MIN_SIZE:
        raise TableError(f"y varies by at most {reach:g}, whose square underflows to 0; multiply y by a constant first")


def _model_names(texts: tuple[str, ...], ensemble: Ensemble) -> tuple[str, ...]:
    """Names of the classes of a model that does not list them, from those in the target."""
    several = ensemble.n_outputs > 1
    n_classes = ensemble.n_outputs if several else 2
    if several and set(texts) <= set(ensemble.outputs):
        return ensemble.outputs
    if len(texts) > n_classes or (several and len(texts) < n_classes):
        names = f" ({join_names(ensemble.outputs)})" if several else ""
        raise TableError(f"y has {len(texts)} classes, the model {n_classes}{names}")
    # the names come from the target: the model numbers its classes in the same order
    if several:
        return texts
    second = ensemble.outputs[0]
    if texts == (second,):
        return (f"not {second}", second)
    if len(texts) == 2 and texts[0] == second:
        return texts[::-1]
    return texts if len(texts) == 2 else (*texts, f"not {texts[0]}")


def distinct_targets(parts: Parts) -> NDArray[Any]:
    """Distinct targets of parts that are tables with targets, ascending."""
    found: NDArray[Any] = parts.merged(_all_distinct, _distinct)
    return found


def _distinct(part: Any) -> NDArray[Any]:
    return np.unique(read_vector(part[1], n_rows_of(part[0])))


def _all_distinct(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    return np.unique(np.concatenate([one, other]))
