"""Parity: compares raw and leaves of the ensemble with those of the library, row by row."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import OWN_TABLE, AlignedRows, Ensemble, LinkKind, Parity, align
from glasswood.errors import GlasswoodError, ParityError, ParityWarning, TableError, warn
from glasswood.readers._oracle import Oracle
from glasswood.tables import FrameKind, Table, by_rows, frame_kind, is_scipy_sparse, n_rows_of, pick_rows, take_rows

_CHUNK = 10_000  # rows compared at a time: leaf numbers of a thousand trees then take 40 MB
_CHUNK_NUMBERS = 1 << 23  # of a sparse table, because some libraries are asked with a dense copy: 64 MB
_PREDICTION = 1e-5  # relative tolerance after the link, which some libraries compute in float32

Why = Callable[[Table, AlignedRows, int], str]


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Rows that are compared together, aligned once for raw, its tolerance and the leaves."""

    part: Table
    aligned: AlignedRows
    start: int  # number of the first row
    why: Why

    def explained(self, row: int) -> str:
        return self.why(self.part, self.aligned, row)


def _unknown(rows: Table, aligned: AlignedRows, row: int) -> str:
    return "the model was not read right, or X is not what it was trained on"


def check_parity(
    ensemble: Ensemble,
    X: Table,
    ask: Callable[[Table], Oracle],
    *,
    max_rows: int | None = None,
    asked_with: str | None = None,
    why: Why = _unknown,
) -> Ensemble:
    """Add a parity certificate to `ensemble`, or raise `ParityError` that names the worst row.

    `ask` gets chunks of X and returns what the library predicts for them. `asked_with` is recorded in the certificate
    unless `ask` says something else; `why` explains a mismatch in a row.
    """
    total = n_rows_of(X)
    n_rows = total if max_rows is None else min(total, max_rows)
    if n_rows == 0:
        return ensemble  # without rows nothing can be checked
    largest, its_bound, leaves_equal, with_what = 0.0, 0.0, None, OWN_TABLE
    magnitude, notes = _magnitudes(ensemble), dict[str, None]()
    step = _CHUNK if not is_scipy_sparse(X) else max(1, min(_CHUNK, _CHUNK_NUMBERS // max(1, X.shape[1])))
    whole = X if n_rows <= step else by_rows(X)
    for start in range(0, n_rows, step):
        part = _rows(whole, start, min(start + step, n_rows), total)
        chunk = _Chunk(part, align(part, ensemble.features), start, why)
        oracle = _answer(ask, part, ensemble)
        notes.update(dict.fromkeys(oracle.notes))
        allowed = oracle.unit * magnitude._plan().predict_raw(chunk.aligned.data, 1)
        raw = ensemble._plan().predict_raw(chunk.aligned.data, 1)
        difference, bound = _check_raw(ensemble, raw, allowed, oracle, chunk)
        if difference >= largest:
            largest, its_bound = difference, bound
        if oracle.leaves is not None:
            _check_leaves(ensemble, oracle.leaves, chunk)
            leaves_equal = True
        if oracle.prediction is not None:
            _check_prediction(ensemble, raw, oracle.prediction, chunk)
        if oracle.asked_with != OWN_TABLE:
            with_what = oracle.asked_with
    for note in notes:
        warn(note, ParityWarning)
    parity = Parity(
        n_rows=n_rows,
        leaves_equal=leaves_equal,
        largest_difference=largest,
        bound=its_bound,
        asked_with=asked_with or with_what,
    )
    return ensemble._with_source(dataclasses.replace(ensemble.source, parity=parity))


def _answer(ask: Callable[[Table], Oracle], rows: Table, ensemble: Ensemble) -> Oracle:
    try:
        return ask(rows)
    except (GlasswoodError, ImportError):
        raise
    except Exception as error:
        # whatever the library raises for these rows, the caller gets one kind of error, with the library's message
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TableError(f"{ensemble.source.library}'s own predict failed on these rows: {said}") from error


def _rows(X: Table, start: int, stop: int, total: int) -> Table:
    """Rows of the caller's table; the table itself if it is one chunk."""
    if (start, stop) == (0, total):
        return X
    if start and frame_kind(X) is FrameKind.POLARS:
        return pick_rows(X, np.arange(start, stop))  # perpetual reads a slice from the beginning of its memory
    return take_rows(X, start, stop)


def _magnitudes(ensemble: Ensemble) -> Ensemble:
    """The same trees with absolute values: its raw is |baseline| + Σ|value of the leaf|."""
    return dataclasses.replace(ensemble, value=np.abs(ensemble.value), baseline=np.abs(ensemble.baseline))


def _check_raw(
    ensemble: Ensemble, ours: NDArray[np.float64], bound: NDArray[np.float64], oracle: Oracle, chunk: _Chunk
) -> tuple[float, float]:
    """Largest difference in raw, and its tolerance."""
    theirs, library = oracle.raw, ensemble.source.library
    if ours.shape != theirs.shape:
        raise ParityError(f"raw has shape {ours.shape}, {library} gives {theirs.shape}")
    difference = np.abs(ours - theirs)
    # written so that NaN on either side is a mismatch
    excess = np.where(difference <= bound, -1.0, np.where(np.isnan(difference), np.inf, difference - bound))
    if excess.size and excess.max() >= 0:
        row, output = np.unravel_index(np.argmax(excess), excess.shape)
        raise ParityError(
            f"row {chunk.start + row}, output {ensemble.outputs[output]!r}: glasswood reads raw "
            f"{float(ours[row, output])!r}, {library} predicts {float(theirs[row, output])!r}; "
            f"{chunk.explained(int(row))}"
        )
    if not difference.size:
        return 0.0, 0.0
    worst = np.unravel_index(np.argmax(difference), difference.shape)
    return float(difference[worst]), float(bound[worst])


def _check_leaves(ensemble: Ensemble, theirs: NDArray[np.int32], chunk: _Chunk) -> None:
    ours = ensemble._plan().apply(chunk.aligned.data, 1)
    if ours.shape != theirs.shape:
        raise ParityError(f"leaves have shape {ours.shape}, {ensemble.source.library} gives {theirs.shape}")
    if not np.array_equal(ours, theirs):
        row, tree = np.argwhere(ours != theirs)[0]
        raise ParityError(
            f"row {chunk.start + row} reaches leaf {ours[row, tree]} of tree {tree}, {ensemble.source.library} says "
            f"leaf {theirs[row, tree]}; {chunk.explained(int(row))}"
        )


def _check_prediction(ensemble: Ensemble, raw: NDArray[np.float64], theirs: NDArray[np.float64], chunk: _Chunk) -> None:
    """Compare the public prediction of the first rows with the inverse link of raw."""
    if ensemble.link.kind is LinkKind.NONE:
        return
    ours = ensemble.link.inverse(raw[: len(theirs)], objective=ensemble.source.objective)
    if ours.shape != theirs.shape:
        raise ParityError(f"the prediction has shape {ours.shape}, {ensemble.source.library} gives {theirs.shape}")
    # NaN on either side is a mismatch; equal infinities are not
    wrong = ~(np.isclose(ours, theirs, rtol=_PREDICTION * (1 + np.abs(raw[: len(theirs)])), atol=_PREDICTION))
    if np.any(wrong):
        row, output = np.argwhere(wrong)[0]
        raise ParityError(
            f"row {chunk.start + row}, output {ensemble.outputs[output]!r}: raw agrees, but glasswood predicts "
            f"{float(ours[row, output])!r} and {ensemble.source.library} {float(theirs[row, output])!r}: the link "
            f"{ensemble.link} is not how this model predicts"
        )
