"""Parity: the ensemble's raw and leaves against the library's own, row by row."""

import dataclasses
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, Parity
from glasswood.errors import GlasswoodError, ParityError, ParityWarning, TableError
from glasswood.readers._oracle import Oracle
from glasswood.tables import Table, n_rows_of, take_rows

_CHUNK = 10_000  # rows compared at once: leaf numbers of a thousand trees then take 40 MB


def check_parity(
    ensemble: Ensemble, X: Table, ask: Callable[[Table], Oracle], *, max_rows: int | None = None, stacklevel: int = 4
) -> Ensemble:
    """Give `ensemble` a parity certificate, or raise `ParityError` naming the worst row.

    `ask` is called with chunks of X and answers with what the library predicts for them.
    """
    total = n_rows_of(X)
    n_rows = total if max_rows is None else min(total, max_rows)
    if n_rows == 0:
        return ensemble  # no rows, no proof
    largest, its_bound, leaves_equal = 0.0, 0.0, None
    magnitude, notes = _magnitudes(ensemble), dict[str, None]()
    for start in range(0, n_rows, _CHUNK):
        part = take_rows(X, start, min(start + _CHUNK, n_rows))
        oracle = _answer(ask, part, ensemble)
        notes.update(dict.fromkeys(oracle.notes))
        difference, bound = _check_raw(ensemble, magnitude, part, oracle, start)
        if difference >= largest:
            largest, its_bound = difference, bound
        if oracle.leaves is not None:
            _check_leaves(ensemble, part, oracle.leaves, start)
            leaves_equal = True
    for note in notes:
        warnings.warn(note, ParityWarning, stacklevel=stacklevel)  # the line that calls read
    parity = Parity(n_rows=n_rows, leaves_equal=leaves_equal, largest_difference=largest, bound=its_bound)
    return dataclasses.replace(ensemble, source=dataclasses.replace(ensemble.source, parity=parity))


def _answer(ask: Callable[[Table], Oracle], rows: Table, ensemble: Ensemble) -> Oracle:
    try:
        return ask(rows)
    except (GlasswoodError, ImportError):
        raise
    except Exception as error:
        # whatever a library throws at rows it does not take, the caller gets one kind of error, with its words
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TableError(f"{ensemble.source.library} itself refuses these rows: {said}") from error


def _magnitudes(ensemble: Ensemble) -> Ensemble:
    """The same trees with absolute values: its raw is |baseline| + Σ|value of the leaf|."""
    return dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))


def _check_raw(ensemble: Ensemble, magnitude: Ensemble, X: Table, oracle: Oracle, offset: int) -> tuple[float, float]:
    """Largest difference in raw and the bound it was held to."""
    ours = _two_dimensional(ensemble.predict_raw(X))
    theirs = oracle.raw
    if ours.shape != theirs.shape:
        raise ParityError(f"raw has shape {ours.shape}, {ensemble.source.library} gives {theirs.shape}")
    bound = oracle.unit * _two_dimensional(magnitude.predict_raw(X))
    difference = np.abs(ours - theirs)
    # a NaN on either side is a mismatch: the comparison is written so that it fails
    excess = np.where(difference <= bound, -1.0, np.where(np.isnan(difference), np.inf, difference - bound))
    if excess.size and excess.max() >= 0:
        row, output = np.unravel_index(np.argmax(excess), excess.shape)
        raise ParityError(
            f"row {offset + row}, output {ensemble.outputs[output]!r}: glasswood reads raw "
            f"{float(ours[row, output])!r}, {ensemble.source.library} predicts {float(theirs[row, output])!r}; "
            "the model was not read right, "
            "or X is not what it was trained on"
        )
    if not difference.size:
        return 0.0, 0.0
    worst = np.unravel_index(np.argmax(difference), difference.shape)
    return float(difference[worst]), float(bound[worst])


def _check_leaves(ensemble: Ensemble, X: Table, theirs: NDArray[np.int32], offset: int) -> None:
    ours = ensemble.apply(X)
    if ours.shape != theirs.shape:
        raise ParityError(f"leaves have shape {ours.shape}, {ensemble.source.library} gives {theirs.shape}")
    if not np.array_equal(ours, theirs):
        row, tree = np.argwhere(ours != theirs)[0]
        raise ParityError(
            f"row {offset + row} reaches leaf {ours[row, tree]} of tree {tree}, "
            f"{ensemble.source.library} says leaf {theirs[row, tree]}"
        )


def _two_dimensional(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    return raw.reshape(len(raw), -1)
