"""Registry: finds the reader of a model or a file without importing the library."""

import importlib
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers._conversions import conversion_of
from glasswood.readers._foreign import foreign_kind
from glasswood.readers._oracle import Oracle
from glasswood.tables import Table


class Reader(Protocol):
    """What a reader module offers."""

    def written(self, model: Any) -> bytes:
        """The model as its library writes it; empty if it is read from the object."""

    def fingerprint(self, model: Any, written: bytes, /) -> bytes:
        """Digest of everything that reading and asking the model depend on."""

    def read_model(self, model: Any, written: bytes | None = None, /) -> Ensemble:
        """Read a fitted model object; from the result of `written` if that is given."""

    def ask(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library predict X exactly as it was given; any error of the library counts as a refusal."""

    def ask_as_read(self, model: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library predict the values that glasswood reads from X, in a form that the library accepts."""

    def predicted(self, model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
        """Result of the public predict or predict_proba for X, (n_rows, n_outputs); None if that is raw."""


class FileReader(Protocol):
    """What a reader module offers if its library has a file format."""

    __name__: str

    def recognises(self, content: bytes) -> bool:
        """Whether the bytes look like a file of this library."""

    def read_file(self, content: bytes, name: str) -> Ensemble:
        """Read the bytes of a model file, which may be damaged or malicious."""

    def open_file(self, content: bytes) -> Any:
        """Let the library load the bytes of a file; called only in a library process."""

    def ask_opened(self, opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
        """Let the library predict with the result of `open_file`; called only in a library process."""


# top-level package of the model's class → reader module
_LIBRARIES = {
    "catboost": "glasswood.readers.catboost",
    "lightgbm": "glasswood.readers.lightgbm",
    "onnx": "glasswood.readers.onnx",
    "perpetual": "glasswood.readers.perpetual",
    "sklearn": "glasswood.readers.sklearn",
    "xgboost": "glasswood.readers.xgboost",
}
# classes of scikit-learn that contain a model of any library → reader module
_META_ESTIMATORS = dict.fromkeys(
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
# modules whose library has a file format, tried in this order
_FILE_READERS: tuple[str, ...] = (
    "glasswood.readers.catboost",
    "glasswood.readers.lightgbm",
    "glasswood.readers.onnx",
    "glasswood.readers.perpetual",
    "glasswood.readers.xgboost",
)


def reader_of(model: Any) -> Reader:
    """Find the reader by the classes the model derives from, nearest first."""
    for cls in type(model).__mro__:
        conversion = conversion_of(cls.__module__)
        if conversion is not None:
            raise UnsupportedModelError(f"cannot read a {_full_name(type(model))}; {conversion}")
        package = cls.__module__.partition(".")[0]
        module = _LIBRARIES.get(package)
        if package == "sklearn":
            module = next(
                (_META_ESTIMATORS[base.__name__] for base in cls.__mro__ if base.__name__ in _META_ESTIMATORS), module
            )
            module = "glasswood.readers.pipelines" if _bags_models(model) else module
        if module is not None:
            return cast(Reader, importlib.import_module(module))
    known = ", ".join(sorted(_LIBRARIES))
    raise UnsupportedModelError(
        f"cannot read a {_full_name(type(model))}; glasswood reads models of {known}, their files, and its own"
    )


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _bags_models(model: Any) -> bool:
    """Whether a bag of scikit-learn holds something other than its trees, which are read in one piece."""
    if not any(cls.__name__ in ("BaggingClassifier", "BaggingRegressor") for cls in type(model).__mro__):
        return False
    first: Any = next(iter(getattr(model, "estimators_", ())), None)
    steps: Any = getattr(first, "steps", ())
    if len(steps) > 1 and all(hasattr(step, "fit_resample") for _, step in steps[:-1]):
        first = steps[-1][1]  # imblearn puts a sampler before the model, which has no part in its answer
    trees = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
    return first is not None and not any(cls.__name__ in trees for cls in type(first).__mro__)


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
        "perpetual's JSON, ONNX, and its own"
    )
