"""DaskBoostingRegressor and DaskBoostingClassifier: the boosting estimators on the workers of a Dask cluster."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from glasswood._checks import seed_of
from glasswood._progress import Progress
from glasswood.dask._checkpoint import Checkpoint, folder_of
from glasswood.dask._collections import check_collection, kinds_of, no_rows
from glasswood.dask._fit import Timeouts, fit_on_workers, get_client
from glasswood.dask._partitions import Partitions
from glasswood.dask._predict import map_rows
from glasswood.errors import OptionError, TableError
from glasswood.estimators import (
    BoostingClassifier,
    BoostingRegressor,
    all_or_nothing,
    check_before_work,
    check_is_fitted,
    read_eval_set,
)
from glasswood.team import Exchange, range_of
from glasswood.train.boosting import RoundRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """How a fit is carried out on a cluster; no bit of the model depends on it."""

    client: Any
    checkpoint: Any
    max_restarts: int
    silence: float
    ports: Any
    progress: bool


def _fit(
    estimator: Any, local: Any, X: Any, y: Any, given: dict[str, Any], eval_set: Any, team: Any, way: _Way
) -> None:
    """Fit a local estimator on the workers and take over what it has learnt."""
    if team is not None:
        raise OptionError("a Dask estimator makes a team of its workers; use BoostingRegressor or BoostingClassifier")
    timeouts = Timeouts(silence=way.silence, max_restarts=way.max_restarts)
    range_of(way.ports)
    folder = None if way.checkpoint is None else folder_of(way.checkpoint)
    train, evaluate = _collections(X, y, given, eval_set, type(local).__name__)
    check_before_work(local, no_rows(train["X"]))
    client = get_client(way.client)
    local.set_params(random_state=seed_of(local.random_state))  # the same on all workers
    looked: dict[str, Any] = {"with_fingerprint": folder is not None}
    parts = Partitions(client, train, timeouts.silence, **looked)
    watched = [Partitions(client, table, timeouts.silence, f"eval{j}: ", **looked) for j, table in enumerate(evaluate)]
    saved = None if folder is None else Checkpoint(folder, _about(local, train["X"], parts, watched))
    earlier = [] if saved is None else saved.read()
    with Progress("boosting", local.n_estimators, show=way.progress, done=len(earlier), left=True) as bar:

        def note(new: list[RoundRecord]) -> None:
            bar.step(len(new))
            if saved is not None:
                saved.write(new)

        fitted = fit_on_workers(
            client, local, parts, watched, timeouts, ports=way.ports, earlier=earlier, on_rounds=note
        )
    learnt = {name: value for name, value in vars(fitted).items() if name not in fitted.get_params(deep=False)}
    vars(estimator).update(learnt)


def _collections(
    X: Any, y: Any, given: dict[str, Any], eval_set: Any, instead: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The collections of the training table and of each evaluation table, by the names of their arguments."""
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
    return train, evaluate


def _about(local: Any, X: Any, parts: Partitions, watched: list[Partitions]) -> dict[str, Any]:
    """What a checkpoint is the checkpoint of."""
    parameters = {name: repr(value) for name, value in local.get_params(deep=False).items() if name != "n_jobs"}
    return {
        "estimator": type(local).__name__,
        **parameters,
        "columns": kinds_of(X),
        "arguments": sorted(parts.futures),
        "rows of X": sum(parts.n_rows),
        "rows of eval_set": [sum(table.n_rows) for table in watched],
        "hash of all values": parts.fingerprint,
        "hash of eval_set": [table.fingerprint for table in watched],
    }


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
        checkpoint: Any = None,
        max_restarts: int = 3,
        silence: float = 60.0,
        ports: Any = 0,
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
            Show a bar on stderr: rounds, time and time left.
        client : distributed.Client, optional
            By default the current one.
        checkpoint : path, optional
            A folder for the rounds as they are finished. If the client dies, a fit of the same data and parameters with
            the same folder goes on after the last of them, and ends with the same bits.
        max_restarts : int
            If a worker is lost, the others go on from the last finished round. This is how often they may begin again
            without a finished round in between; then `TeamLostError` is raised.
        silence : float
            Seconds without any sign of life after which a worker counts as lost.
        ports : int or (int, int)
            The port each worker opens for the others, on its own address, or a range of ports; 0: any free port.
        """
        given = {"sample_weight": sample_weight, "offset": offset, "row_id": row_id}
        way = _Way(
            client=client,
            checkpoint=checkpoint,
            max_restarts=max_restarts,
            silence=silence,
            ports=ports,
            progress=progress,
        )
        _fit(self, _local(self, BoostingRegressor), X, y, given, eval_set, team, way)
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
        checkpoint: Any = None,
        max_restarts: int = 3,
        silence: float = 60.0,
        ports: Any = 0,
    ) -> "DaskBoostingClassifier":
        """Fit the boosted ensemble; the arguments are those of `DaskBoostingRegressor.fit`, y holds labels."""
        given = {"sample_weight": sample_weight, "offset": offset, "row_id": row_id}
        way = _Way(
            client=client,
            checkpoint=checkpoint,
            max_restarts=max_restarts,
            silence=silence,
            ports=ports,
            progress=progress,
        )
        _fit(self, _local(self, BoostingClassifier), X, y, given, eval_set, team, way)
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
