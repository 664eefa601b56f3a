"""Reader: pipelines and meta-estimators, read as one model of the caller's columns."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers._oracle import Oracle
from glasswood.readers.pipelines._ask import ask_pipeline, table_as_read
from glasswood.readers.pipelines._ask import predicted as predicted_by
from glasswood.readers.pipelines._inner import inner_reader
from glasswood.readers.pipelines._kind import Kind
from glasswood.readers.pipelines._meta_estimators import CALIBRATED, FROZEN, SEARCH, TARGET, THRESHOLD
from glasswood.readers.pipelines._pipeline import final_step, read_pipeline
from glasswood.readers.pipelines._steps import flat_steps
from glasswood.readers.pipelines._votes import BAG, PER_CLASS, VOTES
from glasswood.tables import Table

_PIPELINE = Kind(
    lambda model: [final_step(model)], read_pipeline, ask_pipeline, predicted_by, lambda model: flat_steps(model)[:-1]
)
# class of scikit-learn → kind; the registry has the same classes
_KINDS: dict[str, Kind] = {
    "Pipeline": _PIPELINE,
    "BaseSearchCV": SEARCH,
    "FixedThresholdClassifier": THRESHOLD,
    "TunedThresholdClassifierCV": THRESHOLD,
    "FrozenEstimator": FROZEN,
    "CalibratedClassifierCV": CALIBRATED,
    "TransformedTargetRegressor": TARGET,
    "VotingClassifier": VOTES,
    "VotingRegressor": VOTES,
    "OneVsRestClassifier": PER_CLASS,
    "BaggingClassifier": BAG,
    "BaggingRegressor": BAG,
}


def written(model: Any) -> bytes:
    """The inner model as its library writes it; empty if there are several."""
    inside = _kind(model).inside(model)
    return inner_reader(inside[0]).written(inside[0]) if len(inside) == 1 else b""


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the inner models and of the estimators around them."""
    kind = _kind(model)
    parts = []
    for inside in kind.inside(model):
        reader = inner_reader(inside)
        parts.append(reader.fingerprint(inside, content or reader.written(inside)))
    return digest(type(model), kind.state(model), *parts)


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a fitted pipeline, search or vote."""
    return _kind(model).read(model, content)


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the table as it is."""
    return _kind(model).ask(model, ensemble, X)


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let scikit-learn predict the values as glasswood reads them."""
    return _kind(model).ask(model, ensemble, table_as_read(ensemble, X))


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """What the whole model predicts for the table."""
    return _kind(model).predicted(model, ensemble, X)


def _kind(model: Any) -> Kind:
    for cls in type(model).__mro__:
        if cls.__module__.partition(".")[0] == "sklearn" and cls.__name__ in _KINDS:
            return _KINDS[cls.__name__]
    raise UnsupportedModelError(f"scikit-learn's {type(model).__name__} is not read")
