"""read: any supported model → Ensemble, checked against its library if rows are given."""

import dataclasses
import os
from pathlib import Path
from typing import Any

from glasswood.ensemble import (
    NOT_CHECKED,
    VALUES_READ,
    Ensemble,
    align,
    is_glasswood,
    is_glasswood_json,
    loads,
    loads_json,
)
from glasswood.errors import ModelFileError, ParityWarning, UnsupportedModelError, warn
from glasswood.readers._foreign import foreign_folder
from glasswood.readers._levels import name_levels
from glasswood.readers._library import CannotAskError, library_process
from glasswood.readers._memory import Known, recall, remember
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers._override import check_overrides, overridden
from glasswood.readers._own_table import ask_object, why_different, why_file_differs
from glasswood.readers._parity import check_parity
from glasswood.readers._registry import file_reader_of, reader_of
from glasswood.tables import Table, names_and_dtypes, replayable, take_rows

_PARITY_ROWS = 1_000  # rows that an explanation checks before it uses a model


def read(model: Any, X: Table | None = None) -> Ensemble:
    """Read a tree model exactly; with X, check it against its library.

    Parameters
    ----------
    model : fitted estimator, Ensemble, or path
        A fitted tree model of a supported library, or one of its files.
    X : table, optional
        Rows for the check: leaves and raw are compared with the library's own prediction, and the certificate is kept
        in ``source.parity``. An Ensemble and glasswood's own models and files have no other library: only the columns
        of X are checked.

    Returns
    -------
    Ensemble

    Raises
    ------
    ParityError
        The library predicts something else; the message names the worst row.
    UnsupportedModelError
        The model cannot be read exactly.
    TableError
        X does not have the columns of the model.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> gw.read(forest, X).source.parity.leaves_equal
    True
    """
    return _read(model, X, None)


def as_ensemble(model: Any, X: Table | None = None) -> Ensemble:
    """Read a model for an explanation; it is checked on up to 1,000 rows, once per kind of table."""
    return _read(model, X, _PARITY_ROWS)


def _read(model: Any, X: Table | None, max_rows: int | None) -> Ensemble:
    X = replayable(X)  # the rows are read twice: by the library and by us
    if isinstance(model, Ensemble):
        return _fitting(model, X, max_rows)
    if isinstance(model, str | os.PathLike):
        return _read_file(Path(model), X, max_rows)
    if _is_own(model):
        return _fitting(_own(model, X), X, max_rows)
    return _read_object(model, X, max_rows)


def _read_object(model: Any, X: Table | None, max_rows: int | None) -> Ensemble:
    """Read and check a model of a library, or recall it from memory; `max_rows` None checks every time."""
    reader = reader_of(model)
    # computed before the model is read: if the model changes meanwhile, it is read again next time
    content = reader.written(model)
    known = recall(model, fingerprint := reader.fingerprint(model, content))
    if known is None:
        known = remember(model, Known(fingerprint, reader.read_model(model, content)))
    ensemble = known.ensemble
    if X is None:
        return ensemble
    names, dtypes = names_and_dtypes(X)
    kind = type(X), names, dtypes  # what decides how a library reads a table
    answers_itself = bool(overridden(model))  # an override is code that the fingerprint does not cover
    if max_rows is None or answers_itself or kind not in known.proofs:
        try:
            checked = check_parity(
                ensemble,
                X,
                lambda rows: ask_object(reader, model, ensemble, rows, names),
                max_rows=max_rows,
                why=lambda rows, aligned, row: why_different(reader, model, ensemble, rows, aligned, row),
            )
        except CannotAskError as error:  # onnxruntime, which is asked in a process of its own
            return _not_checked(ensemble, f"the {type(model).__name__}", str(error))
        if checked.source.parity == NOT_CHECKED:  # without rows nothing is checked
            return name_levels(checked, X)
        known = remember(model, known.proved(kind, checked))
    return _named(model, known, name_levels(known.proofs[kind], X))


def _named(model: Any, known: Known, ensemble: Ensemble) -> Ensemble:
    """The last ensemble if it has the same labels, with its derived values; otherwise this one, which is kept."""
    last = known.named
    if last is not None and (last.features, last.source) == (ensemble.features, ensemble.source):
        return last
    remember(model, dataclasses.replace(known, named=ensemble))
    return ensemble


def _is_own(model: Any) -> bool:
    return any(cls.__module__.partition(".")[0] == "glasswood" for cls in type(model).__mro__)


def _own(model: Any, X: Table | None) -> Ensemble:
    """Ensemble of one of our own estimators, which predicts with it; only overrides need a check."""
    ensemble = getattr(model, "ensemble_", None)
    if not isinstance(ensemble, Ensemble):
        raise not_fitted(model)
    names = overridden(model)
    if names and X is None:
        raise UnsupportedModelError(
            f"{type(model).__name__}.{names[0]} is not glasswood's own {names[0]}, so its answers may not be those of "
            "the trees; pass X to compare them, or read model.ensemble_"
        )
    if names:
        check_overrides(model, X, "glasswood")
    return ensemble


def _fitting(ensemble: Ensemble, X: Table | None, max_rows: int | None) -> Ensemble:
    """The ensemble, if X has its columns; an explanation, which limits the rows, aligns all of X itself."""
    if X is not None and max_rows is None:
        align(take_rows(X, 0, 1), ensemble.features)
    return ensemble


def _read_file(path: Path, X: Table | None, max_rows: int | None) -> Ensemble:
    if path.is_dir():
        raise ModelFileError(f"{path}: this is {foreign_folder(path)}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path}: {error.strerror}") from error
    if is_glasswood(content):
        return _fitting(loads(content, str(path)), X, max_rows)  # with the certificate it was saved with
    if is_glasswood_json(content):
        return _fitting(loads_json(content, str(path)), X, max_rows)
    reader = file_reader_of(content, str(path))
    ensemble = parsed = reader.read_file(content, str(path))
    if X is None:
        return ensemble
    try:
        with library_process(reader.__name__, content, ensemble) as ask:
            ensemble = check_parity(
                ensemble,
                X,
                ask,
                max_rows=max_rows,
                asked_with=VALUES_READ,
                why=lambda rows, aligned, row: why_file_differs(parsed, rows, aligned, row),
            )
    except CannotAskError as error:
        ensemble = _not_checked(ensemble, str(path), str(error))
    return name_levels(ensemble, X)


def _not_checked(ensemble: Ensemble, what: str, reason: str) -> Ensemble:
    warn(f"{what} was read but not checked: {reason}", ParityWarning)
    return ensemble._with_source(dataclasses.replace(ensemble.source, unchecked=reason))
