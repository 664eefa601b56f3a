"""Session: settings → a subject with generated or uploaded rows, and a tree grown on them or an uploaded model."""

import dataclasses
import hashlib
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import did_you_mean
from glasswood.errors import MissingDependencyError, TableError
from glasswood.tables import read_vector
from glasswood.web.panels._subject import Subject
from glasswood.web.server._cache import Cache
from glasswood.web.server._settings import GIVEN, TABLE, FieldError, Settings
from glasswood.web.server._toy_data import GENERATORS
from glasswood.web.server._uploads import SentModel, SentTable, read_sent_model, read_sent_table

_MAX_CLASSES = 12  # whole numbers with at most so many distinct values count as classes
_MAX_TEXTS = 100  # classes of text: names and numbers of customers have one for nearly every row
_LARGEST = 1e150  # of a target, because variances square it


class Session:
    """What one server remembers: uploaded tables and models, and the subjects made from them."""

    def __init__(self, given: Subject | None = None) -> None:
        self.given = given  # the model and rows that the app was started with
        self._tables: Cache[str, SentTable] = Cache(4)
        self._models: Cache[str, SentModel] = Cache(4)
        self._subjects: Cache[Settings, Subject] = Cache(8)
        self._reading = threading.Lock()  # one file at a time, because each may use all memory of the limit

    def send_table(self, content: bytes) -> dict[str, Any]:
        """Keep a table; its key is a hash of its content."""
        key = _key(content)
        with self._reading:
            table = read_sent_table(content)
            about = table.to_dict()
        self._tables.put(key, table)
        return {"table": key, **about}

    def send_model(self, content: bytes) -> dict[str, Any]:
        """Keep a model."""
        key = _key(content)
        with self._reading:
            model = read_sent_model(content)
        self._models.put(key, SentModel(content, model))
        source = model.source
        return {
            "model": key,
            "library": source.library,
            "kind": source.model,
            "trees": model.n_trees,
            "features": list(model.feature_names),
        }

    def columns(self, settings: Settings) -> dict[str, Any]:
        """The rows, JSON-ready: one list per column, and the target."""
        if settings.data not in GENERATORS:
            raise FieldError("data", "only generated rows are given back; a sent table stays as it was sent")
        X, y = _generated(settings)
        return {"columns": {"X0": X[:, 0].tolist(), "X1": X[:, 1].tolist()}, "target": y.tolist()}

    def subject(self, settings: Settings) -> Subject:
        """Model and rows for some settings; made once."""
        if settings.data == GIVEN:
            if self.given is None:
                raise FieldError("data", "the app was started without a model: choose files, or a toy table")
            return self.given
        return self._subjects.made(settings, lambda: self._make(settings))

    def _make(self, settings: Settings) -> Subject:
        if settings.data != TABLE:
            return _grown(settings)
        table = self._tables.get(settings.table)
        if table is None:
            raise FieldError("table", "choose a table file; what was sent earlier is no longer in memory")
        target = settings.target or table.names[-1]
        if target not in table.names:
            raise FieldError("target", f"the table has no column {target!r}{did_you_mean(target, table.names)}")
        title = f"{target}, {table.n_rows:,} rows"
        y = _target(table, target)
        if len(table.names) == 1:
            raise FieldError("table", "the table has no column besides the target")
        if not settings.model:
            X = table.without(target)
            _check_classes(target, y)
            return Subject(title, _fitted(X, y, settings.max_depth), X, y)
        sent = self._models.get(settings.model)
        if sent is None:
            raise FieldError("model", "choose a model file; what was sent earlier is no longer in memory")
        X = table.features_of(sent.ensemble, target)
        model = sent.checked(X) if settings.check else sent.ensemble
        return Subject(f"{model.source.library}: {title}", model, X, y)


def _key(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _generated(settings: Settings) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return GENERATORS[settings.data](settings.n, settings.classes, settings.noise, settings.seed)


def _grown(settings: Settings) -> Subject:
    X, y = _generated(settings)
    model = _fitted(X, y, settings.max_depth)
    named = dataclasses.replace(model.ensemble_.features, names=("X0", "X1"), named=True)
    model.ensemble_ = model.ensemble_._with_features(named)
    title = f"{settings.data}: {settings.n:,} rows, {settings.classes} classes, seed {settings.seed}"
    return Subject(title, model, X, y, classroom=True)


def _fitted(X: Any, y: NDArray[Any], max_depth: int | None) -> Any:
    """Grow one tree: for classes if the target is text or has few whole numbers, otherwise for numbers."""
    try:
        from glasswood.estimators import TreeClassifier, TreeRegressor
    except ImportError:
        raise MissingDependencyError("growing a tree needs scikit-learn: pip install 'glasswood[web]'") from None
    grow = TreeClassifier if y.dtype.kind in "OUbi" else TreeRegressor
    return grow(max_depth=max_depth).fit(X, y)


def _check_classes(target: str, y: NDArray[Any]) -> None:
    """Refuse a target with so many classes that a tree, whose nodes have a number for each class, is too large."""
    n = len(np.unique(y)) if y.dtype.kind in "OU" else 0
    if n > _MAX_TEXTS:
        raise FieldError(
            "target",
            f"{target} has {n:,} different texts, and a tree tells at most {_MAX_TEXTS} classes apart here: "
            "choose a column of numbers or of fewer classes",
        )


def _target(table: SentTable, name: str) -> NDArray[Any]:
    """Targets: text or few distinct whole numbers are classes; others are numbers."""
    try:
        values = read_vector(table.frame[name], table.n_rows, what=name)
    except TableError as error:
        raise FieldError("target", str(error)) from None
    if values.dtype.kind in "OUb":
        return values
    large = np.flatnonzero(np.abs(values) > _LARGEST)
    if len(large):
        raise FieldError("target", f"{name} is {values[large[0]]:g} in row {large[0]}; variances square it: rescale it")
    whole = bool((values == np.round(values)).all()) and bool((np.abs(values) < 2**53).all())
    few = whole and len(np.unique(values)) <= _MAX_CLASSES
    return values.astype(np.int64 if few else np.float64)
