"""DaskBoostingRegressor and DaskBoostingClassifier: the boosting estimators on the workers of a Dask cluster."""

from typing import Any

import numpy as np

from glasswood._checks import seed_of
from glasswood.dask._collections import check_collection
from glasswood.dask._fit import SILENCE, Partitions, fit_on_workers, get_client
from glasswood.dask._predict import map_rows
from glasswood.errors import OptionError, TableError
from glasswood.estimators import (
    BoostingClassifier,
    BoostingRegressor,
    all_or_nothing,
    check_is_fitted,
    read_eval_set,
)
from glasswood.team import Exchange


def _fit(estimator: Any, local: Any, X: Any, y: Any, given: dict[str, Any], eval_set: Any, client: Any) -> None:
    """Fit a local estimator on the workers and take over what it has learnt."""
    instead = type(local).__name__
    row_id = given.get("row_id")
    if isinstance(row_id, str):
        check_collection(X, "X", instead)
        if row_id not in X.columns:
            raise TableError(f"row_id: X has no column {row_id!r}")
        given["row_id"], X = X[row_id], X.drop(columns=row_id)
    train = {"X": X, "y": y, **{name: value for name, value in given.items() if value is not None}}
    names = ("X", "y", "sample_weight", "offset")
    evaluate = [
        {name: value for name, value in zip(names, table, strict=True) if value is not None}
        for table in read_eval_set(eval_set)
    ]
    for where, tables in (("", train), *((f"eval{j}: ", table) for j, table in enumerate(evaluate))):
        for name, table in tables.items():
            check_collection(table, where + name, instead)
    client = get_client(client)
    local.set_params(random_state=seed_of(local.random_state))  # the same on all workers
    parts = Partitions(client, train)
    watched = [Partitions(client, table, f"eval{j}: ") for j, table in enumerate(evaluate)]
    fitted = fit_on_workers(client, local, parts, watched, SILENCE)
    learnt = {name: value for name, value in vars(fitted).items() if name not in fitted.get_params(deep=False)}
    vars(estimator).update(learnt)


def _refuse_not_yet(team: Any, progress: bool) -> None:
    if team is not None:
        raise OptionError("a Dask estimator makes a team of its workers; use BoostingRegressor or BoostingClassifier")
    if progress:
        raise OptionError("progress is not shown for fits on a cluster yet; Dask's dashboard shows the tasks")


def _refuse_offset(offset: Any) -> None:
    if offset is not None:
        raise OptionError("predictions of Dask collections take no offset yet; map to_local().predict over partitions")


def _local(estimator: Any, kind: Any) -> Any:
    return kind(**estimator.get_params(deep=False))


def _to_local(estimator: Any, kind: Any) -> Any:
    check_is_fitted(estimator, "ensemble_")
    local = _local(estimator, kind)
    vars(local).update(vars(estimator))
    return local


class DaskBoostingRegressor(BoostingRegressor):
    """`BoostingRegressor` on the workers of a Dask cluster, with the bits of a fit in one process.

    The parameters are those of `BoostingRegressor`. With `n_jobs=None`, each worker uses its own number of threads.
    """

    @all_or_nothing
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        eval_set: Any = None,
        row_id: Any = None,
        team: Exchange | None = None,
        progress: bool = False,
        client: Any = None,
    ) -> "DaskBoostingRegressor":
        """Fit the boosted ensemble.

        Parameters
        ----------
        X : Dask DataFrame or Array
            An array must not be cut by column.
        y : Dask Series or Array
            In the same partitions as X, like the next two.
        sample_weight : Dask Series or Array, optional
        offset : Dask Series or Array, optional
            Added to raw, on the link scale.
        eval_set : list of (X, y[, sample_weight[, offset]]), optional
            Collections whose metrics `history_` keeps; they may be cut in any way.
        row_id : str, Dask Series or Array, optional
            A column of X, which is then no feature, or a collection: a unique whole number for each row. Rows are then
            drawn by this number, and the model has the same bits for any order of the rows; without it, by position.
        team : None
            The workers are the team; any other is refused.
        progress : bool
            Not taken yet; Dask's dashboard shows the tasks.
        client : distributed.Client, optional
            By default the current one.
        """
        _refuse_not_yet(team, progress)
        given = {"sample_weight": sample_weight, "offset": offset, "row_id": row_id}
        _fit(self, _local(self, BoostingRegressor), X, y, given, eval_set, client)
        return self

    def predict(self, X: Any, *, offset: Any = None) -> Any:
        """Predicted target of each row: a Dask Series or Array, which is computed later."""
        check_is_fitted(self, "ensemble_")
        _refuse_offset(offset)
        check_collection(X, "X", "to_local().predict")
        return map_rows(self.to_local().predict, X, np.dtype(np.float64), None)

    def to_local(self) -> BoostingRegressor:
        """A `BoostingRegressor` with the same model."""
        found: BoostingRegressor = _to_local(self, BoostingRegressor)
        return found


class DaskBoostingClassifier(BoostingClassifier):
    """`BoostingClassifier` on the workers of a Dask cluster, with the bits of a fit in one process.

    The parameters are those of `BoostingClassifier`. With `n_jobs=None`, each worker uses its own number of threads.
    """

    @all_or_nothing
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        eval_set: Any = None,
        row_id: Any = None,
        team: Exchange | None = None,
        progress: bool = False,
        client: Any = None,
    ) -> "DaskBoostingClassifier":
        """Fit the boosted ensemble; the arguments are those of `DaskBoostingRegressor.fit`, y holds labels."""
        _refuse_not_yet(team, progress)
        given = {"sample_weight": sample_weight, "offset": offset, "row_id": row_id}
        _fit(self, _local(self, BoostingClassifier), X, y, given, eval_set, client)
        return self

    def predict(self, X: Any, *, offset: Any = None) -> Any:
        """Class with the largest probability: a Dask Series or Array, which is computed later."""
        check_is_fitted(self, "ensemble_")
        _refuse_offset(offset)
        check_collection(X, "X", "to_local().predict")
        return map_rows(self.to_local().predict, X, self.classes_.dtype, None)

    def predict_proba(self, X: Any, *, offset: Any = None) -> Any:
        """Predicted probability of each class: a Dask DataFrame or Array, which is computed later."""
        check_is_fitted(self, "ensemble_")
        _refuse_offset(offset)
        check_collection(X, "X", "to_local().predict_proba")
        return map_rows(self.to_local().predict_proba, X, np.dtype(np.float64), self.classes_.tolist())

    def to_local(self) -> BoostingClassifier:
        """A `BoostingClassifier` with the same model."""
        found: BoostingClassifier = _to_local(self, BoostingClassifier)
        return found
