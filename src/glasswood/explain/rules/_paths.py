"""PathCounts: the distinct paths of the trees of a forest, with the number of trees that contain each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import Ensemble, unpack_set
from glasswood.explain.rules._grid import RuleGrid
from glasswood.results import Condition


@dataclass(frozen=True, slots=True, eq=False)
class PathCounts:
    """Distinct paths as sets of cells; path p consists of regions `region[start[p] : start[p + 1]]`."""

    grid: RuleGrid
    n_trees: int
    native: _native.RulePaths
    region_feature: NDArray[np.int32]  # (n_regions,)
    region_start: NDArray[np.int64]  # (n_regions + 1,) words of each region
    region_bits: NDArray[np.uint64]  # bit c of a region: cell c is inside; the last cell is for missing values
    start: NDArray[np.int64]  # (n_paths + 1,)
    region: NDArray[np.int32]
    count: NDArray[np.int32]  # (n_paths,) number of trees that contain the path

    def choose(self, p0: float, max_rules: int, excluded: NDArray[np.bool_] | None = None) -> NDArray[np.int32]:
        """Paths in more than `p0` of the trees, most frequent first, without linear combinations of earlier ones."""
        left_out = np.zeros(len(self.count), dtype=bool) if excluded is None else excluded
        return _native.choose_paths(self.native, self.grid.cells, self.n_trees, p0, max_rules, left_out)

    def conditions(self, path: int) -> tuple[Condition, ...]:
        """Conditions of a path, in the order in which features are compared in ties."""
        return tuple(self._condition(r) for r in self.region[self.start[path] : self.start[path + 1]].tolist())

    def _condition(self, region: int) -> Condition:
        grid, f = self.grid, int(self.region_feature[region])
        words = self.region_bits[self.region_start[region] : self.region_start[region + 1]]
        held = np.flatnonzero(unpack_set(words))
        labels, cuts = grid.features.categories[f], grid.cuts[f]
        n_cells = len(grid.level_order[f]) if labels is not None else len(cuts) + 1
        missing, cells = bool(len(held) and held[-1] == n_cells), held[held < n_cells]
        name = grid.features.names[f]
        zero = bool(grid.features.zero_is_missing[f])
        if not len(cells):
            return Condition(feature=name, missing=True, present=False, zero_is_missing=zero)
        if labels is not None:
            levels = [labels[code] for code in sorted(grid.level_order[f][cells].tolist())]
            return Condition(feature=name, levels=tuple(levels) if len(cells) < n_cells else None, missing=missing)
        # a cut at −∞, which can be a value in the data, would read as no bound
        bounds = np.maximum(cuts, np.finfo(np.float64).min)
        return Condition(
            feature=name,
            lower=float(bounds[cells[0] - 1]) if cells[0] > 0 else -np.inf,
            upper=float(bounds[cells[-1]]) if cells[-1] < n_cells - 1 else np.inf,
            missing=missing,
            zero_is_missing=zero,
        )


def count_paths(ensemble: Ensemble, grid: RuleGrid, max_depth: int | None) -> PathCounts:
    """Count the paths of all nodes except roots, once per tree.

    A path is a set of conditions. Several conditions on one feature form one region, so their order does not matter
    (Bénard, Biau, Da Veiga, Scornet 2021, section 2).
    """
    native = _native.count_paths(
        grid.cells,
        tree_start=ensemble.tree_start,
        feature=ensemble.feature,
        left=ensemble.left,
        right=ensemble.right,
        cut=grid.cut,
        missing_left=ensemble.missing_left,
        category_set=ensemble.category_set,
        set_start=ensemble.set_start,
        set_bits=ensemble.set_bits,
        max_depth=max_depth,
    )
    arrays: dict[str, Any] = native.to_dict()
    return PathCounts(grid=grid, n_trees=ensemble.n_trees, native=native, **arrays)
