"""Reader: pipelines and the shells around a model, read as one model of the caller's own columns."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers._oracle import Oracle
from glasswood.readers.pipelines import _ask
from glasswood.readers.pipelines._inner import inner_reader, read_inner
from glasswood.readers.pipelines._pipeline import final_step, read_pipeline
from glasswood.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """How one kind of shell is read and asked."""

    inside: Callable[[Any], Any]  # the model inside
    read: Callable[[Any, bytes | None], Ensemble]  # from what the library of the model inside wrote
    ask: Callable[[Any, Ensemble, Table], Oracle]
    state: Callable[[Any], Any]  # what the reading depends on beside the model inside


def _best(model: Any) -> Any:
    if not hasattr(model, "best_estimator_"):
        raise UnsupportedModelError(
            f"this {type(model).__name__} keeps no fitted model; call fit, with refit=True, and read it again"
        )
    return model.best_estimator_


def _read_search(model: Any, content: bytes | None) -> Ensemble:
    ensemble = read_inner(_best(model), content)
    chosen = ", ".join(f"{name}={value!r}" for name, value in model.best_params_.items())
    return _noted(ensemble, f"the best model of a {type(model).__name__}: {chosen}")


def _thresholded(model: Any) -> Any:
    if not hasattr(model, "estimator_"):
        raise UnsupportedModelError(f"this {type(model).__name__} is not fitted; call fit first")
    return model.estimator_


def _decides_at(model: Any) -> Any:
    return getattr(model, "best_threshold_", getattr(model, "threshold", "auto"))


def _read_thresholded(model: Any, content: bytes | None) -> Ensemble:
    note = f"a {type(model).__name__} decides between the classes at {_decides_at(model)}, which raw does not show"
    return _noted(read_inner(_thresholded(model), content), note)


def _noted(ensemble: Ensemble, note: str) -> Ensemble:
    source = dataclasses.replace(ensemble.source, notes=(*ensemble.source.notes, note))
    return ensemble._with_source(source)


def _ask_inside(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    inside = _kind(model).inside(model)
    return inner_reader(inside).ask(inside, read_inner(inside), X)


_SEARCH = _Kind(_best, _read_search, _ask_inside, lambda model: model.best_params_)
_THRESHOLD = _Kind(_thresholded, _read_thresholded, _ask_inside, _decides_at)
_PIPELINE = _Kind(final_step, read_pipeline, _ask.ask_pipeline, lambda model: model.steps[:-1])
# class of scikit-learn → kind
_KINDS = {
    "Pipeline": _PIPELINE,
    "BaseSearchCV": _SEARCH,
    "FixedThresholdClassifier": _THRESHOLD,
    "TunedThresholdClassifierCV": _THRESHOLD,
}


def written(model: Any) -> bytes:
    """The model inside, as its library writes it."""
    inside = _kind(model).inside(model)
    return inner_reader(inside).written(inside)


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the model inside and of what stands around it."""
    kind = _kind(model)
    inside = kind.inside(model)
    return digest(type(model), kind.state(model), inner_reader(inside).fingerprint(inside, content))


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a fitted pipeline or search."""
    return _kind(model).read(model, content)


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the table as it is."""
    return _kind(model).ask(model, ensemble, X)


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the values as glasswood reads them."""
    return _kind(model).ask(model, ensemble, _ask.table_as_read(ensemble, X))


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """What the whole model predicts for the table."""
    return _ask.predicted(model, ensemble, X)


def _kind(model: Any) -> _Kind:
    for cls in type(model).__mro__:
        if cls.__module__.partition(".")[0] == "sklearn" and cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
    raise UnsupportedModelError(f"scikit-learn's {type(model).__name__} is not read")
