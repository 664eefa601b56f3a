"""FeatureCells: the values of a feature that a model cannot tell apart, numbered; a box is a set of cells of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import ZERO, Ensemble, Label, as_text, split_nodes, text_hash
from glasswood.errors import OptionError
from glasswood.tables import is_missing, plain_label

Value = Label | None  # None is missing


@dataclass(frozen=True, slots=True, eq=False)
class FeatureCells:
    """Cells of one feature: intervals or levels, then unseen levels (a category only), then missing.

    Cell i of a number is the interval (lower, thresholds[i]], where lower is the threshold before it.
    """

    name: str
    thresholds: NDArray[np.float64]  # ascending; empty for a category
    levels: tuple[Label, ...] | None  # None for a number
    hashes: tuple[int, ...] | None
    zero_is_missing: bool
    missing_routed: bool
    coded: bool = False  # the model kept only the codes of the levels
    _cell_of_label: dict[Label, int] = field(init=False, repr=False)
    _cell_of_hash: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, keys in (("_cell_of_label", self.levels), ("_cell_of_hash", self.hashes)):
            object.__setattr__(self, name, {key: cell for cell, key in enumerate(keys or ())})

    @property
    def n_known(self) -> int:
        """Number of intervals or levels."""
        return len(self.thresholds) + 1 if self.levels is None else len(self.levels)

    @property
    def missing(self) -> int:
        """Index of the cell of missing values, the last one."""
        return self.n_known if self.levels is None else self.n_known + 1

    def __len__(self) -> int:
        return self.missing + 1

    def bounds_of(self, cell: int) -> tuple[float, float]:
        """The interval (lower, upper] of a cell of numbers; the first one contains −inf."""
        lower = float(self.thresholds[cell - 1]) if cell else -np.inf
        return lower, float(self.thresholds[cell]) if cell < len(self.thresholds) else np.inf

    def cell_of(self, value: Value) -> int:
        """The cell that holds a value."""
        if value is None or value != value:
            return self.missing
        if self.levels is not None:
            cell = self._cell_of_label.get(value)
            if cell is None and self._cell_of_hash:
                cell = self._cell_of_hash.get(text_hash(as_text(value)))
            return self.n_known if cell is None else cell
        number = float(value)
        if self.zero_is_missing and abs(number) <= ZERO:
            return self.missing
        return int(np.searchsorted(self.thresholds, number))

    def value_of(self, aligned: Any) -> Value:
        """The value behind a number or a code of an aligned table."""
        if self.levels:
            return None if aligned < 0 else self.value_in(min(int(aligned), self.n_known))
        return None if aligned != aligned else float(aligned)

    def read(self, given: Any, what: str) -> Value:
        """A value as a caller gives it; an error names `what` it is a value of, and the feature."""
        if is_missing(given):
            return None
        if self.levels is not None:
            level = plain_label(given, f"{what}: feature {self.name!r}")
            if self.coded and isinstance(level, str):
                raise OptionError(
                    f"{what}: of the levels of feature {self.name!r} the model kept only the codes 0 to "
                    f"{len(self.levels) - 1}; give the code of {level!r}"
                )
            return level
        return self.read_number(given, what)

    def read_number(self, given: Any, what: str) -> float:
        """A value of a number as a caller gives it, NaN included."""
        try:
            return float(given)
        except (TypeError, ValueError):
            raise OptionError(f"{what}: feature {self.name!r} is a number, got {given!r}") from None
        except OverflowError:
            raise OptionError(f"{what}: feature {self.name!r} is given an integer too large for a float64") from None

    def value_in(self, cell: int, low: float = -np.inf, high: float = np.inf) -> Value:
        """A value in the cell, with a number between `low` and `high`; LookupError if there is none."""
        if cell == self.missing:
            return None
        if self.levels is not None:
            return self.levels[cell] if cell < len(self.levels) else self._unseen()
        return self._number(cell, low, high)

    def _number(self, cell: int, low: float, high: float) -> float:
        lower, upper = self.bounds_of(cell)
        first = lower if cell == 0 else float(np.nextafter(lower, np.inf))
        if cell and lower == np.inf:  # nothing is above infinity
            raise LookupError(self.name)
        least, most = max(first, low), min(upper, high)
        if least > most:
            raise LookupError(self.name)
        tried = (most, least, lower + 1.0, 0.0) if most < np.inf else (lower + 1.0, 0.0, least, most)
        # beyond the values that count as zero, on either side
        for number in (*tried, float(np.nextafter(ZERO, np.inf)), -float(np.nextafter(ZERO, np.inf))):
            inside = least <= number <= most and np.isfinite(number)
            if inside and not (self.zero_is_missing and abs(number) <= ZERO):
                return float(number)
        for number in (least, most):  # only an infinity is left
            if np.isinf(number):
                return float(number)
        raise LookupError(self.name)

    def _unseen(self) -> Label:
        """A level that the model does not know."""
        levels = self.levels or ()
        if self.hashes is not None or any(isinstance(level, str) for level in levels):
            texts = (f"unseen {k}" for k in range(len(levels) + 1))
            return next(text for text in texts if self.cell_of(text) == self.n_known)
        return int(max((float(level) for level in levels), default=-1.0)) + 1


def cells_of(ensemble: Ensemble) -> list[FeatureCells]:
    """Cells of every feature."""
    features = ensemble.features
    found = []
    for j, (name, nodes) in enumerate(zip(features.names, split_nodes(ensemble), strict=True)):
        mine = nodes if features.categories[j] is None else nodes[:0]
        found.append(
            FeatureCells(
                name=name,
                # 0.0 merges −0.0 and 0.0, which compare equal
                thresholds=np.unique(ensemble.threshold[mine] + 0.0),
                levels=features.categories[j],
                hashes=features.hashes[j] if features.hashes else None,
                zero_is_missing=bool(features.zero_is_missing[j]),
                missing_routed=bool(features.missing_routed[j]),
                coded=bool(features.coded[j]),
            )
        )
    return found


def as_columns(cells: Sequence[FeatureCells], values: Sequence[Sequence[Value]]) -> list[NDArray[np.generic]]:
    """Rows, each with one value per feature, as columns that kernels take."""
    columns: list[NDArray[np.generic]] = []
    for j, feature in enumerate(cells):
        column = [row[j] for row in values]
        if feature.levels:
            codes = [-1 if value is None else feature.cell_of(value) for value in column]
            columns.append(np.array(codes, dtype=np.int32))
        elif feature.levels is not None:
            columns.append(np.zeros(len(column)))
        else:
            columns.append(np.array([np.nan if value is None else value for value in column], dtype=np.float64))
    return columns
