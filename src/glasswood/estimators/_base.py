"""Base classes of the estimators: they check rows and targets like scikit-learn and predict with the ensemble."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Real
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, column_or_1d, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from glasswood._exact import exact_group_sums, exact_sum
from glasswood._powers import power_of, times_power
from glasswood._version import __version__
from glasswood.ensemble import Ensemble, Provenance, largest_share
from glasswood.errors import TableError
from glasswood.tables import (
    Columns,
    Table,
    class_labels,
    class_names,
    is_scipy_sparse,
    n_rows_of,
    read_table,
    read_vector,
    read_weight,
)
from glasswood.train import ClassTarget, NumberTarget, TrainingTable, gain_importance, training_table
from glasswood.train.forest import TreeOptions

Fit = TypeVar("Fit", bound=Callable[..., Any])
Options = TypeVar("Options", bound=TreeOptions)


def all_or_nothing(fit: Fit) -> Fit:
    """Decorate `fit` so that a failed or interrupted fit leaves the estimator unchanged."""

    @wraps(fit)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return cast(Fit, whole)


class EnsembleEstimator(BaseEstimator):
    """An estimator whose fitted model is `ensemble_`."""

    ensemble_: Ensemble
    n_features_in_: int
    n_jobs: int | None

    def _read_training_table(self, X: Table) -> TrainingTable:
        """Read the training rows and remember their features."""
        table = read_rows(X)
        validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = table.n_columns
        return training_table(table)

    def _checked_rows(self, X: Table) -> Table:
        """Rows to predict; their features must be those of the training rows."""
        check_is_fitted(self, "ensemble_")
        if is_scipy_sparse(X):
            n_rows_of(X)  # refuses what is no table before scikit-learn looks for its features
        elif isinstance(X, np.ndarray) or not hasattr(X, "columns"):
            X = _as_array(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _source(self, objective: str) -> Provenance:
        return Provenance(
            library="glasswood",
            version=__version__,
            model=type(self).__name__,
            objective=objective,
            weight_kind="weights",
        )

    def apply(self, X: Table) -> NDArray[np.int32]:
        """Leaf each row reaches in each tree, (n_rows, n_trees), numbered from the root of the tree."""
        rows = self._checked_rows(X)
        return self.ensemble_.apply(rows, n_jobs=self.n_jobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class GrownEstimator(EnsembleEstimator):
    """An estimator whose trees are grown by the gain of their splits."""

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the gain of all splits, (n_features,)."""
        check_is_fitted(self, "ensemble_")
        return gain_importance(self.ensemble_)


class EnsembleRegressor(RegressorMixin, EnsembleEstimator):
    """A regressor that predicts with its ensemble."""

    def predict(self, X: Table) -> NDArray[np.float64]:
        """Predicted target of each row, (n_rows,)."""
        rows = self._checked_rows(X)
        return self.ensemble_.predict(rows, n_jobs=self.n_jobs)


class EnsembleClassifier(ClassifierMixin, EnsembleEstimator):
    """A classifier whose class shares are the prediction of its ensemble."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Table) -> NDArray[np.float64]:
        """Predicted share of each class, (n_rows, n_classes)."""
        rows = self._checked_rows(X)
        share = self.ensemble_.predict(rows, n_jobs=self.n_jobs)
        if share.ndim == 2:
            return share
        return share[:, None] if len(self.classes_) == 1 else np.column_stack([1.0 - share, share])

    def predict(self, X: Table) -> NDArray[Any]:
        """Class with the largest share, (n_rows,); of equal shares, the first."""
        share = self.predict_proba(X)  # raises if the model is not fitted
        winner: NDArray[Any] = self.classes_[largest_share(share)]
        return winner

    def _source(self, objective: str) -> Provenance:
        return dataclasses.replace(super()._source(objective), classes=class_labels(self.classes_))

    def _read_classes(self, y: Any, n_rows: int) -> ClassTarget:
        """Read the target and remember its classes."""
        values = read_target(y, n_rows)
        check_classification_targets(values)
        self.classes_, labels = np.unique(values, return_inverse=True)
        return ClassTarget(labels=labels.astype(np.int32), classes=class_names(self.classes_))


def options_of(estimator: BaseEstimator, options: type[Options]) -> Options:
    """Options for training, from the parameters of the same names."""
    given = estimator.get_params(deep=False)
    return options(**{field.name: given[field.name] for field in dataclasses.fields(options) if field.name in given})


def read_rows(X: Table) -> Columns:
    """Read a training table; it needs at least one row and one column."""
    table = read_part(X)
    if table.n_rows == 0 or table.n_columns == 0:
        what = "sample" if table.n_rows == 0 else "feature"
        raise TableError(
            f"found a table with 0 {what}(s) (shape=({table.n_rows}, {table.n_columns})) "
            "while a minimum of 1 is required."
        )
    return table


def read_part(X: Table) -> Columns:
    """Read the rows of one member of a team, which may have none."""
    return read_table(X if hasattr(X, "columns") or is_scipy_sparse(X) else _as_array(X))


def read_numbers(y: Any, n_rows: int) -> NumberTarget:
    """Read a target of numbers."""
    values = read_target(y, n_rows)
    if values.dtype.kind not in "biuf":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise TableError("y holds text; a regression target must be numbers") from None
    return NumberTarget(np.ascontiguousarray(values, dtype=np.float64))


def read_sample_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Read weights: numbers of at least 0, one per row; a single number is the weight of every row."""
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, float(sample_weight))
    weight = read_weight(sample_weight, n_rows)
    return None if weight is None else np.ascontiguousarray(weight)


def with_class_weight(
    weight: NDArray[np.float64] | None,
    class_weight: Mapping[Any, float] | str | None,
    target: ClassTarget,
    classes: NDArray[Any],
) -> NDArray[np.float64] | None:
    """Weights of the rows times those of their classes."""
    if class_weight is None:
        return weight
    # "balanced" sums weights, so that a weight of k is equivalent to k rows
    of_class = compute_sample_weight(class_weight, classes[target.labels])
    if class_weight == "balanced" and weight is not None:
        ordinary = times_power(weight, -power_of(weight))
        mass = exact_group_sums(target.labels, ordinary, len(classes))
        share = np.divide(exact_sum(ordinary), len(classes) * mass, out=np.zeros_like(mass), where=mass > 0)
        of_class = share[target.labels]
    with np.errstate(over="ignore"):
        product = of_class if weight is None else weight * of_class
        total = product.sum()  # needed only to check that it is finite
    if not np.isfinite(total):
        raise TableError("the sum of sample_weight times class_weight is infinite; divide either by a constant")
    return np.ascontiguousarray(product, dtype=np.float64)


def _as_array(X: Any) -> Any:
    """Check arrays and lists as scikit-learn does, but allow NaN and infinities."""
    if type(X) is dict or hasattr(X, "__arrow_c_stream__"):
        return X
    array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=0, ensure_min_features=0)
    if array.dtype.kind == "O":
        containers = {type(item).__name__ for item in array.flat if isinstance(item, dict | list | set | tuple)}
        if containers:
            raise TypeError(f"X holds {containers.pop()} objects; an argument must be a string or a number")
    return array


def read_target(y: Any, n_rows: int) -> NDArray[Any]:
    """Read one value per row, without conversion."""
    if y is None:
        raise TableError("fit requires y to be passed, but the target y is None")
    if getattr(y, "ndim", 1) == 2:
        y = column_or_1d(y, warn=True)
    return read_vector(y, n_rows)
