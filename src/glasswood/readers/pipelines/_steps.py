"""Steps of a pipeline: in one list, what they take, and what they make of the caller's table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from glasswood.ensemble import FeatureSchema
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.readers.pipelines._compose import is_passed
from glasswood.tables import Table, column_names, frame_kind, make_frame, pick_columns

WITH_NAMES = "the table under the names of the training table"
WITHOUT_NAMES = "the table without its names, which the training table did not have"
TEXTS = "the texts in the table's column"
_OF_TEXTS = ("CountVectorizer", "HashingVectorizer", "TfidfVectorizer")


def flat_steps(model: Any) -> list[Any]:
    """The steps of a pipeline; the steps of a pipeline at its end count as its own."""
    steps = [step for _, step in model.steps]
    last = steps[-1]
    inner = any(
        cls.__module__.partition(".")[0] == "sklearn" and cls.__name__ == "Pipeline" for cls in type(last).__mro__
    )
    return steps[:-1] + flat_steps(last) if inner else steps


def input_columns(model: Any) -> tuple[tuple[str, ...], bool]:
    """Names of the columns with which the pipeline was fitted, and whether the training table had them."""
    steps = flat_steps(model)
    if takes_texts(steps):
        return ("text",), False
    for step in steps:
        names, n = getattr(step, "feature_names_in_", None), getattr(step, "n_features_in_", None)
        if names is not None:
            return tuple(str(name) for name in names), True
        if n is not None:
            return FeatureSchema.positions(int(n)), False
        if not is_passed(step) and hasattr(steps[-1], "n_features_in_"):
            return (), False  # a step of somebody else, which does not say what it takes
    raise UnsupportedModelError("this Pipeline is not fitted; call fit first")


def takes_texts(steps: Sequence[Any]) -> bool:
    """Whether the first step takes a list of texts, and not a table."""
    first: Any = next((step for step in steps if not is_passed(step)), None)
    while type(first).__name__ == "FeatureUnion" and first.transformer_list:
        first = first.transformer_list[0][1]
    return any(cls.__name__ in _OF_TEXTS for cls in type(first).__mro__)


def transformed(steps: Sequence[Any], rows: Any) -> Any:
    """What the steps make of a table, computed by themselves."""
    for step in steps:
        if not is_passed(step):
            rows = step.transform(rows)
    return rows


def as_fitted(steps: Sequence[Any], known: Sequence[str] | None, X: Table) -> tuple[Any, str | None]:
    """The table, with or without names as in training, because scikit-learn warns if they differ.

    Steps that take a list of texts get the column of the table. `known` are the names in training, if any.
    """
    if takes_texts(steps):
        return _texts(X), TEXTS
    if steps and not hasattr(steps[0], "n_features_in_"):
        return X, None  # a step that does not say what it takes
    names = list(column_names(X)) if frame_kind(X) is not None else []
    given = bool(names) and all(isinstance(name, str) for name in names)
    if given == (known is not None):
        return X, None
    if known is None:
        return np.asarray(X), WITHOUT_NAMES
    array = np.asarray(X)
    if array.dtype.kind == "U" and not isinstance(X, np.ndarray):
        array = np.array(X, dtype=object)  # numpy would convert numbers beside text to text
    if array.ndim != 2 or array.shape[1] != len(known):
        return X, None  # scikit-learn says what is wrong
    columns = {str(name): array[:, j] for j, name in enumerate(known)}
    return make_frame(columns), WITH_NAMES


def _texts(X: Table) -> list[Any]:
    frame = frame_kind(X) is not None
    array = np.asarray(pick_columns(X, column_names(X)[:1]) if frame else X, dtype=object)
    if array.ndim != 2 or array.shape[1] != 1 or (frame and len(column_names(X)) != 1):
        raise TableError("this pipeline takes texts: give a table of one column that holds them")
    return list(array[:, 0])
