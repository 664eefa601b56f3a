"""Base class of the boosting estimators: reads all tables, boosts, and predicts with an offset or by rounds."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from glasswood._checks import check_choice, seed_of
from glasswood._jobs import resolve_n_jobs
from glasswood._version import __version__
from glasswood.ensemble import AlignedRows, FeatureSchema, Label, align
from glasswood.errors import OptionError, TableError
from glasswood.estimators._base import GrownEstimator, read_part, read_rows, read_sample_weight
from glasswood.estimators._boosting_inputs import (
    read_boosting_weight,
    read_eval_set,
    read_offset,
    read_row_id,
    with_categories,
)
from glasswood.estimators._parted_table import PartedTable, PartedTraining
from glasswood.estimators._team_inputs import (
    check_same_arguments,
    check_weights_count,
    shared_parts,
    shared_row_id,
    shared_table,
)
from glasswood.gpu import device_matrix, find_edges, is_on_device, on_host, predict_raw, start_device_rounds
from glasswood.results import TrainingHistory
from glasswood.tables import Columns, Table
from glasswood.team import Exchange, agree, gather_json
from glasswood.train import PartedRows, TrainingTable, training_table
from glasswood.train.boosting import Boosted, BoostingOptions, BoostingTable, boost, check_team_options, set_aside

Floats = NDArray[np.float64]


def options_of(estimator: BaseEstimator, **changed: Any) -> BoostingOptions:
    """Options from the parameters of the same names."""
    given = {**estimator.get_params(deep=False), **changed}
    return BoostingOptions(**{name: given[name] for name in BoostingOptions.__dataclass_fields__ if name in given})


class BoostingEstimator(GrownEstimator):
    """A boosting estimator; subclasses read targets and return predictions."""

    history_: TrainingHistory
    categorical_features: Any
    device: str
    warm_start: bool
    random_state: Any
    n_jobs: int | None
    _boosted: Boosted

    def _target(self, y: Any, n_rows: int) -> Floats:
        """Read a target in the form the loss needs."""
        raise NotImplementedError

    def _fit(
        self,
        table: TrainingTable | PartedTraining,
        y: Floats,
        options: BoostingOptions,
        outputs: tuple[str, ...],
        *,
        sample_weight: Any,
        offset: Any,
        eval_set: Any,
        row_id: Any,
        team: Exchange,
        progress: bool,
        classes: tuple[Label, ...] = (),
    ) -> None:
        """Boost."""
        check_choice("device", self.device, ("cpu", "cuda"))
        features, k = table.features, len(outputs)
        train = _table("train", table.rows, y, sample_weight, offset, k, row_id, team)
        before = self._before(features)
        seed = gather_json(team, seed_of(self.random_state))[0] if before is None else before.seed
        evaluate = [
            self._evaluation(f"eval{j}", *part, features, k, team) for j, part in enumerate(read_eval_set(eval_set))
        ]
        if options.early_stopping and not evaluate:
            train, valid = set_aside(train, options.validation_fraction, seed, team)
            evaluate = [valid]
        boosted = boost(
            train,
            features,
            options,
            outputs=outputs,
            evaluate=evaluate,
            seed=seed,
            before=before,
            model=type(self).__name__,
            version=__version__,
            team=team,
            make_rounds=start_device_rounds if self.device == "cuda" else None,
            find_edges=find_edges,
            n_threads=resolve_n_jobs(self.n_jobs),
            progress=progress,
        )
        source = dataclasses.replace(boosted.ensemble.source, classes=classes)
        self._boosted = dataclasses.replace(boosted, ensemble=boosted.ensemble._with_source(source))
        self.ensemble_, self.history_ = self._boosted.ensemble, self._boosted.history

    def _training_table(self, X: Table | PartedTable, team: Exchange) -> TrainingTable | PartedTraining:
        if isinstance(X, PartedTable):
            agree(team, lambda: self._part(X.empty))
            return shared_parts(team, lambda k: self._part(X.load(k)), X.n_rows)
        if team.size > 1:
            return shared_table(team, agree(team, lambda: self._part(X)))
        if is_on_device(X):
            return self._device_table(X)
        table = self._read_training_table(X)
        return table if self._by_dtype else training_table(with_categories(read_rows(X), self.categorical_features))

    @property
    def _by_dtype(self) -> bool:
        """Whether columns say themselves that they are categories; an array is not compared with a text."""
        return isinstance(self.categorical_features, str) and self.categorical_features == "from_dtype"

    def _device_table(self, X: Any) -> TrainingTable:
        """Rows that lie on a GPU and stay there."""
        if self.device != "cuda":
            raise OptionError(f"X lies on a GPU; got device={self.device!r}: set device='cuda', or copy X to the host")
        if self.categorical_features is not None and not self._by_dtype:
            raise OptionError("categorical_features needs X in the memory of the host; X lies on a GPU")
        given = device_matrix(X)
        n, n_features = given.matrix.shape
        if n == 0 or n_features == 0:
            raise TableError(f"X must have at least one row and one column; got {(n, n_features)}")
        validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = n_features
        names = FeatureSchema.positions(n_features) if given.names is None else given.names
        features = FeatureSchema.numeric(names, named=given.names is not None)
        return TrainingTable(features=features, rows=_elsewhere(given.matrix))

    def _part(self, X: Table) -> Columns:
        """Rows of one member of a team, which may have none."""
        if self.warm_start:
            raise OptionError("warm_start is not taken by a team yet; set warm_start=False")
        columns = read_part(X)
        validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = columns.n_columns
        return columns if self._by_dtype else with_categories(columns, self.categorical_features)

    def _options(self) -> BoostingOptions:
        """Options from the parameters."""
        raise NotImplementedError

    def _check_team(self, team: Exchange, options: BoostingOptions, n_rows: int, eval_set: Any, **given: Any) -> None:
        """Raise if the members do not fit the same model."""
        if team.size == 1:
            return
        name = options.loss if isinstance(options.loss, str) else type(options.loss).__name__
        tables = agree(team, lambda: [[part[2] is not None, part[3] is not None] for part in read_eval_set(eval_set)])
        told = f"{dataclasses.replace(options, loss=name)!r} and {len(tables)} tables of eval_set"
        check_same_arguments(team, told, n_rows, {key: value is not None for key, value in given.items()})

    def _before(self, features: FeatureSchema) -> Boosted | None:
        """Earlier rounds to continue, if there are any."""
        if not self.warm_start or not hasattr(self, "_boosted"):
            return None
        known = self._boosted.ensemble.features
        if features != known:
            raise TableError(f"warm_start cannot continue: {_difference(known, features)}; set warm_start=False")
        return self._boosted

    def _evaluation(
        self,
        name: str,
        X: Table | PartedTable,
        y: Any,
        weight: Any,
        offset: Any,
        features: FeatureSchema,
        n_outputs: int,
        team: Exchange,
    ) -> BoostingTable:
        """One table of eval_set."""
        try:
            rows = agree(team, lambda: self._evaluation_rows(X, features, team))
            target = agree(team, lambda: self._target(y, rows.n_rows))
            return _table(name, rows, target, weight, offset, n_outputs, None, team)
        except TableError as error:
            raise TableError(f"{name}: {error}") from None

    def _evaluation_rows(
        self, X: Table | PartedTable, features: FeatureSchema, team: Exchange
    ) -> AlignedRows | PartedRows:
        if isinstance(X, PartedTable):
            load, empty = X.load, align(read_part(X.empty), features)
            return PartedRows.of(X.n_rows, lambda k: align(read_part(load(k)), features), empty)
        if not is_on_device(X):
            return align(read_rows(X) if team.size == 1 else read_part(X), features)
        if self.device != "cuda":
            raise TableError(f"X lies on a GPU; got device={self.device!r}: copy X to the host")
        return _elsewhere(device_matrix(X, features).matrix)

    def _raw(self, X: Table, offset: Any) -> Floats:
        """Raw of each row plus the offset, (n_rows, n_outputs)."""
        if is_on_device(X):
            check_is_fitted(self, "ensemble_")
            raw: Floats = on_host(predict_raw(self.ensemble_, X))
        else:
            rows = self._checked_rows(X)  # raises if the model is not fitted
            raw = self.ensemble_.predict_raw(rows, n_jobs=self.n_jobs)
        raw = raw[:, None] if raw.ndim == 1 else raw
        shift = read_offset(offset, len(raw), self.ensemble_.n_outputs)
        return raw if shift is None else raw + shift.T

    def _staged_raw(self, X: Table, offset: Any) -> Iterator[Floats]:
        """Raw after every round."""
        rows = self._checked_rows(X)
        model = self.ensemble_
        leaf = model.apply(rows, n_jobs=self.n_jobs)
        raw = np.tile(model.baseline, (len(leaf), 1))
        shift = read_offset(offset, len(leaf), model.n_outputs)
        for tree in range(model.n_trees):
            output = model.tree_output[tree]
            raw[:, output] += model.value[model.tree_start[tree] + leaf[:, tree], 0]
            if output == model.n_outputs - 1:
                yield raw.copy() if shift is None else raw + shift.T  # the offset is added last, as in `_raw`

    def _inverse(self, raw: Floats) -> Floats:
        model = self.ensemble_
        return model.link.inverse(raw, objective=model.source.objective)


def check_before_work(estimator: BoostingEstimator, empty: Table) -> None:
    """Raise for parameters that no team takes; `empty` is the table without its rows."""
    check_choice("device", estimator.device, ("cpu", "cuda"))
    if estimator.device == "cuda":
        raise OptionError("device='cuda' is not taken by a team; set device='cpu'")
    resolve_n_jobs(estimator.n_jobs)
    check_team_options(estimator._options(), training_table(estimator._part(empty)).features)


def _elsewhere(matrix: Any) -> AlignedRows:
    """Rows that only a device reads."""
    return AlignedRows(matrix.shape[0], matrix)


def _table(
    name: str,
    rows: AlignedRows | PartedRows,
    y: Floats,
    weight: Any,
    offset: Any,
    n_outputs: int,
    row_id: Any,
    team: Exchange,
) -> BoostingTable:
    n = rows.n_rows
    weight, offset, row_id = on_host(weight), on_host(offset), on_host(row_id)
    if team.size == 1:
        weights = read_boosting_weight(weight, n)
    else:
        given = agree(team, lambda: read_sample_weight(weight, n))
        weights = np.empty(0) if given is None else given
        check_weights_count(team, weights)
    numbers = agree(team, lambda: read_row_id(row_id, n))
    return BoostingTable(
        name=name,
        rows=rows,
        y=y,
        weight=weights,
        offset=agree(team, lambda: read_offset(offset, n, n_outputs)),
        row_id=numbers if team.size == 1 else shared_row_id(team, numbers, n, row_id is not None),
    )


def _difference(before: FeatureSchema, now: FeatureSchema) -> str:
    """Say how two schemas differ."""
    if before.names != now.names:
        first, then = (f"{', '.join(names[:5])}{', …' * (len(names) > 5)}" for names in (before.names, now.names))
        return f"the rounds before had the features {first}; X has {then}"
    for name, levels, levels_now in zip(now.names, before.categories, now.categories, strict=True):
        if levels != levels_now:
            return f"the levels of {name!r} are not those of the rounds before; declare all of them as a category dtype"
    return "the features are not those of the rounds before"
