"""Reader: perpetual objects and files → Ensemble; also asks perpetual for its predictions."""

import importlib.metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import (
    IDENTITY,
    LOG,
    LOGIT,
    NO_LINK,
    SOFTMAX,
    Ensemble,
    FeatureSchema,
    Link,
    Provenance,
    align,
    build_ensemble,
    fit_outputs,
)
from glasswood.errors import (
    GlasswoodError,
    InvalidEnsembleError,
    ModelFileError,
    TableError,
    UnsupportedModelError,
)
from glasswood.readers._fingerprint import digest, vars_but
from glasswood.readers._not_fitted import not_fitted
from glasswood.readers._oracle import Oracle
from glasswood.readers._override import library_method
from glasswood.readers.perpetual._document import MALFORMED, Document, looks_like_perpetual, parse_document
from glasswood.readers.perpetual._trees import gather
from glasswood.tables import FrameKind, Table, class_names, column_names, dtypes_of, frame_kind, n_rows_of

# perpetual's predict returns raw for every objective; these are the links of the objectives
_LINKS: dict[str, Link] = {
    **dict.fromkeys(("PoissonLoss", "GammaLoss", "TweedieLoss"), LOG),
    **dict.fromkeys(("LogLoss", "CrossEntropyLoss"), LOGIT),
    **dict.fromkeys(
        ("SquaredLoss", "QuantileLoss", "HuberLoss", "AdaptiveHuberLoss", "FairLoss", "AbsoluteLoss", "MapeLoss"),
        IDENTITY,
    ),
    **dict.fromkeys(("SquaredLogLoss", "ListNetLoss"), IDENTITY),
}


def written(model: Any) -> bytes:
    """The JSON of a fitted perpetual model."""
    if not hasattr(model, "json_dump") or not hasattr(model, "booster"):
        raise UnsupportedModelError(
            f"perpetual's {type(model).__name__} is not a model glasswood reads; pass a PerpetualBooster"
        )
    if not getattr(model, "is_fitted", getattr(model, "n_features_", 0)):  # 0.10 has no is_fitted
        raise not_fitted(model)
    return str(model.json_dump()).encode()


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the JSON and of the other attributes of the object."""
    return digest(type(model), content, vars_but(model, "booster"))


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a fitted perpetual model from its JSON."""
    document = parse_document(written(model) if content is None else content)
    return _ensemble(document, type(model).__name__, importlib.metadata.version("perpetual"))


def recognises(content: bytes) -> bool:
    """Whether the bytes are a perpetual model."""
    return looks_like_perpetual(content)


def read_file(content: bytes, name: str) -> Ensemble:
    """Read the bytes of a file `save_booster` wrote."""
    try:
        return _ensemble(parse_document(content), "json file", "unknown")
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let perpetual predict the table as it is; a classifier gives only leaves and probabilities then."""
    _check_memory(X, ensemble)
    paths = model.predict_nodes(_kept(X))
    n, k = n_rows_of(X), ensemble.n_outputs
    trees = paths if k == 1 else [tree for one in paths for tree in one]
    if len(model.classes_):
        raw = model.booster.predict(**_flat(_matrix(X, ensemble)[0]))
    else:
        raw = library_method(model, "predict")(_kept(X))
    raw = np.asarray(raw, dtype=np.float64).reshape((n, k), order="F")
    return Oracle(raw=raw, leaves=_leaves(trees, ensemble, n))


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let perpetual predict the values as glasswood reads them."""
    return _ask(model.booster, ensemble, X)


def predicted(model: Any, ensemble: Ensemble, X: Table) -> NDArray[np.float64] | None:
    """Probabilities of a classifier; other models predict raw."""
    if not len(model.classes_):
        return None
    shares = np.asarray(library_method(model, "predict_proba")(_kept(X)), dtype=np.float64)
    return shares[:, 1:] if ensemble.n_outputs == 1 else shares


def open_file(content: bytes) -> Any:
    """Load the bytes of a file."""
    # the inner classes, because the outer one cannot load its own files if the objective has a parameter (2.3)
    from perpetual.perpetual import MultiOutputBooster, PerpetualBooster

    cls = MultiOutputBooster if len(parse_document(content).base_scores) > 1 else PerpetualBooster
    return cls.from_json(content.decode())


