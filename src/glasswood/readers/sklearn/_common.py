"""What readers of scikit-learn's estimators share: feature names, classes, checks, and how estimators are asked."""

import copy
import importlib.metadata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, WeightKind, align
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers._override import library_method
from glasswood.tables import Table, class_labels, class_names, column_names, frame_kind


def require_fitted(model: Any, attribute: str) -> None:
    """Raise if the model has not been fitted."""
    if not hasattr(model, attribute):
        raise not_fitted(model)


def feature_schema(model: Any) -> FeatureSchema:
    """Schema of an estimator whose features are numbers."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return FeatureSchema.numeric(
            FeatureSchema.positions(model.n_features_in_), named=False, missing_routed=allows_missing(model)
        )
    return FeatureSchema.numeric([str(name) for name in names], missing_routed=allows_missing(model))


def allows_missing(model: Any) -> bool:
    """Whether scikit-learn accepts missing values in this estimator."""
    tags = getattr(model, "__sklearn_tags__", None)  # a method since scikit-learn 1.6
    return bool(model._get_tags()["allow_nan"] if tags is None else tags().input_tags.allow_nan)


def is_sklearn(model: Any, *names: str) -> bool:
    """Whether the model is an instance of one of these classes of scikit-learn, or of a subclass."""
    return any(cls.__module__.partition(".")[0] == "sklearn" and cls.__name__ in names for cls in type(model).__mro__)


def provenance(
    model: Any,
    objective: str,
    classes: Sequence[NDArray[Any]] | None,
    weight_kind: WeightKind = "weights",
    *,
    n_targets: int = 1,
) -> Provenance:
    """Source of the model; `classes` are those of each target."""
    return Provenance(
        library="scikit-learn",
        version=importlib.metadata.version("scikit-learn"),
        model=type(model).__name__,
        objective=objective,
        weight_kind=weight_kind,
        classes=class_labels(classes[0]) if classes is not None and n_targets == 1 else (),
        n_targets=n_targets,
    )


def output_names(classes: Sequence[NDArray[Any]] | None, n_targets: int) -> tuple[str, ...]:
    """Names of the outputs: with two classes the second, with more all; targets one after the other."""
    targets = [""] if n_targets == 1 else [f"y{k}" for k in range(n_targets)]
    if classes is None:
        return ("y",) if n_targets == 1 else tuple(targets)
    names: list[str] = []
    for target, labels in zip(targets, classes, strict=True):
        shown = labels[1:] if len(labels) == 2 else labels
        names.extend(f"{target}={name}" if target else name for name in class_names(shown))
    return tuple(names)


def answer(model: Any, method: str, X: Any) -> Any:
    """Result of scikit-learn's own method for X, exactly as it was given."""
    return library_method(named_like(model, X), method)(X)


def named_like(model: Any, X: Any) -> Any:
    """The model, or a shallow copy with or without names like X, so that scikit-learn does not warn.

    scikit-learn compares names only if both sides have them, and does so here too. Warnings cannot be silenced for one
    thread alone.
    """
    given, known = _names(X), hasattr(model, "feature_names_in_")
    if (given is not None) == known:
        return model
    twin = copy.copy(model)
    if known:
        del twin.feature_names_in_
    else:
        twin.feature_names_in_ = np.array(given, dtype=object)
    return twin


def _names(X: Any) -> list[str] | None:
    """Names of columns as scikit-learn sees them: only text, and only for a frame."""
    names = list(column_names(X)) if frame_kind(X) is not None else []
    return names if names and all(isinstance(name, str) for name in names) else None


def as_matrix(X: Table, ensemble: Ensemble) -> NDArray[Any]:
    """Numeric columns in the model's order as one matrix."""
    rows = align(X, ensemble.features)
    if isinstance(rows.data, np.ndarray):
        return rows.data
    return np.column_stack([rows.column(f) for f in range(len(ensemble.features))])
