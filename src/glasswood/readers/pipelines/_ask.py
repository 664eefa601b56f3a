"""Ask scikit-learn: what the whole pipeline predicts for the caller's own table."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.readers._oracle import Oracle
from glasswood.readers._override import library_method
from glasswood.readers.pipelines._inner import inner_reader, read_inner
from glasswood.readers.pipelines._steps import as_fitted, flat_steps, transformed
from glasswood.readers.pipelines._table_as_read import decoded_table
from glasswood.tables import Table, read_table

_PIECE_NUMBERS = 1 << 22  # 32 MB


def ask_pipeline(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let the steps transform the table and the last step predict; its raw and leaves are compared."""
    rows, asked_with = rows_for(model, ensemble, X)
    *steps, last = flat_steps(model)
    rows = transformed(steps, rows)
    inner = read_inner(last)
    # only XGBoost distinguishes zeros from values that are not stored
    if hasattr(rows, "toarray") and inner.source.library != "XGBoost":
        oracle = _ask_in_pieces(last, inner, rows.tocsr())
    else:
        oracle = inner_reader(last).ask(last, inner, rows)
    return oracle if asked_with is None else dataclasses.replace(oracle, asked_with=asked_with)


def _ask_in_pieces(last: Any, inner: Ensemble, rows: Any) -> Oracle:
    """Ask with dense copies of a few rows of a sparse table at a time: encoded levels and words have many columns."""
    step = max(1, _PIECE_NUMBERS // max(1, rows.shape[1]))
    starts = range(0, max(1, rows.shape[0]), step)
    first, *others = [inner_reader(last).ask(last, inner, rows[at : at + step].toarray()) for at in starts]
    if not others:
        return first
    leaves = None if first.leaves is None else np.concatenate([first.leaves, *(part.leaves for part in others)])
    raw = np.concatenate([first.raw, *(part.raw for part in others)])
    return dataclasses.replace(first, raw=raw, leaves=leaves)


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """What the whole model predicts, (n_rows, n_outputs); None if it predicts only classes."""
    rows, _ = rows_for(model, ensemble, X)
    if hasattr(model, "predict_proba"):
        answer = library_method(model, "predict_proba")(rows)
        if isinstance(answer, list):  # several targets
            return None
        shares = np.asarray(answer, dtype=np.float64)
        return shares[:, 1:] if ensemble.n_outputs == 1 and shares.shape[1] == 2 else shares
    if hasattr(model, "classes_"):
        return None
    answer = np.asarray(library_method(model, "predict")(rows))
    return answer.astype(np.float64).reshape(len(answer), ensemble.n_outputs) if answer.dtype.kind in "fiu" else None


def rows_for(model: Any, ensemble: Ensemble, X: Table) -> tuple[Any, str | None]:
    """The table in the form in which the model was fitted."""
    steps = getattr(ensemble.features.derivation, "steps", ())
    return as_fitted(steps, getattr(model, "feature_names_in_", None), X)


def table_as_read(ensemble: Ensemble, X: Table) -> Any:
    """The values that glasswood reads, in a form that scikit-learn accepts."""
    features = ensemble.features
    names = features.names if features.named else None
    return decoded_table(read_table(X), names if features.derivation is None else features.derivation.columns)
