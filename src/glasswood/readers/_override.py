"""Overrides: prediction methods that a user's subclass defines instead of those of the library."""

from collections.abc import Callable
from typing import Any

import numpy as np

from glasswood.errors import ParityError
from glasswood.tables import Table

_METHODS = ("predict", "predict_proba", "decision_function")
_ADVICE = "glasswood reads the trees, so it would explain another model; read an object of the library's own class"
_ROUNDING = 1e-9  # forests add their trees in the order in which threads finish


def library_method(model: Any, name: str) -> Callable[..., Any]:
    """The method of the library's class, even if a subclass overrides it."""
    owner = _library_class(model, name)
    method: Callable[..., Any] = (
        getattr(model, name) if owner is None else vars(owner)[name].__get__(model, type(model))
    )
    return method


def overridden(model: Any) -> tuple[str, ...]:
    """Names of the prediction methods that a subclass overrides."""
    return tuple(name for name in _METHODS if _is_overridden(model, name))


def check_overrides(model: Any, rows: Table, library: str, start: int = 0) -> None:
    """Raise `ParityError` if an override returns something else than the method it replaces."""
    for name in overridden(model):
        what = f"{type(model).__name__}.{name} is not {library}'s own {name}"
        try:
            own = _parts(getattr(model, name)(_kept(rows)))
            trees = _parts(library_method(model, name)(_kept(rows)))
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise ParityError(f"{what} and could not be compared with the trees ({said}); {_ADVICE}") from error
        row = _first_difference(own, trees)
        if row is not None:
            raise ParityError(f"{what}: in row {start + row} its answer is not that of the trees; {_ADVICE}")


def _is_overridden(model: Any, name: str) -> bool:
    own = _library_class(model, name)
    nearest = next((cls for cls in type(model).__mro__ if name in vars(cls)), None)
    if own is None or (own is nearest and name not in getattr(model, "__dict__", {})):
        return False
    try:
        library_method(model, name)
    except AttributeError:  # the library's class does not offer it for this model
        return False
    return True


def _library_class(model: Any, name: str) -> type | None:
    """The nearest class of the library that defines the method."""
    package = _package(model)
    return next((cls for cls in type(model).__mro__ if name in vars(cls) and _top(cls) == package), None)


def _package(model: Any) -> str:
    """Top-level package of the nearest class that belongs to a supported library."""
    for cls in type(model).__mro__:
        if _top(cls) in ("catboost", "glasswood", "lightgbm", "perpetual", "sklearn", "xgboost"):
            return _top(cls)
    return ""


def _top(cls: type) -> str:
    return cls.__module__.partition(".")[0]


def _kept(rows: Table) -> Table:
    """A copy of an array, because perpetual writes category codes into its input."""
    return rows.copy() if isinstance(rows, np.ndarray) else rows


def _parts(answer: Any) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(part) for part in (answer if isinstance(answer, list) else [answer])]


def _first_difference(own: list[np.ndarray[Any, Any]], trees: list[np.ndarray[Any, Any]]) -> int | None:
    """First row in which two answers differ; None if they are equal."""
    if len(own) != len(trees):
        return 0
    for mine, theirs in zip(own, trees, strict=True):
        if mine.shape != theirs.shape:
            return 0
        if mine.dtype.kind == "f" and theirs.dtype.kind == "f":
            size = np.abs(theirs).max(initial=0.0, where=np.isfinite(theirs))
            differs = ~np.isclose(mine, theirs, rtol=_ROUNDING, atol=_ROUNDING * size, equal_nan=True)
        else:
            differs = mine != theirs
        if np.any(differs):
            return int(np.argmax(differs.reshape(len(differs), -1).any(axis=1)))
    return None
