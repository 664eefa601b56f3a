"""Encoded columns: what an encoder makes of each level of a column, of an unseen level, and of a missing value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label


@dataclass(frozen=True, slots=True)
class Fill:
    """What an imputer does to a column of levels."""

    wanted: Label | None  # the level it treats as missing; None if that is a missing value
    value: Label


@dataclass(frozen=True, slots=True, eq=False)
class EncodedColumn:
    """The numbers that an encoder gives for the levels of one column.

    The entries of `codes` are for the labels, then for any other level, then for a missing value.
    """

    labels: tuple[Label, ...]
    codes: NDArray[np.int64]  # (n_labels + 2,) row of `table`, or the number of the column that is 1; −1 for none
    table: NDArray[np.float64] | None  # (n_codes, n_out) values for a code; None for one-hot
    columns: NDArray[np.int64]  # one-hot: the code of each column
    fallback: NDArray[np.float64]  # (n_out,) values for code −1; empty for zeros
    unseen_refused: bool = False  # the encoder raises for unseen levels
    missing_refused: bool = False
    none_learnt: bool = False  # it knows None as a level that differs from NaN

    @property
    def n_out(self) -> int:
        """Number of columns that the encoder makes of this one."""
        return len(self.columns) if self.table is None else self.table.shape[1]

    def values(self, out: int) -> NDArray[np.float64]:
        """Number for each entry of `codes` in one of the columns."""
        if self.table is None:
            return np.asarray(self.codes == self.columns[out], dtype=np.float64)
        rest = self.fallback[out] if len(self.fallback) else 0.0
        return np.asarray(np.append(self.table[:, out], rest)[self.codes])

    def filled(self, fills: Sequence[Fill]) -> EncodedColumn:
        """The same encoder after imputers, the first one first."""
        if not fills:
            return self
        labels = tuple(dict.fromkeys((*self.labels, *(fill.wanted for fill in fills if fill.wanted is not None))))
        place: dict[Label | None, int] = {label: k for k, label in enumerate(self.labels)}
        place[None] = len(self.labels) + 1
        unseen = len(self.labels)

        def goes_to(label: Label | None) -> int:
            for fill in fills:
                label = fill.value if label == fill.wanted else label
            return place.get(label, unseen)

        missing = goes_to(None)
        take = [*(goes_to(label) for label in labels), unseen, missing]
        refused = self.missing_refused if missing == unseen + 1 else missing == unseen and self.unseen_refused
        return replace(self, labels=labels, codes=self.codes[take], missing_refused=refused)

    def at(self, labels: Sequence[Label], out: int) -> NDArray[np.float64]:
        """Numbers for a list of labels, for any other level, and for a missing value."""
        values = self.values(out)
        if labels is self.labels or tuple(labels) == self.labels:
            return values
        place = {label: k for k, label in enumerate(self.labels)}
        unseen = len(self.labels)
        return values[[*(place.get(label, unseen) for label in labels), unseen, unseen + 1]]
