"""CellTable: value, spread, weight and H² of a tuple of features; Tuples: those whose tables are computed together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood._powers import times_power
from glasswood.explain.effects._cell_grid import CellGrid
from glasswood.results import weighted_mean

Array = NDArray[np.float64]

_GROUP_CELLS = 8_000_000  # cells of one call: enough for all threads, few enough to show progress


@dataclass(frozen=True, slots=True, eq=False)
class CellTable:
    """One tuple of features; arrays are (n_outputs, cells …)."""

    features: NDArray[np.int32]  # (degree,)
    value: Array
    spread: Array
    weight: Array
    baseline: Array  # (n_outputs,) weighted mean of value
    h2: Array  # (n_outputs,) NaN if it is not defined
    term_sd: Array  # (n_outputs,) NaN if it is not defined


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Numbers that describe a whole table, (n_tuples, n_outputs) each."""

    baseline: Array
    h2: Array
    term_sd: Array

    @classmethod
    def of_means(cls, baseline: Array) -> "Scores":
        """Scores of tables of which only the weighted mean is known."""
        unknown = np.full(baseline.shape, np.nan)
        return cls(baseline, unknown, unknown)


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Weights of the cells of some tables, and the scores that follow from them."""

    weight: Sequence[Array]  # (n_outputs, cells …) each
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class Tuples:
    """Tuples of features, with the grid and the number of threads for their tables."""

    grid: CellGrid
    features: NDArray[np.int32]  # (n_tuples, degree)
    n_threads: int

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, some: slice) -> "Tuples":
        return replace(self, features=self.features[some])

    @property
    def degree(self) -> int:
        """Number of features of a tuple."""
        return int(self.features.shape[1])

    @property
    def n_outputs(self) -> int:
        """Number of outputs of the model."""
        return self.grid.ensemble.n_outputs

    @property
    def n_cells(self) -> int:
        """Number of cells of all tables of one output."""
        return int(self.grid.n_cells(self.features).sum())

    def singles(self) -> "Tuples":
        """All features of the tuples as tuples of one."""
        return replace(self, features=np.unique(self.features).astype(np.int32).reshape(-1, 1))

    def groups(self) -> Iterator[slice]:
        """Tuples whose tables are computed in one call."""
        cells = self.grid.n_cells(self.features) * self.n_outputs
        first, total = 0, 0
        for i, n in enumerate(cells.tolist()):
            if total + n > _GROUP_CELLS and i > first:
                yield slice(first, i)
                first, total = i, 0
            total += n
        if len(cells):
            yield slice(first, len(cells))

    def zeros(self) -> Array:
        """Zeroed memory for all tables; numpy allocates it with large pages."""
        return np.zeros(self.n_cells * self.n_outputs)

    def empty(self) -> Array:
        """Memory for kernels that write every cell."""
        return np.empty(self.n_cells * self.n_outputs)

    def split(self, flat: Array) -> list[Array]:
        """Tables that follow each other, each as (n_outputs, cells …)."""
        return self.grid.split(flat, self.features, self.n_outputs)

    def tables(
        self, value: Sequence[Array], spread: Sequence[Array], weighed: Weighed, weight_power: int
    ) -> list[CellTable]:
        """Assemble tables, scaled back to the units of the model."""
        scores = weighed.scores
        power = self.grid.value_power
        parts = zip(
            self.features, value, spread, weighed.weight, scores.baseline, scores.h2, scores.term_sd, strict=True
        )
        tables = [CellTable(*part) for part in parts]
        return [_rescaled(table, power, weight_power) for table in tables] if power or weight_power else tables

    def margins(self, value: Sequence[Array], weight: Sequence[Array]) -> dict[int, Array]:
        """Effect of every feature, (n_outputs, cells), from its values and the weights of its cells."""
        base, power = means(value, weight), self.grid.value_power
        features = self.features[:, 0].tolist()
        return {f: times_power(v - b[:, None], power) for f, v, b in zip(features, value, base, strict=True)}


def means(value: Sequence[Array], weight: Sequence[Array]) -> Array:
    """Weighted mean of each table, (n_tuples, n_outputs)."""
    return np.array(
        [[weighted_mean(v, w) for v, w in zip(*both, strict=True)] for both in zip(value, weight, strict=True)]
    )


def no_spread(value: Sequence[Array]) -> list[Array]:
    """Spread for values without any."""
    return [np.broadcast_to(np.float64(np.nan), table.shape) for table in value]


def _rescaled(table: CellTable, power: int, weight_power: int) -> CellTable:
    return CellTable(
        features=table.features,
        value=times_power(table.value, power),
        spread=times_power(table.spread, power),
        weight=times_power(table.weight, weight_power),
        baseline=times_power(table.baseline, power),
        h2=table.h2,
        term_sd=times_power(table.term_sd, power),
    )
