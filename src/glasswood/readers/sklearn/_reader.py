"""Reader: the classes of scikit-learn that are read, and advice for those that are not."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, LinkKind
from glasswood.errors import UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers._oracle import Oracle
from glasswood.readers.sklearn._adaboost import ask_adaboost, read_adaboost
from glasswood.readers.sklearn._bagging import ask_bagging, read_bagging
from glasswood.readers.sklearn._boosting import ask_boosting, read_boosting
from glasswood.readers.sklearn._categories import table_for_encoder
from glasswood.readers.sklearn._common import answer, as_matrix
from glasswood.readers.sklearn._forest import ask_forest, read_forest
from glasswood.readers.sklearn._hist import ask_hist, read_hist
from glasswood.readers.sklearn._isolation import ask_isolation, read_isolation
from glasswood.tables import Table

Kind: TypeAlias = tuple[Callable[[Any], Ensemble], Callable[[Any, Ensemble, Table], Oracle]]

_FOREST: Kind = (read_forest, ask_forest)
_BAGGING: Kind = (read_bagging, ask_bagging)
_BOOSTING: Kind = (read_boosting, ask_boosting)
_HIST: Kind = (read_hist, ask_hist)

# class name → (reading function, asking function); names, because scikit-learn is never imported here
_KINDS: dict[str, Kind] = {
    "DecisionTreeClassifier": _FOREST,
    "DecisionTreeRegressor": _FOREST,
    "ExtraTreeClassifier": _FOREST,
    "ExtraTreeRegressor": _FOREST,
    "RandomForestClassifier": _FOREST,
    "RandomForestRegressor": _FOREST,
    "ExtraTreesClassifier": _FOREST,
    "ExtraTreesRegressor": _FOREST,
    "BaggingClassifier": _BAGGING,
    "BaggingRegressor": _BAGGING,
    "GradientBoostingClassifier": _BOOSTING,
    "GradientBoostingRegressor": _BOOSTING,
    "HistGradientBoostingClassifier": _HIST,
    "HistGradientBoostingRegressor": _HIST,
    "AdaBoostClassifier": (read_adaboost, ask_adaboost),
    "IsolationForest": (read_isolation, ask_isolation),
}

_MEMBERS = "read the tree models among its estimators_ one by one"
# class name → why it cannot be read as a sum over trees, and what to do
_REFUSED = {
    "AdaBoostRegressor": f"predicts a weighted median of its trees, which is not a sum over them; {_MEMBERS}",
    "RandomTreesEmbedding": f"marks the leaves rows reach and predicts nothing; {_MEMBERS}",
    "StackingClassifier": f"feeds models into another one; {_MEMBERS}",
    "StackingRegressor": f"feeds models into another one; {_MEMBERS}",
    "MultiOutputClassifier": f"holds one model per target; {_MEMBERS}",
    "MultiOutputRegressor": f"holds one model per target; {_MEMBERS}",
    "OneVsOneClassifier": f"holds one model per pair of classes; {_MEMBERS}",
}


def written(model: Any) -> bytes:
    """Empty: scikit-learn's models are read from the object."""
    _kind(model)  # raises for models that are not read
    return b""


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of everything in the object, including the arrays of its trees."""
    return digest(type(model), vars(model))


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a fitted scikit-learn tree model."""
    return _kind(model)[0](model)


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the table as it is."""
    return _kind(model)[1](model, ensemble, X)


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the values as glasswood reads them."""
    return ask(model, ensemble, _as_read(ensemble, X))


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """Probabilities of a classifier, otherwise predictions; with the identity link they are raw."""
    if ensemble.link.kind is LinkKind.IDENTITY:
        return None
    if not hasattr(model, "classes_"):
        return np.asarray(answer(model, "predict", X), dtype=np.float64).reshape(-1, ensemble.n_outputs)
    shares = np.asarray(answer(model, "predict_proba", X), dtype=np.float64)
    return shares[:, 1:] if ensemble.n_outputs == 1 else shares


def _as_read(ensemble: Ensemble, X: Table) -> Any:
    return table_for_encoder(X) if ensemble.features.is_category.any() else as_matrix(X, ensemble)


def _kind(model: Any) -> Kind:
    """Kind of the nearest known class of scikit-learn."""
    for cls in type(model).__mro__:
        package = cls.__module__.partition(".")[0]
        if package == "quantile_forest":
            raise UnsupportedModelError(
                f"quantile_forest's {type(model).__name__} predicts quantiles of the training rows in its leaves, "
                "which are not sums over trees; for the mean, fit scikit-learn's forest with the same options and "
                "random_state, whose trees are the same"
            )
        if package != "sklearn":
            continue
        if cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
        if cls.__name__ in _REFUSED:
            raise UnsupportedModelError(f"scikit-learn's {type(model).__name__} {_REFUSED[cls.__name__]}")
    raise UnsupportedModelError(
        f"scikit-learn's {type(model).__name__} is not a tree model glasswood reads; pass the fitted tree model itself"
    )
