"""Interactions panel: maps of what pairs do beyond their two effects, on the cells of the model, and a ranking."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.explain.effects import coarse_interactions, interactions, make_grid, purify
from glasswood.plots import merge_pair, total_pair
from glasswood.results import Interaction, Interactions, main_terms
from glasswood.web.page._budget import within
from glasswood.web.page._text import many, number, percent, rounded, scale_of, signed
from glasswood.web.panels._axis import Axis, axis_of
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._seen_values import Seen
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._terms import pair_usage, term_rows, terms_of

_MAX_PAIRS = 120  # tables that are computed
_MAX_TABLE_CELLS = 8_000_000  # of all tables together; a page draws far fewer
_MAX_LEAVES = 2_000_000  # of all pairs together; takes a few seconds
_MAX_CELLS = 32  # per side: single cells of a 32 × 32 map can still be pointed at
_BUDGET = 400_000  # bytes
_WIDE = 100  # from this number of features on, the curves get more of the page and the pairs less
_WIDE_BUDGET = 300_000
_ROUNDING = 1e-13  # of the largest value of a table; less is rounding
_MAX_RANKED = 60  # pairs in the list; a drawn pair is always in it


def build_interactions(subject: Subject) -> dict[str, Any]:
    """Build tables of the pairs that the most leaves use; on coarser cells if the model has too many of its own."""
    ensemble = subject.ensemble()
    tuples, leaves = pair_usage(subject)
    if not len(tuples):
        raise OptionError("no leaf of the model depends on two features together, so there is no interaction")
    shown = np.argsort(-leaves, kind="stable")[:_MAX_PAIRS]
    cells = make_grid(ensemble).n_cells(tuples[shown]).astype(np.float64) * ensemble.n_outputs
    if cells.sum() > _MAX_TABLE_CELLS or leaves[shown].sum() > _MAX_LEAVES:
        return _build_coarse(subject, len(tuples))
    pairs = tuples[shown].tolist()
    found = interactions(
        ensemble,
        subject.rows(),
        pairs=pairs,
        sample_weight=subject.sample_weight,
        max_cells=_MAX_TABLE_CELLS,
        n_jobs=subject.n_jobs,
        progress=subject.progress,
    )
    return interactions_data(found, ensemble, _some(len(pairs), len(tuples)), subject.seen(), subject.dates())


def _build_coarse(subject: Subject, n_pairs: int) -> dict[str, Any]:
    """Build means over quantile cells of the rows from the terms of the ledger."""
    found = coarse_interactions(terms_of(subject), _MAX_CELLS)
    least = min(float(np.min(table.kept)) for table in found.tables)
    coarse = (
        f"the model has too many cells to draw: each feature is cut into at most {_MAX_CELLS} cells at quantiles of "
        "the rows, and a cell shows the mean of the exact joint effect over its rows. What the means leave out is said "
        f"below each map; they keep at least {percent(least)} of the variance of a pair's exact term"
    )
    some = term_rows(subject)
    rows = "" if some is None else f"computed over {many(len(some), 'row')} of the table, evenly spaced"
    notes = [part for part in (_some(len(found), n_pairs), coarse, rows) if part]
    return interactions_data(found, subject.ensemble(), "; ".join(notes), subject.seen(), subject.dates())


def _some(n_shown: int, n_pairs: int) -> str:
    """Say how many pairs were computed if not all were."""
    return f"the {n_shown:,} of {n_pairs:,} pairs that the most leaves use were computed" if n_shown < n_pairs else ""


def interactions_data(
    ix: Interactions,
    ensemble: Ensemble,
    note: str = "",
    seen: Mapping[str, Seen] | None = None,
    dates: Collection[str] = (),
) -> dict[str, Any]:
    """Lay out the tables of pairs for the page, the strongest first, as many as fit.

    `note` says which pairs were computed if not all were; `seen` has the numbers in the rows, `dates` names the
    features that are dates.
    """
    seen = {} if seen is None else seen
    ranked = sorted(ix.tables, key=lambda table: -float(np.max(_size(table))))
    budget = _BUDGET if len(ensemble.features) < _WIDE else _WIDE_BUDGET
    tables = within((_table(table, seen, dates) for table in ranked), budget)
    notes = [note] if note else []
    if len(tables) < len(ranked):
        notes.append(f"the {len(tables)} strongest of {len(ranked)} pairs are drawn")
    return {
        "lead": "What two features do together beyond the sum of what each does alone: zero everywhere means that "
        "the model adds them up.",
        "method": ix.method,
        "unit": scale_of(ensemble.link),
        "measure": "strength: sd of the interaction",
        "outputs": list(ix.outputs),
        "ranking": [_rank(table, k < len(tables)) for k, table in enumerate(ranked[: max(_MAX_RANKED, len(tables))])],
        "tables": tables,
        "order": _orders(ranked[: len(tables)], len(ix.outputs)),
        "note": "; ".join(notes),
    }


def _size(table: Interaction) -> NDArray[np.float64]:
    """The number by which pairs are ranked, per output; the same as in Python and on the command line."""
    return np.atleast_1d(table.strength)


def _orders(drawn: Sequence[Interaction], n_outputs: int) -> list[list[int]]:
    """Positions of the drawn pairs, strongest first, per output."""
    size = np.array([_size(table) for table in drawn]).reshape(len(drawn), n_outputs)
    orders: list[list[int]] = np.argsort(-size, axis=0, kind="stable").T.tolist()
    return orders


def _rank(table: Interaction, drawn: bool) -> dict[str, Any]:
    size, h2 = _size(table), np.atleast_1d(table.h2)
    large = np.abs(table.value).reshape(-1, len(size)).max(axis=0, initial=0.0)
    told = np.where(size <= _ROUNDING * large, 0.0, size)  # two features that share no leaf
    return {
        "features": list(table.features),
        "size": [rounded(x) for x in size],
        "size_text": [number(x, 3) for x in told],
        "h2_text": [number(x, 3) for x in h2],
        "drawn": drawn,
    }


def _table(table: Interaction, seen: Mapping[str, Seen], dates: Collection[str]) -> dict[str, Any]:
    n = len(table.outputs)
    weight = table.weight.reshape(*table.weight.shape[:2], n)
    mass = weight.mean(axis=2)
    across, up = (
        axis_of(
            cells,
            mass.sum(axis=1 - d),
            most=_MAX_CELLS,
            seen=seen.get(cells.feature),
            is_date=cells.feature in dates,
        )
        for d, cells in enumerate(table.cells)
    )
    kept = np.ix_(across.kept, up.kept)
    held = total_pair(across.cells, up.cells, mass)
    # "missing" and "unseen" are drawn, and counted, only if they have rows
    size = " × ".join(f"{axis.cells.n_cells - axis.n_left_out:,}" for axis in (across, up))
    merged = across.cells.note or up.cells.note
    note = f"{size} cells drawn as {len(across.kept)} × {len(up.kept)}" if merged else f"{size} cells"
    return {
        "features": list(table.features),
        "across": across.to_dict(),
        "up": up.to_dict(),
        "weight": [rounded(x) for x in held[kept].ravel()],
        "outputs": [_output(table, o, across, up, weight[..., o], held) for o in range(n)],
        "note": note + _kept(table),
    }


def _kept(table: Interaction) -> str:
    """What means over coarse cells keep of the exact term, and what they leave out."""
    kept, left = (np.atleast_1d(part) for part in (table.kept, table.left_out))
    o = int(np.argmin(kept))
    if kept[o] == 1.0:
        return ""
    where = "" if len(kept) == 1 else f" for {table.outputs[o]}"
    return (
        f" at quantiles of the rows, which keep {percent(float(kept[o]))} of the variance of the exact term{where}; "
        f"what it does inside the cells has a sd of {number(float(left[o]), 3)}"
    )


def _output(
    table: Interaction, o: int, across: Axis, up: Axis, weight: NDArray[np.float64], held: NDArray[np.float64]
) -> dict[str, Any]:
    shape = (*table.weight.shape[:2], len(table.outputs))
    joint = merge_pair(across.cells, up.cells, table.effect.reshape(shape)[..., o], weight)
    # the merged table is decomposed: parts that were computed before merging would no longer add up
    mass = total_pair(across.cells, up.cells, weight)
    pure = purify(joint, mass)
    first, second = main_terms(joint, pure, mass)
    margins = first[across.kept], second[up.kept]
    tall = max(float(np.nanmax(np.abs(np.concatenate(margins)), initial=0.0)), 1e-300)
    kept = np.ix_(across.kept, up.kept)
    pure, joint, held = pure[kept], joint[kept], held[kept]
    return {
        "interaction": [_cell(x) for x in pure.ravel()],
        "joint": [_cell(x) for x in joint.ravel()],
        "reach": _reach(pure, held),
        "reach_joint": _reach(joint, held),
        "margins": [[rounded(x) for x in part] for part in margins],
        "margin_text": [[signed(x) for x in part] for part in margins],
        "margin_reach": rounded(tall),
    }


def _cell(value: float) -> float | None:
    """A number of the map with three digits, which are shown unchanged."""
    return float(f"{value:.3g}") + 0.0 if np.isfinite(value) else None


def _reach(shown: NDArray[np.float64], held: NDArray[np.float64]) -> dict[str, Any]:
    """The number that gets the full colour: the largest one among cells with rows."""
    size = np.abs(shown)
    for part in (size[np.isfinite(size) & (held > 0)], size[np.isfinite(size)]):
        if len(part) and part.max() > 0:
            top = float(part.max())
            return {"value": rounded(top), "text": number(top, 3)}
    return {"value": 1.0, "text": "0"}


INTERACTIONS = Panel("interactions", "Interactions", build_interactions, "panels/interactions.js")
