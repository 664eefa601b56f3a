"""Request: the features, tuples and method that the caller asks for, checked and turned into positions."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice, feature_position, whole_number
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError, TableError, UnsupportedModelError
from glasswood.explain.effects._cell_grid import CellGrid

METHODS = ("interventional", "path", "observed", "shared", "leafmean", "treemind")
_NEED_ROWS = ("interventional", "observed")


def resolve_method(method: str, ensemble: Ensemble, has_rows: bool) -> str:
    """Name of the method, with `auto` resolved and its requirements checked."""
    check_choice("method", method, ("auto", *METHODS))
    if method == "auto":
        method = "interventional" if has_rows else "path"
    if method in _NEED_ROWS and not has_rows:
        raise TableError(f"method {method!r} averages over rows: pass X, or use method='path', which needs none")
    if method not in _NEED_ROWS and np.isnan(ensemble.weight).any():
        raise UnsupportedModelError(
            f"method {method!r} needs the training weight of every node and this model carries none; "
            "pass X and use method='interventional'"
        )
    return method


def resolve_features(features: Sequence[str | int] | None, ensemble: Ensemble) -> list[int]:
    """Positions of features given by name or position; all if None."""
    names = ensemble.feature_names
    if features is None:
        return list(range(len(names)))
    if isinstance(features, str) or not isinstance(features, Iterable):
        raise OptionError(f"features must be a list of names or positions, got {features!r}")
    found = [feature_position(name, names, from_end=True) for name in features]
    if not found:
        raise OptionError("features is empty; leave it out to ask for all")
    if len(set(found)) != len(found):
        raise OptionError(f"features names one twice: {list(features)!r}")
    return found


def resolve_tuples(
    features: Sequence[str | int] | None,
    pairs: Iterable[Sequence[str | int]] | None,
    degree: int,
    ensemble: Ensemble,
    max_cells: int,
) -> NDArray[np.int32]:
    """Tuples of features (n_tuples, degree): those in `pairs`, or all combinations of `features`."""
    degree = whole_number("degree", degree, 1)
    if degree == 1:
        raise OptionError("an interaction has at least 2 features, got degree=1; use effects for one")
    if pairs is None:
        chosen = resolve_features(features, ensemble)
        if degree > len(chosen):
            raise OptionError(f"degree={degree} needs as many features, there are {len(chosen)}")
        n_tables = math.comb(len(chosen), degree)
        if n_tables > max_cells:  # a table has at least one cell; listing all tuples would fill the memory
            raise OptionError(
                f"degree={degree} of {len(chosen)} features asks for {n_tables:,} tables, more than "
                f"max_cells={max_cells:,} cells; name the tuples with pairs=, or fewer features"
            )
        return np.array(list(combinations(chosen, degree)), dtype=np.int32).reshape(-1, degree)
    if features is not None:
        raise OptionError("pass features or pairs, not both")
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise OptionError(f"pairs must list tuples of {degree} features, got {pairs!r}")
    found: list[list[int]] = []
    for given in pairs:
        if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(given) != degree:
            raise OptionError(f"pairs must list tuples of {degree} features, found {given!r}")
        found.append(resolve_features(list(given), ensemble))
    if not found:
        raise OptionError("pairs is empty; leave it out to ask for all")
    if len({tuple(sorted(row)) for row in found}) != len(found):
        raise OptionError("pairs lists the same features twice")
    return np.array(found, dtype=np.int32).reshape(-1, degree)


def resolve_resolution(resolution: int, method: str, degree: int) -> int:
    """Largest number of intervals of a feature, if the method and the degree allow coarse cells."""
    if degree != 2:
        raise OptionError(f"resolution= makes coarse tables of pairs, got degree={degree}")
    if method != "interventional":
        raise OptionError(
            "resolution= averages exact partial dependence over rows: pass X with method='interventional', "
            f"not {method!r}"
        )
    return whole_number("resolution", resolution, 2)


def check_cells(grid: CellGrid, tuples: NDArray[np.int32], max_cells: int, resolution: int | None = None) -> None:
    """Refuse tables with too many cells in total before anything is computed."""
    size = grid.size if resolution is None else coarse_sizes(grid, resolution)
    cells = size[tuples].astype(np.float64).prod(axis=1) * grid.ensemble.n_outputs
    needed = float(cells.sum())
    if needed <= max_cells:
        return
    worst = tuples[int(np.argmax(cells))]
    names = ", ".join(f"{grid.cells[f].feature!r} ({size[f]:,})" for f in worst)
    coarser = (
        " pass X and resolution=32 for means over coarser cells," if resolution is None and len(worst) == 2 else ""
    )
    raise OptionError(
        f"{len(cells):,} table{'s' * (len(cells) > 1)} would need {needed:,.0f} cells, more than "
        f"max_cells={max_cells:,}; the largest is of {names} cells. Ask for fewer pairs with features= or pairs=,"
        f"{coarser} or raise max_cells (8 bytes a cell and array: {needed * 8 / 1e9:,.1f} GB)"
    )


def coarse_sizes(grid: CellGrid, resolution: int) -> NDArray[np.int64]:
    """Most cells of each feature once intervals are joined."""
    intervals = np.array([np.count_nonzero(~np.isnan(cells.upper)) for cells in grid.cells], dtype=np.int64)
    return grid.size - np.maximum(intervals - resolution, 0)
