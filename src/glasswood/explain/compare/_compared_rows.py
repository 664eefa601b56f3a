"""ComparedRows: raw of two models over some rows, from which they are compared part by part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, align
from glasswood.errors import TableError
from glasswood.explain._parts import Parts, part_means, part_sum
from glasswood.explain._target import TargetRows
from glasswood.explain.compare._agreement import Floats, Losses, changed_class, loss_name, quantiles, row_losses
from glasswood.explain.compare._model_columns import columns_for
from glasswood.tables import Table, read_weight

_ROWS = 10  # shown at most


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRows:
    """All rows or a part of them."""

    raws: tuple[Floats, Floats]  # (n_rows, n_outputs) of both models
    same_order: Floats  # raw of the second with the outputs in the order of the first
    moved: Floats  # (n_rows, n_outputs) raw of the first minus raw of the second
    weight: Floats  # (n_rows,)
    losses: tuple[Floats, ...]  # (n_rows,) of both models; empty without a target
    changed: NDArray[np.bool_] | None  # whether the predicted class differs


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What is known from the rows alone."""

    n_rows: int
    correlation: Floats
    mean: Floats
    sd: Floats
    quantiles: Floats
    class_changes: float | None
    loss: Losses | None
    rows: NDArray[np.int64]  # with the largest difference
    row_raw: Floats  # (2, n_shown, n_outputs)


def agreement_of(parts: Parts, models: tuple[Ensemble, Ensemble], n_outputs: int, *, with_loss: bool) -> Agreement:
    """Compare the raws of rows in parts, which are `ComparedRows`; the result does not depend on the cut."""
    n_rows = parts.ask(_n_rows)
    if not sum(n_rows):
        raise TableError("compare needs rows: X has none")
    total = part_sum(parts, _weight)
    if not total > 0:
        raise TableError("sample_weight is 0 in every row")
    mean = part_means(parts, _moved)
    rows, row_raw = _largest(parts, n_rows)
    changes = parts.ask(_has_changes)
    return Agreement(
        n_rows=sum(n_rows),
        correlation=_correlations(parts),
        mean=mean,
        sd=np.sqrt(part_means(parts, partial(_squares, of=_moved, mean=mean))),
        quantiles=np.column_stack([_quantiles(parts, o) for o in range(n_outputs)]),
        class_changes=float(part_means(parts, _changes)[0]) if all(changes) else None,
        loss=_losses(parts, models, total) if with_loss else None,
        rows=rows,
        row_raw=row_raw,
    )


def compared_rows(
    change: Ensemble,
    models: tuple[Ensemble, Ensemble],
    X: Table,
    targets: Sequence[TargetRows],
    sample_weight: Any,
    n_threads: int,
) -> ComparedRows:
    """Raw of both models and of their difference over some rows; `targets` for each model, or none."""
    one, other = (_raw(model, columns_for(X, model.features), n_threads) for model in models)
    moved = _raw(change, columns_for(X, change.features), n_threads)
    weight = read_weight(sample_weight, len(moved))
    order = slice(None) if change.n_outputs == 1 else [models[1].outputs.index(o) for o in change.outputs]
    return ComparedRows(
        raws=(one, other),
        same_order=other[:, order],
        moved=moved,
        weight=np.ones(len(moved)) if weight is None else weight,
        losses=tuple(row_losses(*each) for each in zip(models, (one, other), targets, strict=True)) if targets else (),
        changed=changed_class(*models, (one, other)),
    )


def _raw(model: Ensemble, X: Table, n_threads: int) -> Floats:
    return model._plan().predict_raw(align(X, model.features).data, n_threads)


def _n_rows(rows: ComparedRows) -> int:
    return len(rows.moved)


def _weight(rows: ComparedRows) -> Floats:
    return rows.weight


def _first(rows: ComparedRows) -> tuple[Floats, Floats]:
    return rows.raws[0].T, rows.weight


def _second(rows: ComparedRows) -> tuple[Floats, Floats]:
    return rows.same_order.T, rows.weight


def _moved(rows: ComparedRows) -> tuple[Floats, Floats]:
    return rows.moved.T, rows.weight


def _squares(
    rows: ComparedRows, *, of: Callable[[ComparedRows], tuple[Floats, Floats]], mean: Floats
) -> tuple[Floats, Floats]:
    values, weight = of(rows)
    return (values - mean[:, None]) ** 2, weight


def _products(rows: ComparedRows, *, means: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    one, other = (part[0] - mean[:, None] for part, mean in zip((_first(rows), _second(rows)), means, strict=True))
    return one * other, rows.weight


def _correlations(parts: Parts) -> Floats:
    """Correlation of each output; NaN if it is constant in one model."""
    means = part_means(parts, _first), part_means(parts, _second)
    both = part_means(parts, partial(_products, means=means))
    squares = [
        part_means(parts, partial(_squares, of=of, mean=mean))
        for of, mean in zip((_first, _second), means, strict=True)
    ]
    spread = np.sqrt(squares[0] * squares[1])
    found: Floats = np.divide(both, spread, out=np.full(len(both), np.nan), where=spread > 0)
    return found


def _quantiles(parts: Parts, output: int) -> Floats:
    """Quantiles of one output; its difference in every row and the weights are brought together, 16 bytes per row."""
    found = parts.ask(_column, output)
    values, weight = (np.concatenate([part[i] for part in found]) for i in (0, 1))
    return quantiles(values[:, None], weight)[:, 0]


def _column(rows: ComparedRows, output: int) -> tuple[Floats, Floats]:
    return rows.moved[:, output], rows.weight


def _has_changes(rows: ComparedRows) -> bool:
    return rows.changed is not None


def _changes(rows: ComparedRows) -> tuple[Floats, Floats]:
    assert rows.changed is not None
    return rows.changed.astype(np.float64)[None], rows.weight


def _losses(parts: Parts, models: tuple[Ensemble, Ensemble], total: float) -> Losses:
    name = loss_name(*models)
    first, second, mean = part_means(parts, _each_loss).tolist()
    squares = part_sum(parts, partial(_loss_squares, mean=mean))
    return Losses(name, first, second, mean, float(np.sqrt(squares)) / total)


def _each_loss(rows: ComparedRows) -> tuple[Floats, Floats]:
    one, other = rows.losses
    return np.stack([one, other, one - other]), rows.weight


def _loss_squares(rows: ComparedRows, *, mean: float) -> Floats:
    one, other = rows.losses
    return np.asarray((rows.weight * (one - other - mean)) ** 2)


def _largest(parts: Parts, n_rows: list[int]) -> tuple[NDArray[np.int64], Floats]:
    """Rows with the largest difference, largest first, and raw of both models there."""
    found = parts.ask(_largest_of_part)
    before = np.cumsum([0, *n_rows[:-1]])
    row = np.concatenate([part[0] + first for part, first in zip(found, before, strict=True)])
    size, raw = np.concatenate([part[1] for part in found]), np.concatenate([part[2] for part in found], axis=1)
    order = np.argsort(-size, kind="stable")[:_ROWS]
    return row[order], raw[:, order]


def _largest_of_part(rows: ComparedRows) -> tuple[NDArray[np.int64], Floats, Floats]:
    size = np.where(rows.weight > 0, np.abs(rows.moved).max(axis=1), -1.0)
    order = np.argsort(-size, kind="stable")[:_ROWS]
    return order, size[order], np.stack([rows.raws[0][order], rows.same_order[order]])
