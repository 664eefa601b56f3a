"""Meta-estimators around one model: a search, a threshold, a calibration or a transformed target."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from glasswood.ensemble import LOG, NO_LINK, Ensemble, LinkKind
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
    """The classifier inside; its predictions are not the model's, so that there is no link."""
    note = (
        f"raw is that of the classifier inside, before the calibration ({_calibration(model)}) of "
        f"{type(model).__name__}, so predict is refused"
    )
    return dataclasses.replace(noted(read_inner(_calibrated(model)[0], content), note), link=NO_LINK)


def _calibration(model: Any) -> str:
    """The method, and what it found for each class."""
    found = []
    parts = getattr(model, "calibrated_classifiers_", ())
    for calibrator in parts[0].calibrators if parts else ():
        if hasattr(calibrator, "a_"):  # of f, what the classifier gives as its decision or its share
            found.append(f"1 / (1 + exp({calibrator.a_:.6g}·f + {calibrator.b_:.6g}))".replace("+ -", "− "))
        elif hasattr(calibrator, "y_thresholds_"):
            found.append(f"{len(np.unique(calibrator.y_thresholds_))} steps")
        elif hasattr(calibrator, "beta_"):
            found.append(f"beta {float(calibrator.beta_):.6g}")
    return ": ".join([model.method, ", ".join(found)]) if found else str(model.method)


def _regressor(model: Any) -> list[Any]:
    return [fitted(model, "regressor_")]


def _read_target(model: Any, content: bytes | None) -> Ensemble:
    """The regressor inside, with a link or on the scale of y where the target's transformer allows it."""
    ensemble = read_inner(_regressor(model)[0], content)
    transformer = model.transformer_
    inverse = getattr(transformer, "inverse_func", None)
    is_function = type(transformer).__name__ == "FunctionTransformer"
    if is_function and inverse is None and transformer.func is None:
        return ensemble
    scale = _scale(transformer) if ensemble.link.kind is LinkKind.IDENTITY and ensemble.n_outputs == 1 else None
    if scale is not None:
        factor, shift = scale
        turned = dataclasses.replace(
            ensemble, value=ensemble.value * factor, baseline=ensemble.baseline * factor + shift
        )
        return noted(turned, f"values are on the scale of y, to which {type(transformer).__name__} turns them back")
    if ensemble.link.kind is LinkKind.IDENTITY and is_function and inverse is np.exp and not transformer.inv_kw_args:
        note = "the target is the logarithm of y, as numpy.exp undoes it"
        return dataclasses.replace(noted(ensemble, note), link=LOG)
    how = getattr(inverse, "__name__", type(inverse).__name__) if is_function else type(transformer).__name__
    note = (
        f"raw is that of the regressor inside, before TransformedTargetRegressor turns it back by {how}, so predict is "
        "refused"
    )
    return dataclasses.replace(noted(ensemble, note), link=NO_LINK)


def _scale(transformer: Any) -> tuple[float, float] | None:
    """Factor and shift by which a scaler of the target turns predictions back; None for another transformer."""
    if type(transformer).__module__.partition(".")[0] != "sklearn":
        return None
    match type(transformer).__name__:
        case "StandardScaler":
            factor = transformer.scale_[0] if transformer.with_std else 1.0
            return float(factor), float(transformer.mean_[0] if transformer.with_mean else 0.0)
        case "RobustScaler":
            factor = transformer.scale_[0] if transformer.with_scaling else 1.0
            return float(factor), float(transformer.center_[0] if transformer.with_centering else 0.0)
        case "MaxAbsScaler":
            return float(transformer.scale_[0]), 0.0
        case "MinMaxScaler":
            return float(1.0 / transformer.scale_[0]), float(-transformer.min_[0] / transformer.scale_[0])
    return None


def _ask_target(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Raw of the regressor inside; on the scale of y what the whole model predicts."""
    (held,) = _regressor(model)
    inner = read_inner(held)
    oracle = inner_reader(held).ask(held, inner, X)
    if ensemble.link.kind is not LinkKind.IDENTITY or _scale(model.transformer_) is None:
        return oracle
    raw = predicted(model, ensemble, X)
    return oracle if raw is None else dataclasses.replace(oracle, raw=raw)


def _shell(
    inside: Callable[[Any], list[Any]],
    read: Callable[[Any, bytes | None], Ensemble],
    state: Callable[[Any], Any],
    ask: Callable[[Any, Ensemble, Table], Oracle] | None = None,
) -> Kind:
    """The kind of a meta-estimator around one model, which is asked in its place."""

    def ask_inside(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        (held,) = inside(model)
        return inner_reader(held).ask(held, read_inner(held), X)

    return Kind(inside, read, ask or ask_inside, predicted, state)


SEARCH = _shell(_best, _read_search, lambda model: model.best_params_)
THRESHOLD = _shell(_classifier, _read_threshold, _decides_at)
FROZEN = _shell(_frozen, _read_frozen, lambda model: None)
CALIBRATED = _shell(_calibrated, _read_calibrated, _calibration)
TARGET = _shell(_regressor, _read_target, lambda model: vars(model.transformer_), _ask_target)
