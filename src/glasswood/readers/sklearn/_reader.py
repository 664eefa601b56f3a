"""Reader: which scikit-learn classes are read, and by what."""

from collections.abc import Callable
from typing import Any

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers.sklearn import _forest
from glasswood.tables import Table

# class name → (how it is read, how it is asked). Names, not classes: scikit-learn is never imported here.
_KINDS: dict[str, tuple[Callable[[Any], Ensemble], Callable[[Any, Ensemble, Table], Oracle]]] = dict.fromkeys(
    (
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "ExtraTreeClassifier",
        "ExtraTreeRegressor",
        "RandomForestClassifier",
        "RandomForestRegressor",
        "ExtraTreesClassifier",
        "ExtraTreesRegressor",
    ),
    (_forest.read_forest, _forest.ask_forest),
)


def read_model(model: Any) -> Ensemble:
    """Read a fitted scikit-learn tree model."""
    return _kind(model)[0](model)


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict."""
    return _kind(model)[1](model, ensemble, X)


def _kind(model: Any) -> tuple[Callable[[Any], Ensemble], Callable[[Any, Ensemble, Table], Oracle]]:
    for cls in type(model).__mro__:
        if cls.__module__.partition(".")[0] == "sklearn" and cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
    raise UnsupportedModelError(
        f"scikit-learn's {type(model).__name__} is not a tree model glasswood reads; pass the fitted tree model itself "
        "(of a Pipeline: its last step, with the transformed table)"
    )
