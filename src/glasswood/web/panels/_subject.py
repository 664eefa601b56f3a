"""Subject: a model and the rows to explain it with, from which every panel is built."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood.ensemble import Ensemble, model_table
from glasswood.errors import TableError
from glasswood.explain.effects import effects
from glasswood.readers import as_ensemble
from glasswood.results import Effects
from glasswood.tables import Columns, Table, date_columns, read_table, row_labels
from glasswood.web.page._text import shortened
from glasswood.web.panels._seen_values import Seen, seen_numbers


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Rows that a model was trained on, beside the rows it is explained on."""

    X: Table
    y: Any  # (n_rows,)
    sample_weight: Any = None  # (n_rows,)


@dataclass(frozen=True, slots=True, eq=False)
class OtherModel:
    """A model to compare with, and the same rows with the columns of both models."""

    model: Any  # what `read` takes
    X: Table


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model, rows and, if they are known, their targets."""

    title: str
    model: Any  # what `read` takes
    X: Table
    y: Any = None  # (n_rows,)
    sample_weight: Any = None  # (n_rows,)
    n_examples: int = 24  # rows of X to choose from among the examples
    min_rows_per_leaf: int = 1  # privacy limit of the examples
    n_jobs: int | None = None
    max_nodes: int = 4_000  # of all shown trees together
    max_values: int = 60_000  # of the rows drawn with them
    max_tree_bytes: int | None = None  # of the tree panel; None: no limit
    progress: bool = False  # show bars for long work
    classroom: bool = False  # the rows are one of the app's toy tables
    first_tree: int = 0  # the tree panel shows this tree and those after it
    feature: str | None = None  # the effects panel draws this feature only
    training: Training | None = None  # rows that the model was trained on, if they are given apart
    other: OtherModel | None = None  # another model to compare with
    _known: dict[str, Any] = field(default_factory=dict)  # what several panels need, computed when first asked for

    def ensemble(self) -> Ensemble:
        """The ensemble, checked on the rows; a model without names takes those of the table."""
        return derived(self._known, "ensemble", lambda: _named(self._checked(), self.rows().names))

    def rows(self) -> Columns:
        """The rows after reading, with what steps of a pipeline compute of them as features."""
        return derived(self._known, "rows", lambda: read_table(model_table(self.X, self._checked().features)))

    def _checked(self) -> Ensemble:
        """The ensemble, compared with its library on the caller's own table."""
        return derived(self._known, "checked", lambda: as_ensemble(self.model, self.X))

    def raw(self) -> NDArray[np.float64]:
        """Raw predictions of all rows, (n_rows, n_outputs)."""
        return derived(self._known, "raw", self._raw)

    def _raw(self) -> NDArray[np.float64]:
        raw = self.ensemble().predict_raw(self.rows(), n_jobs=self.n_jobs)
        return raw.reshape(len(raw), -1)

    def predictions(self) -> NDArray[np.float64]:
        """Predictions of all rows, (n_rows, n_outputs); of a model with a known link."""
        return derived(self._known, "predictions", self._predictions)

    def _predictions(self) -> NDArray[np.float64]:
        ensemble = self.ensemble()
        return ensemble.link.inverse(self.raw(), objective=ensemble.source.objective, notes=ensemble.source.notes)

    def effects(self) -> Effects:
        """Effects of all features over the rows."""
        return derived(
            self._known,
            "effects",
            lambda: effects(
                self.ensemble(),
                self.rows(),
                sample_weight=self.sample_weight,
                n_jobs=self.n_jobs,
                progress=self.progress,
            ),
        )

    def dates(self) -> frozenset[str]:
        """Names of the features that are dates in the table."""
        return derived(self._known, "dates", lambda: _dates(self.ensemble(), self.X))

    def row_name(self, row: int) -> str:
        """Name of a row: its number and, if the table has an index of its own, its index entry."""
        labels = derived(self._known, "labels", lambda: row_labels(self.X))
        return f"row {row}" if labels is None else f"row {row} ({shortened(str(labels[row]), 40)})"

    def seen(self) -> dict[str, Seen]:
        """Numbers in the rows, by feature."""
        return derived(self._known, "seen", lambda: seen_numbers(self.ensemble(), self.rows(), self.sample_weight))


def training_subject(subject: Subject) -> Subject:
    """The same model on the rows it was trained on; they are read once."""
    training = subject.training
    if training is None:
        raise TableError("no training rows were given")
    return derived(
        subject._known,
        "training",
        lambda: Subject(
            subject.title,
            subject.ensemble(),
            training.X,
            training.y,
            training.sample_weight,
            n_jobs=subject.n_jobs,
            progress=subject.progress,
        ),
    )


def _dates(ensemble: Ensemble, X: Table) -> frozenset[str]:
    names, are_dates = date_columns(X)
    if names is not None and ensemble.features.named:
        return frozenset(name for name, j in ensemble.features.find(names).items() if are_dates[j])
    return frozenset(name for name, is_date in zip(ensemble.feature_names, are_dates, strict=False) if is_date)


def _named(ensemble: Ensemble, names: tuple[str, ...] | None) -> Ensemble:
    features = ensemble.features
    if features.named or names is None or len(names) != len(features) or len(set(names)) != len(names):
        return ensemble
    return ensemble._with_features(replace(features, names=names, named=True))