def ask_opened(opened: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let perpetual predict with the model of a file."""
    return _ask(opened, ensemble, X)


def _ask(booster: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Raw and leaves, with categories encoded like the labels that perpetual knows."""
    matrix, notes = _matrix(X, ensemble)
    n, k = matrix.shape[0], ensemble.n_outputs
    rows = _flat(matrix)
    raw = np.asarray(booster.predict(**rows), dtype=np.float64)
    paths = booster.predict_nodes(**rows)
    trees = paths if k == 1 else [tree for one in paths for tree in one]
    return Oracle(raw=raw.reshape((n, k), order="F"), leaves=_leaves(trees, ensemble, n), notes=notes)


def _flat(matrix: NDArray[np.float64]) -> dict[str, Any]:
    return {"flat_data": matrix.ravel(order="F"), "rows": len(matrix), "cols": matrix.shape[1], "parallel": False}


def _kept(X: Table) -> Table:
    """A copy of an array, because perpetual writes category codes into its input."""
    return X.copy() if isinstance(X, np.ndarray) else X


def _check_memory(X: Table, ensemble: Ensemble) -> None:
    """Refuse polars columns that are not float64: perpetual reads their memory as float64, and may end the process."""
    if frame_kind(X) is not FrameKind.POLARS:
        return
    categories = {
        name
        for name, labels in zip(ensemble.features.names, ensemble.features.categories, strict=True)
        if labels is not None
    }
    for name, dtype in zip(column_names(X), dtypes_of(X), strict=True):
        if dtype != "Float64" and name not in categories:
            raise TableError(
                f"perpetual takes the memory of a polars column for float64, and column {name!r} is {dtype}; cast it "
                "to Float64"
            )


def _leaves(trees: Any, ensemble: Ensemble, n_rows: int) -> NDArray[np.int32]:
    """The leaf on each path; perpetual gives the set of all nodes that a row visits."""
    leaves = np.zeros((n_rows, ensemble.n_trees), dtype=np.int32)
    for t, paths in enumerate(trees):
        numbers = ensemble.leaf_id[ensemble.tree_start[t] : ensemble.tree_start[t + 1]]
        known = set(numbers[numbers >= 0].tolist())
        leaves[:, t] = [next(iter(known & set(path)), -1) for path in paths]
    return leaves


def _matrix(X: Table, ensemble: Ensemble) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """The rows in the form perpetual needs, and notes about them."""
    rows = align(X, ensemble.features)
    if isinstance(rows.data, np.ndarray):
        return rows.data.astype(np.float64), ()
    columns, notes = [], []
    for k, labels in enumerate(ensemble.features.categories):
        column = rows.column(k)
        if not labels:
            columns.append(column.astype(np.float64))
            continue
        unknown = (column < 0) | (column >= len(labels))
        if np.any(unknown):
            notes.append(
                f"feature {ensemble.features.names[k]!r} holds missing or unseen categories, which perpetual's predict "
                "may read as the next known one in the order of their text; glasswood treats them as missing"
            )
        columns.append(np.where(unknown, np.nan, column + 1.0))
    return np.column_stack(columns), tuple(notes)


def _ensemble(document: Document, model: str, version: str) -> Ensemble:
    n_outputs = len(document.base_scores)
    n = len(document.names)
    schema = FeatureSchema(
        names=document.names,
        named=document.named,
        categories=document.categories,
        coded=np.zeros(n, dtype=bool),
        missing_routed=np.ones(n, dtype=bool),
        zero_is_missing=np.zeros(n, dtype=bool),
    )
    try:
        return build_ensemble(
            **gather(document.trees, document.categories, document.n_bytes),
            baseline=document.base_scores,
            features=schema,
            link=_link(document),
            outputs=_outputs(class_names(document.classes), n_outputs),
            source=Provenance(
                library="perpetual",
                version=version,
                model=model,
                objective=document.objective,
                weight_kind="hessian",
                classes=document.classes if fit_outputs(document.classes, n_outputs) else (),
                n_targets=1 if document.classes else n_outputs,
            ),
        )
    except InvalidEnsembleError as error:
        raise ModelFileError(f"it does not describe a valid model: {error}") from None
    except GlasswoodError:
        raise
    except MALFORMED as error:
        raise ModelFileError(f"it does not hold a perpetual model: {type(error).__name__}: {error}") from None


def _link(document: Document) -> Link:
    """Link of the model: for classes as in perpetual's predict_proba, otherwise from the objective."""
    if len(document.base_scores) > 1:
        return SOFTMAX if len(document.classes) == len(document.base_scores) else NO_LINK
    return LOGIT if len(document.classes) == 2 else _LINKS.get(document.objective, NO_LINK)


def _outputs(classes: tuple[str, ...], n_outputs: int) -> tuple[str, ...]:
    if n_outputs == 1:
        return (classes[1],) if len(classes) == 2 else ("y",)
    return classes if len(classes) == n_outputs else tuple(f"y{k}" for k in range(n_outputs))
