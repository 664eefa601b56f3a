"""Meta-estimators around one model: a search, a threshold, a calibration or a transformed target."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import LOG, Ensemble, LinkKind
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers.pipelines._ask import predicted
from glasswood.readers.pipelines._inner import inner_reader, read_inner
from glasswood.readers.pipelines._kind import Kind
from glasswood.tables import Table


def fitted(model: Any, attribute: str, advice: str = "call fit first") -> Any:
    """Value of an attribute that fit sets."""
    if not hasattr(model, attribute):
        raise UnsupportedModelError(f"this {type(model).__name__} is not fitted; {advice}")
    return getattr(model, attribute)


def noted(ensemble: Ensemble, note: str) -> Ensemble:
    """The same ensemble with one more note."""
    source = dataclasses.replace(ensemble.source, notes=(*ensemble.source.notes, note))
    return ensemble._with_source(source)


def _best(model: Any) -> list[Any]:
    return [fitted(model, "best_estimator_", "call fit, with refit=True, and read it again")]


def _read_search(model: Any, content: bytes | None) -> Ensemble:
    chosen = ", ".join(f"{name}={value!r}" for name, value in model.best_params_.items())
    return noted(read_inner(_best(model)[0], content), f"the best model of a {type(model).__name__}: {chosen}")


def _classifier(model: Any) -> list[Any]:
    return [fitted(model, "estimator_")]


def _decides_at(model: Any) -> Any:
    return getattr(model, "best_threshold_", getattr(model, "threshold", "auto"))


def _read_threshold(model: Any, content: bytes | None) -> Ensemble:
    note = f"a {type(model).__name__} decides between the classes at {_decides_at(model)}, which raw does not show"
    return noted(read_inner(_classifier(model)[0], content), note)


def _frozen(model: Any) -> list[Any]:
    return [model.estimator]


def _read_frozen(model: Any, content: bytes | None) -> Ensemble:
    return read_inner(model.estimator, content)


def _calibrated(model: Any) -> list[Any]:
    parts = fitted(model, "calibrated_classifiers_")
    if len(parts) != 1:
        raise UnsupportedModelError(
            f"this {type(model).__name__} averages {len(parts)} classifiers after it has bent the probabilities of "
            "each, which is not a sum over trees; fit it with ensemble=False, or read the estimator of each of its "
            "calibrated_classifiers_"
        )
    return [parts[0].estimator]


def _read_calibrated(model: Any, content: bytes | None) -> Ensemble:
    note = f"raw and predictions are those before the calibration ({model.method}) of {type(model).__name__}"
    return noted(read_inner(_calibrated(model)[0], content), note)


def _regressor(model: Any) -> list[Any]:
    return [fitted(model, "regressor_")]


def _read_target(model: Any, content: bytes | None) -> Ensemble:
    ensemble = read_inner(_regressor(model)[0], content)
    transformer = model.transformer_
    inverse = getattr(transformer, "inverse_func", None)
    named = type(transformer).__name__ == "FunctionTransformer"
    if named and inverse is None and transformer.func is None:
        return ensemble
    is_log = named and inverse is np.exp and not transformer.inv_kw_args
    if not is_log or ensemble.link.kind is not LinkKind.IDENTITY:
        how = getattr(inverse, "__name__", type(transformer).__name__)
        raise UnsupportedModelError(
            f"this TransformedTargetRegressor turns the prediction of its {type(_regressor(model)[0]).__name__} back "
            f"by {how}, for which glasswood has no link; it reads inverse_func=numpy.exp around a regressor without "
            "a link of its own; read its regressor_"
        )
    return dataclasses.replace(noted(ensemble, "the target is the logarithm of y, as numpy.exp undoes it"), link=LOG)


def _ask_calibrated(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """The prediction before calibration."""
    inside = _calibrated(model)[0]
    return inner_reader(inside).predicted(inside, read_inner(inside), X)


def _shell(
    inside: Callable[[Any], list[Any]],
    read: Callable[[Any, bytes | None], Ensemble],
    state: Callable[[Any], Any],
    predict: Callable[[Any, Ensemble, Table], NDArray[np.float64] | None] = predicted,
) -> Kind:
    """The kind of a meta-estimator around one model, which is asked in its place."""

    def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        (held,) = inside(model)
        return inner_reader(held).ask(held, read_inner(held), X)

    return Kind(inside, read, ask, predict, state)


SEARCH = _shell(_best, _read_search, lambda model: model.best_params_)
THRESHOLD = _shell(_classifier, _read_threshold, _decides_at)
FROZEN = _shell(_frozen, _read_frozen, lambda model: None)
CALIBRATED = _shell(_calibrated, _read_calibrated, lambda model: model.method, _ask_calibrated)
TARGET = _shell(_regressor, _read_target, lambda model: vars(model.transformer_))
