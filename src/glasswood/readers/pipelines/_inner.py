"""Inner models: the model at the end of a pipeline or inside a search, read by the reader of its library."""

import sys
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.readers._fingerprint import digest
from glasswood.readers._memory import Known, recall, remember
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers._oracle import Oracle
from glasswood.readers._registry import Reader, reader_of
from glasswood.tables import Table


def inner_reader(model: Any) -> Reader:
    """Reader of a model inside another one, including glasswood's own estimators."""
    own = any(cls.__module__.partition(".")[0] == "glasswood" for cls in type(model).__mro__)
    return cast(Reader, _Own()) if own else reader_of(model)


def read_inner(model: Any, written: bytes | None = None) -> Ensemble:
    """The inner model: from what its library wrote, or from memory if it has not changed."""
    reader = inner_reader(model)
    if written is not None:
        return reader.read_model(model, written)
    content = reader.written(model)
    known = recall(model, fingerprint := reader.fingerprint(model, content))
    if known is None:
        known = remember(model, Known(fingerprint, reader.read_model(model, content)))
    return known.ensemble


class _Own:
    """glasswood's own estimators: they predict with their Ensemble, which is read and asked."""

    def written(self, model: Any) -> bytes:
        return b""

    def fingerprint(self, model: Any, written: bytes) -> bytes:
        return digest(type(model), id(getattr(model, "ensemble_", None)))

    def read_model(self, model: Any, written: bytes | None = None) -> Ensemble:
        ensemble = getattr(model, "ensemble_", None)
        if not isinstance(ensemble, Ensemble):
            raise not_fitted(model)
        return ensemble

    def ask(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        raw = ensemble.predict_raw(X)
        return Oracle(raw=raw.reshape(len(raw), -1), leaves=ensemble.apply(X))

    def ask_as_read(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        return self.ask(model, ensemble, X)

    def predicted(self, model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
        prediction = ensemble.predict(X)
        return prediction.reshape(len(prediction), -1)


def sklearn_version() -> str:
    """Version of scikit-learn."""
    return str(sys.modules["sklearn"].__version__)  # reading its metadata takes a millisecond
