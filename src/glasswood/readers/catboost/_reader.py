"""Reader: CatBoost objects and files → Ensemble; also asks CatBoost for its predictions."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, LinkKind, build_ensemble
from glasswood.errors import InvalidEnsembleError, ModelFileError, UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers._library import first_line
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers._oracle import Oracle
from glasswood.readers.catboost._ask import ask_given, ask_object, predict_as, seen_classes
from glasswood.readers.catboost._cbm import MAGIC, read_cbm
from glasswood.readers.catboost._ctr_keys import decode_tables
from glasswood.readers.catboost._json_file import looks_like_json, read_json
from glasswood.readers.catboost._metadata import link_of, loss_of, outputs_of, provenance_of, schema_of
from glasswood.readers.catboost._model_content import ModelContent
from glasswood.readers.catboost._rows import rows_for
from glasswood.readers.catboost._trees import node_arrays
from glasswood.tables import FrameKind, Table, dtypes_of, frame_kind


def written(model: Any) -> bytes:
    """The bytes of the `.cbm` file that CatBoost saves."""
    return _saved(model)


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the file, which contains everything that CatBoost predicts with."""
    return digest(type(model), content)


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a fitted CatBoost model through the file it saves, so that object and file give the same result."""
    return _ensemble(read_cbm(_saved(model) if content is None else content), type(model).__name__)


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let CatBoost predict the table as it is."""
    if frame_kind(X) is FrameKind.POLARS and "Categorical" in dtypes_of(X):
        raise NotImplementedError("it ends the process when it meets a Categorical column of polars")
    return ask_given(model, X)


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let CatBoost predict the values as glasswood reads them."""
    columns = _columns(read_cbm(_saved(model)))
    return ask_object(model, rows_for(X, ensemble.features, columns))


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """Prediction on the scale of the target; None if that is raw."""
    if ensemble.link.kind is LinkKind.LOG:
        return predict_as(model, X, "Exponent")
    if not ensemble.link.gives_shares:
        return None
    shares = predict_as(model, X, "Probability")
    if ensemble.n_outputs == 1:
        return shares[:, 1:]
    return shares[:, seen_classes(predict_as(model, X, "RawFormulaVal"))]


def recognises(content: bytes) -> bool:
    """Whether the bytes are a CatBoost model."""
    return content.startswith(MAGIC) or looks_like_json(content)


def read_file(content: bytes, name: str) -> Ensemble:
    """Read the bytes of a `.cbm` or `.json` file."""
    try:
        return _ensemble(_parts(content), f"{_format(content)} file")
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None


def open_file(content: bytes) -> Any:
    """Let CatBoost load a file, and find the column it expects for each feature."""
    import catboost

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        path.write_bytes(content)
        model = catboost.CatBoost().load_model(str(path), format=_format(content))
    return model, _columns(_parts(content))


def ask_opened(opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let CatBoost predict with the model of a file."""
    model, columns = opened
    return ask_object(model, rows_for(X, ensemble.features, columns))


def _saved(model: Any) -> bytes:
    if not any(cls.__name__ == "CatBoost" for cls in type(model).__mro__):
        raise UnsupportedModelError(f"a catboost.{type(model).__name__} is not a model; pass the fitted CatBoost model")
    if not model.is_fitted():
        raise not_fitted(model)
    serialise = getattr(model, "_serialize_model", None)  # private; gives the bytes of the file without writing one
    if serialise is not None:
        try:
            return bytes(serialise())
        except Exception as error:  # happens for a sum of models that keeps all tables of its CTRs
            raise UnsupportedModelError(f"CatBoost itself cannot save this model: {first_line(error)}") from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.cbm"
        model.save_model(str(path), format="cbm")
        return path.read_bytes()


def _format(content: bytes) -> str:
    return "cbm" if content.startswith(MAGIC) else "json"


def _parts(content: bytes) -> ModelContent:
    return read_cbm(content) if content.startswith(MAGIC) else read_json(content)


def _columns(parts: ModelContent) -> NDArray[np.int64]:
    """Column that CatBoost expects for each feature of the schema."""
    schema, place = schema_of(parts)
    columns = np.arange(len(schema))
    columns[place] = [feature.flat_index for feature in parts.features]
    return columns


def _ensemble(parts: ModelContent, model: str) -> Ensemble:
    if parts.dimension < 1 or len(parts.bias) != parts.dimension:
        raise ModelFileError(f"it has {parts.dimension} outputs and {len(parts.bias)} baselines")
    parts, decoded = decode_tables(parts)
    schema, place = schema_of(parts)
    loss, objective = loss_of(parts.info)
    nodes = node_arrays(parts, place, decoded)
    try:
        return build_ensemble(
            **nodes,
            baseline=parts.bias,
            features=schema,
            link=link_of(loss),
            outputs=outputs_of(parts.info, loss, parts.dimension),
            source=provenance_of(parts, model, objective, weighed=not np.isnan(nodes["weight"]).any()),
        )
    except InvalidEnsembleError as error:
        raise ModelFileError(f"it does not describe a valid model: {error}") from None
