"""The caller's own table: it is given to the library unchanged, so that our reading of the table is checked too.

Only if the library refuses that object, it gets a frame with the columns in the model's order or, failing that, the
values that glasswood read; the certificate then says so (decision 0070).
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from glasswood.ensemble import VALUES_READ, AlignedRows, Ensemble
from glasswood.errors import GlasswoodError, ParityError
from glasswood.readers._library import first_line
from glasswood.readers._oracle import Oracle
from glasswood.readers._override import check_overrides, overridden
from glasswood.readers._reasons import reasons
from glasswood.readers._registry import Reader
from glasswood.tables import Table, dtypes_of, place_columns, take_rows

IN_ORDER = "the table with its columns in the model's order"
_UNKNOWN = "the model was not read right, or X is not what it was trained on"
_PREDICTED = 1_000  # rows of each chunk whose public prediction is compared; the link is the same for every row


def ask_object(reader: Reader, model: Any, ensemble: Ensemble, X: Table, names: Sequence[str] | None) -> Oracle:
    """Let the library predict the caller's table, or the closest form it accepts; `names` are its column names."""
    refusal = ""
    ordered = _in_model_order(X, names, ensemble)
    for rows in (X, ordered):
        if rows is None:
            continue
        try:
            oracle = reader.ask(model, ensemble, rows)
        except (GlasswoodError, ImportError):
            raise
        except BaseException as error:
            refusal = refusal or first_line(_refused(error))
            continue
        check_overrides(model, rows, ensemble.source.library)
        prediction = reader.predicted(model, ensemble, take_rows(rows, 0, _PREDICTED))
        return dataclasses.replace(
            oracle,
            prediction=oracle.prediction if prediction is None else prediction,
            asked_with=oracle.asked_with if rows is X else IN_ORDER,
        )
    return _ask_as_read(reader, model, ensemble, X, refusal)


def why_different(reader: Reader, model: Any, ensemble: Ensemble, X: Table, rows: AlignedRows, row: int) -> str:
    """Explain a mismatch: whether the trees or the table are read differently, and what in the table may cause it."""
    try:
        oracle = reader.ask_as_read(model, ensemble, X)
    except Exception:  # the mismatch is the error to report
        return _unknown(ensemble)
    ours = ensemble._plan().predict_raw(rows.data, 1)
    if ours.shape != oracle.raw.shape or not np.allclose(ours, oracle.raw, rtol=1e-4, atol=1e-9):
        return _unknown(ensemble)
    library = ensemble.source.library
    found = _reasons(ensemble, X, rows, row)
    return (
        f"the two agree on the values glasswood reads from the table, but {library} itself reads the table differently"
        + (f": {'; '.join(found)}" if found else "; give plain float64 numbers, or what the model was trained on")
    )


def why_file_differs(ensemble: Ensemble, X: Table, rows: AlignedRows, row: int) -> str:
    """What to say of a mismatch with the library's prediction for a file."""
    found = _reasons(ensemble, X, rows, row)
    return _UNKNOWN + (f": {'; '.join(found)}" if found else "")


def _unknown(ensemble: Ensemble) -> str:
    """What is known of the model may still name the cause, such as a level that scikit-learn reads differently."""
    return "; ".join([_UNKNOWN, *ensemble.source.notes])


def _reasons(ensemble: Ensemble, X: Table, rows: AlignedRows, row: int) -> list[str]:
    found = reasons(X, ensemble.features, rows, row, ensemble.source.library)
    if "Pipeline" in ensemble.source.model and "float32" in map(str.lower, dtypes_of(X)):
        found.insert(
            0,
            "the steps of a pipeline compute with columns of float32 in float32, and glasswood's thresholds are those "
            "of float64: give numbers as float64, with which the pipeline computes in float64 too",
        )
    return [*found, *ensemble.source.notes] if ensemble.features.coded.any() else found


def _ask_as_read(reader: Reader, model: Any, ensemble: Ensemble, X: Table, refusal: str) -> Oracle:
    library = ensemble.source.library
    oracle = reader.ask_as_read(model, ensemble, X)
    names = overridden(model)
    if names:
        raise ParityError(
            f"{type(model).__name__}.{names[0]} is not {library}'s own {names[0]} and cannot be compared with the "
            f"trees, because {library} refuses the table: {refusal}"
        )
    asked_with = f"{VALUES_READ}, because it refuses the table itself: {refusal}"
    return dataclasses.replace(oracle, asked_with=asked_with)


def _refused(error: BaseException) -> BaseException:
    """The error itself if it is a refusal; a panic of Rust code is not an Exception."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    return error


def _in_model_order(X: Table, names: Sequence[str] | None, ensemble: Ensemble) -> Table | None:
    """A frame with columns in the model's order; None if they already are, or if X is not a frame."""
    features = ensemble.features
    if names is None or not features.named:
        return None
    position = features.find([str(name) for name in names])
    order = [position[name] for name in features.names if name in position]
    if len(order) < len(features) or order == list(range(len(order))):
        return None
    return place_columns(X, order)
