"""What both boosting estimators do: read every table alike, boost, predict with an offset, round by round."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

import glasswood
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import AlignedRows, FeatureSchema, align
from glasswood.errors import OptionError, TableError
from glasswood.estimators._base import EnsembleEstimator, read_rows, read_sample_weight, seed_of
from glasswood.results import TrainingHistory
from glasswood.tables import CategoryColumn, Columns, Table, read_vector
from glasswood.train import Boosted, BoostingOptions, BoostingTable, TrainingTable, boost, training_table

Floats = NDArray[np.float64]


def options_of(estimator: BaseEstimator, **changed: Any) -> BoostingOptions:
    """Options from the parameters that carry their names."""
    given = {**estimator.get_params(deep=False), **changed}
    return BoostingOptions(**{name: given[name] for name in BoostingOptions.__dataclass_fields__ if name in given})


class BoostingEstimator(EnsembleEstimator):
    """An estimator that boosts; its subclasses read targets and shape predictions."""

    history_: TrainingHistory
    categorical_features: Any
    warm_start: bool
    random_state: Any
    n_jobs: int | None
    _boosted: Boosted

    def _target(self, y: Any, n_rows: int) -> Floats:
        """Read a target as the loss takes it."""
        raise NotImplementedError

    def _fit(
        self,
        table: TrainingTable,
        y: Floats,
        options: BoostingOptions,
        outputs: tuple[str, ...],
        given: tuple[Any, Any, Any, bool],
    ) -> None:
        """Boost."""
        sample_weight, offset, eval_set, progress = given
        n_rows, features, k = table.rows.n_rows, table.features, len(outputs)
        weight = _weight(sample_weight, n_rows)
        train = BoostingTable(name="train", rows=table.rows, y=y, weight=weight, offset=read_offset(offset, n_rows, k))
        before = self._before(features)
        seed = seed_of(self.random_state) if before is None else before.seed
        evaluate = [self._evaluation(part, f"eval{j}", features, k) for j, part in enumerate(_parts(eval_set))]
        if options.early_stopping and not evaluate:
            train, valid = _set_aside(train, options.validation_fraction, seed)
            evaluate = [valid]
        self._boosted = boost(
            train,
            features,
            options,
            outputs=outputs,
            evaluate=evaluate,
            seed=seed,
            before=before,
            model=type(self).__name__,
            version=glasswood.__version__,
            n_threads=resolve_n_jobs(self.n_jobs),
            progress=progress,
        )
        self.ensemble_, self.history_ = self._boosted.ensemble, self._boosted.history

    def _training_table(self, X: Table) -> TrainingTable:
        table = self._read_training_table(X)
        if isinstance(self.categorical_features, str) and self.categorical_features == "from_dtype":
            return table
        return training_table(with_categories(read_rows(X), self.categorical_features))

    def _before(self, features: FeatureSchema) -> Boosted | None:
        """Rounds to go on from."""
        if not self.warm_start or not hasattr(self, "_boosted"):
            return None
        known = self._boosted.ensemble.features
        if features != known:
            raise TableError(f"warm_start: {_difference(known, features)}; fit anew")
        return self._boosted

    def _evaluation(self, part: Any, name: str, features: FeatureSchema, n_outputs: int) -> BoostingTable:
        """One table of eval_set: (X, y), then weights and an offset if there are any."""
        if not isinstance(part, tuple | list) or not 2 <= len(part) <= 4:
            raise TableError("eval_set must hold (X, y), (X, y, sample_weight) or (X, y, sample_weight, offset)")
        X, y, weight, offset = (*part, None, None)[:4]
        try:
            rows = align(read_rows(X), features)
            return BoostingTable(
                name=name,
                rows=rows,
                y=self._target(y, rows.n_rows),
                weight=_weight(weight, rows.n_rows),
                offset=read_offset(offset, rows.n_rows, n_outputs),
            )
        except TableError as error:
            raise TableError(f"{name}: {error}") from None

    def _raw(self, X: Table, offset: Any) -> Floats:
        """Raw of each row, (n_rows, n_outputs), the offset added."""
        rows = self._checked_rows(X)
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
                yield raw.copy() if shift is None else raw + shift.T  # added last, as `_raw` does

    def _inverse(self, raw: Floats) -> Floats:
        model = self.ensemble_
        return model.link.inverse(raw, objective=model.source.objective)

    @property
    def feature_importances_(self) -> Floats:
        """Share of each feature in the gain of all splits."""
        check_is_fitted(self, "ensemble_")
        model = self.ensemble_
        inner = model.feature >= 0
        gain = np.bincount(model.feature[inner], model.gain[inner], minlength=len(model.features))
        total = float(gain.sum())
        return gain / total if total > 0 else gain.astype(np.float64)


def with_categories(table: Columns, wanted: Any) -> Columns:
    """Take the wanted columns, by position, name or mask, as categories; None takes none of the numbers."""
    if wanted is None:
        return table
    asked = np.asarray(wanted)
    if asked.dtype == bool:
        if asked.shape != (table.n_columns,):
            raise OptionError(f"categorical_features has {asked.size} entries for {table.n_columns} features")
        positions = np.flatnonzero(asked).tolist()
    else:
        positions = [_position(item, table) for item in asked.tolist()]
    columns = [table.column(j) for j in range(table.n_columns)]
    for j in positions:
        values = columns[j]
        if not isinstance(values, CategoryColumn):
            labels, codes = np.unique(values[~np.isnan(values)], return_inverse=True)
            full = np.full(len(values), -1, dtype=np.int32)
            full[~np.isnan(values)] = codes
            columns[j] = CategoryColumn(codes=full, labels=tuple(labels.tolist()), declared=False)
    return Columns(n_rows=table.n_rows, names=table.names, matrix=None, columns=tuple(columns), kind=table.kind)


def read_offset(offset: Any, n_rows: int, n_outputs: int) -> Floats | None:
    """Read an offset on the raw scale, (n_rows,) or (n_rows, n_outputs), as (n_outputs, n_rows)."""
    if offset is None:
        return None
    if n_outputs == 1:
        offset = read_vector(offset, n_rows, what="offset")[:, None]
    try:
        values = np.asarray(offset, dtype=np.float64).T
    except (TypeError, ValueError):
        raise TableError("offset must hold numbers") from None
    if values.shape != (n_outputs, n_rows) or not np.isfinite(values).all():
        raise TableError(f"offset must be {n_rows} rows of {n_outputs} finite numbers on the raw scale")
    return np.ascontiguousarray(values)


def _weight(sample_weight: Any, n_rows: int) -> Floats:
    weight = read_sample_weight(sample_weight, n_rows)
    if weight is None:
        return np.empty(0)
    if not np.any(weight > 0):
        raise TableError("sample_weight is zero in every row; at least one row must count")
    return weight


def _parts(eval_set: Any) -> Sequence[Any]:
    """Tables of eval_set: a list of tuples, or one tuple."""
    if eval_set is None:
        return []
    if not isinstance(eval_set, list | tuple):
        raise TableError(f"eval_set must be a list of (X, y) or one of them, found {type(eval_set).__name__}")
    return [eval_set] if isinstance(eval_set, tuple) else eval_set


def _difference(before: FeatureSchema, now: FeatureSchema) -> str:
    """Say what tells two schemas apart."""
    if before.names != now.names:
        first, then = (f"{', '.join(names[:5])}{', …' * (len(names) > 5)}" for names in (before.names, now.names))
        return f"the rounds before had the features {first}; X has {then}"
    for name, levels, levels_now in zip(now.names, before.categories, now.categories, strict=True):
        if levels != levels_now:
            return f"the levels of {name!r} are not those of the rounds before; declare all of them as a category dtype"
    return "the features are not those of the rounds before"


def _position(item: Any, table: Columns) -> int:
    if isinstance(item, str):
        if table.names is None or item not in table.names:
            raise OptionError(f"categorical_features: there is no feature {item!r}")
        return table.names.index(item)
    if not isinstance(item, int) or not 0 <= item < table.n_columns:
        raise OptionError(f"categorical_features: there is no feature {item!r}; there are {table.n_columns}")
    return int(item)


def _set_aside(train: BoostingTable, fraction: float, seed: int) -> tuple[BoostingTable, BoostingTable]:
    """Draw a share of the rows that count for early stopping; rows without weight could not be watched."""
    n_rows = train.rows.n_rows
    counted = np.flatnonzero(train.weight > 0) if len(train.weight) else np.arange(n_rows)
    n = len(counted)
    n_valid = round(fraction * n)
    if not 0 < n_valid < n:
        raise OptionError(f"validation_fraction={fraction:g} of {n} rows leaves nothing to learn from or to watch")
    valid = np.sort(counted[np.random.default_rng(seed).permutation(n)[:n_valid]])
    rest = np.setdiff1d(np.arange(n_rows), valid)
    return _take(train, rest, "train"), _take(train, valid, "validation")


def _take(table: BoostingTable, rows: NDArray[np.int64], name: str) -> BoostingTable:
    data = table.rows.data
    return BoostingTable(
        name=name,
        rows=AlignedRows(len(rows), [column[rows] for column in data] if isinstance(data, list) else data[rows]),
        y=table.y[rows],
        weight=table.weight[rows] if len(table.weight) else table.weight,
        offset=None if table.offset is None else np.ascontiguousarray(table.offset[:, rows]),
    )
