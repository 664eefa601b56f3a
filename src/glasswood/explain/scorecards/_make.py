"""scorecard: a model and rows → Scorecard."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_at_least, whole_number
from glasswood._exact import exact_column_means, exact_group_sums, exact_sum
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble, align
from glasswood.errors import OptionError, TableError
from glasswood.explain.effects import count_usage, effects, interactions, make_grid, purify
from glasswood.explain.scorecards._bands import band_starts
from glasswood.explain.scorecards._card_table import Bands, CardTable
from glasswood.explain.scorecards._scorecard import Fidelity, Scorecard
from glasswood.readers import as_ensemble
from glasswood.results import Cells, Interaction, main_terms
from glasswood.tables import Table, frame_kind, read_weight, replayable

_PAIRS = 10  # at most, if chosen by themselves
_PAIR_CELLS = 2_000_000  # tables of pairs with more cells are left out then
_SHARE = 0.001  # of the variance of raw; pairs that matter less are left out then
Floats = NDArray[np.float64]


def scorecard(
    model: Any,
    X: Table,
    *,
    pairs: str | Sequence[Sequence[str | int]] = "auto",
    max_bands: int | None = None,
    tolerance: float | None = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Scorecard:
    """Write a model as a baseline and tables of points: one for each feature, and for the pairs that matter.

    The points are the terms of exact partial dependence over the rows of X; those of pairs are purified, so that what
    belongs to one feature stands in its own table. A model whose trees use at most two features each is reproduced
    exactly if all its pairs have a table; of any other one, `fidelity` says how much is.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table
        Rows to average over.
    pairs : "auto" or list of pairs
        Pairs of features with a table of their own. ``"auto"``: of the ten pairs that most leaves use, those that carry
        at least a thousandth of the variance. ``()``: none.
    max_bands : int, optional
        Join neighbouring cells of a feature, or levels with similar points, to at most this many bands, with the least
        weighted sum of squares (found exactly). Missing and unseen have bands of their own.
    tolerance : float, optional
        No cell may differ by more than this from the points of its band; without `max_bands`, as few bands as possible.
    sample_weight : array, optional
        Weight of each row of X.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Scorecard

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 5.0])
    >>> card = gw.scorecard(tree, X)
    >>> card.baseline, card["x1"].points[:2, 0], card.fidelity.share
    (array([2.]), array([-1.5,  1.5]), array([1.]))
    >>> card.predict(X)
    array([0., 1., 2., 5.])
    """
    if max_bands is not None:
        max_bands = whole_number("max_bands", max_bands, 1)
    if tolerance is not None:
        check_at_least("tolerance", tolerance)
    n_threads = resolve_n_jobs(n_jobs)
    X = replayable(X)
    ensemble = as_ensemble(model, X)
    raw = ensemble._plan().predict_raw(align(X, ensemble.features).data, n_threads)
    if not len(raw):
        raise TableError("a scorecard needs rows: X has none")
    weight = read_weight(sample_weight, len(raw))
    shared: dict[str, Any] = {
        "method": "interventional", "sample_weight": sample_weight, "n_jobs": n_jobs, "progress": progress,
    }  # fmt: skip
    mean = exact_column_means(raw, () if weight is None else weight)
    cells = make_grid(ensemble).cells
    found = effects(ensemble, X, **shared)
    singles = []
    for own, effect in zip(cells, (found[j] for j in range(len(cells))), strict=True):
        value, mass = effect.value.reshape(len(own), -1) - mean, effect.weight.reshape(len(own), -1)[:, 0]
        singles.append(_Single(value, mass, _bands(own, value, mass, max_bands, tolerance)))
    chosen = _chosen(ensemble, pairs)
    joint = interactions(ensemble, X, pairs=chosen, **shared).tables if chosen else ()
    spread = exact_column_means((raw - mean) ** 2, () if weight is None else weight)
    least = _SHARE * spread if isinstance(pairs, str) else np.zeros_like(spread)
    baseline, tables = _added_up(ensemble, singles, joint, mean, least)
    card = Scorecard(
        baseline=baseline,
        tables=tables,
        fidelity=Fidelity(spread, spread, spread, 0),
        features=ensemble.features,
        cells=cells,
        outputs=ensemble.outputs,
        link=ensemble.link,
        objective=ensemble.source.objective,
        kind=frame_kind(X),
    )
    miss = raw - card.predict_raw(X).reshape(raw.shape)
    return replace(card, fidelity=_fidelity(miss, spread, weight))


@dataclass(frozen=True, slots=True, eq=False)
class _Single:
    """The term of one feature on its cells, and the bands that join them."""

    value: Floats  # (n_cells, n_outputs)
    weight: Floats  # (n_cells,)
    bands: Bands


def _added_up(
    ensemble: Ensemble, singles: Sequence[_Single], joint: Sequence[Interaction], mean: Floats, least: Floats
) -> tuple[Floats, tuple[CardTable, ...]]:
    """Baseline and tables; what a pair says about one feature goes to the table of that feature."""
    tables = [_joined(one.value, one.weight, (one.bands,)) for one in singles]
    doubles = []
    for table in joint:
        j, k = (ensemble.feature_names.index(name) for name in table.features)
        shape = (len(singles[j].value), len(singles[k].value), len(mean))
        beyond = table.value.reshape(shape) - mean - singles[j].value[:, None] - singles[k].value[None, :]
        bands = (singles[j].bands, singles[k].bands)
        value, mass = _joined(beyond, table.weight.reshape(*shape[:2], -1)[..., 0], bands)
        pure = np.stack([purify(value[..., o], mass) for o in range(len(mean))], axis=-1)
        if not np.any(exact_column_means(pure.reshape(-1, len(mean)) ** 2, mass.ravel()) >= least):
            continue
        for o in range(len(mean)):
            for at, term in zip((j, k), main_terms(value[..., o], pure[..., o], mass), strict=True):
                tables[at][0][:, o] += term
        doubles.append(CardTable(bands, pure, mass))
    baseline, made = mean.copy(), []
    for one, (value, mass) in zip(singles, tables, strict=True):
        middle = exact_column_means(value, mass)
        baseline += middle
        if len(one.bands) > 1:
            made.append(CardTable((one.bands,), value - middle, mass))
    return baseline, (*made, *doubles)


def _bands(cells: Cells, value: Floats, weight: Floats, max_bands: int | None, tolerance: float | None) -> Bands:
    """Bands of a feature; without limits every cell is one."""
    n = len(cells)
    own = np.arange(n)
    known = own[~cells.missing & ~cells.unseen]
    # a category that the model does not use has one cell, for all that it has never seen
    if (max_bands is None and tolerance is None) or not len(known):
        return Bands(cells, own)
    if cells.is_category:
        known = known[np.argsort(value[known, 0], kind="stable")]
    # cells without rows count a little, so that they join the nearest band
    faint = max(exact_sum(weight), 1.0) * 1e-9
    starts = band_starts(value[known], np.maximum(weight[known], faint), max_bands=max_bands, tolerance=tolerance)
    if not len(starts):
        fewest = band_starts(value[known], np.maximum(weight[known], faint), tolerance=tolerance)
        raise OptionError(
            f"feature {cells.feature!r} needs {len(fewest)} bands to stay within tolerance={tolerance:g}; "
            f"max_bands={max_bands} is too few"
        )
    of_cell = np.empty(n, dtype=np.int64)
    of_cell[known] = np.searchsorted(starts, np.arange(len(known)), side="right") - 1
    rest = own[cells.missing | cells.unseen]
    of_cell[rest] = len(starts) + np.arange(len(rest))
    return Bands(cells, of_cell)


def _joined(value: Floats, weight: Floats, bands: tuple[Bands, ...]) -> tuple[Floats, Floats]:
    """Weighted means and weights of bands, or pairs of bands; a band without rows has the plain mean of its cells."""
    shape = tuple(len(some) for some in bands)
    if shape == weight.shape and all(np.array_equal(some.of_cell, np.arange(len(some))) for some in bands):
        return value.copy(), weight.copy()
    at = np.ravel_multi_index(np.meshgrid(*(some.of_cell for some in bands), indexing="ij"), shape).ravel()
    n, flat, mass = int(np.prod(shape)), value.reshape(-1, value.shape[-1]), weight.ravel()
    total, count = exact_group_sums(at, mass, n), exact_group_sums(at, np.ones(len(at)), n)
    found = np.empty((n, value.shape[-1]))
    for o, column in enumerate(flat.T):
        plain, weighted = exact_group_sums(at, column, n) / count, exact_group_sums(at, column * mass, n)
        found[:, o] = np.where(total > 0, weighted / np.where(total > 0, total, 1.0), plain)
    return found.reshape(*shape, -1), total.reshape(shape)


def _chosen(ensemble: Ensemble, pairs: str | Sequence[Sequence[str | int]]) -> list[Sequence[str | int]]:
    """Pairs that may get a table."""
    if isinstance(pairs, str):
        if pairs != "auto":
            raise OptionError(f"pairs must be 'auto' or a list of pairs; got {pairs!r}")
        used, n_leaves = count_usage(ensemble, 2)
        order = np.argsort(-n_leaves, kind="stable")
        found = used[order[n_leaves[order] > 0]]
        fits = make_grid(ensemble).n_cells(found) * ensemble.n_outputs <= _PAIR_CELLS
        few: list[Sequence[str | int]] = found[fits][:_PAIRS].tolist()
        return few
    if not isinstance(pairs, Iterable):
        raise OptionError(f"pairs must be 'auto' or a list of pairs; got {pairs!r}")
    return list(pairs)


def _fidelity(miss: Floats, spread: Floats, weight: Floats | None) -> Fidelity:
    given = () if weight is None else weight
    centred = exact_column_means((miss - exact_column_means(miss, given)) ** 2, given)
    share = np.where(spread > 0, 1.0 - centred / np.where(spread > 0, spread, 1.0), 1.0)
    counts = np.ones(len(miss), dtype=bool) if weight is None else weight > 0
    largest = np.abs(miss[counts]).max(axis=0) if counts.any() else np.zeros(len(spread))
    return Fidelity(share, np.sqrt(exact_column_means(miss**2, given)), largest, len(miss))
