"""Registry: which reader a model or a file belongs to, found without importing the library."""

import importlib
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers._foreign import foreign_kind
from glasswood.readers._oracle import Oracle
from glasswood.tables import Table


class Reader(Protocol):
    """What a module of this room offers."""

    def written(self, model: Any) -> bytes:
        """The model as its library writes it; empty where it is read from the object itself."""

    def fingerprint(self, model: Any, written: bytes, /) -> bytes:
        """Digest of everything that reading the model and asking it depend on."""

    def read_model(self, model: Any, written: bytes | None = None, /) -> Ensemble:
        """Read a fitted model object, from what `written` gave where that is at hand."""

    def ask(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library itself predict X, exactly as it was given; whatever the library raises is its refusal."""

    def ask_as_read(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library predict the values glasswood reads from X, in a form that the library takes."""

    def predicted(self, model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
        """What the public predict or predict_proba gives for X, (n_rows, n_outputs); None where raw is that."""


class FileReader(Protocol):
    """What a module of this room offers when its library has a file format."""

    __name__: str

    def recognises(self, content: bytes) -> bool:
        """Say whether the bytes of a file look like this library's, by content."""

    def read_file(self, content: bytes, name: str) -> Ensemble:
        """Read the bytes of a model file; untrusted input."""

    def open_file(self, content: bytes) -> Any:
        """Let the library load the bytes of a file; called in a library process only."""

    def ask_opened(self, opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library predict with what `open_file` gave; called in a library process only."""


# top-level package of the model's class → module of this room
_LIBRARIES = {
    "catboost": "glasswood.readers.catboost",
    "lightgbm": "glasswood.readers.lightgbm",
    "perpetual": "glasswood.readers.perpetual",
    "sklearn": "glasswood.readers.sklearn",
    "xgboost": "glasswood.readers.xgboost",
}
# classes of scikit-learn that hold a model of any library → module of this room
_SHELLS = dict.fromkeys(
    (
        "BaseSearchCV",
        "CalibratedClassifierCV",
        "FixedThresholdClassifier",
        "FrozenEstimator",
        "OneVsRestClassifier",
        "Pipeline",
        "TransformedTargetRegressor",
        "TunedThresholdClassifierCV",
        "VotingClassifier",
        "VotingRegressor",
    ),
    "glasswood.readers.pipelines",
)
# modules whose library has a file format, asked in this order
_FILE_READERS: tuple[str, ...] = (
    "glasswood.readers.catboost",
    "glasswood.readers.lightgbm",
    "glasswood.readers.perpetual",
    "glasswood.readers.xgboost",
)


def reader_of(model: Any) -> Reader:
    """Find the reader by the classes the model derives from, nearest first."""
    for cls in type(model).__mro__:
        package = cls.__module__.partition(".")[0]
        module = _LIBRARIES.get(package)
        if package == "sklearn":
            module = next((_SHELLS[base.__name__] for base in cls.__mro__ if base.__name__ in _SHELLS), module)
        if module is not None:
            return cast(Reader, importlib.import_module(module))
    known = ", ".join(sorted(_LIBRARIES))
    raise UnsupportedModelError(
        f"cannot read a {type(model).__module__}.{type(model).__qualname__}; glasswood reads models of {known}, "
        "their files, and its own"
    )


def file_reader_of(content: bytes, name: str) -> FileReader:
    """Find the reader of a file by its content."""
    for path in _FILE_READERS:
        module = cast(FileReader, importlib.import_module(path))
        if module.recognises(content):
            return module
    kind = foreign_kind(content)
    if kind is not None:
        raise ModelFileError(f"{name}: the file is {kind}")
    raise ModelFileError(
        f"{name}: not a model file glasswood knows; it reads LightGBM's text, XGBoost's and CatBoost's files, "
        "perpetual's JSON, and its own"
    )
