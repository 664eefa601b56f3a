"""boost: arrays and options → Ensemble and history, one round of trees after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._progress import progress_bar
from glasswood.ensemble import LOGIT, SOFTMAX, AlignedRows, Ensemble, FeatureSchema, Provenance
from glasswood.errors import OptionError, TableError
from glasswood.results import TrainingHistory
from glasswood.train._binning import Binning, make_binning
from glasswood.train._boosted import Nodes, boosted_ensemble, join
from glasswood.train._boosting_options import GAINS, BoostingOptions
from glasswood.train._constraints import interaction_groups, monotone_signs
from glasswood.train._losses import AnyLoss, OwnLoss, make_loss
from glasswood.train._metrics import Metric, find_metrics

Floats = NDArray[np.float64]
_NO_LIMIT = 2**32 - 1  # more levels or leaves than there can be rows
_COLUMN_STREAM = 2**62  # streams of random numbers from here on draw columns, those below rows
_ROUNDING_STREAM = 2**32  # times 2²⁴: rounding of gradients, one stream per tree and chunk of rows


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoostingTable:
    """Rows, their target and what belongs to them; the training table or one to evaluate on."""

    name: str
    rows: AlignedRows
    y: Floats  # (n,) the number of the class for logistic and softmax
    weight: Floats = field(default_factory=lambda: np.empty(0))  # (n,), empty: all 1
    offset: Floats | None = None  # (n_outputs, n), added to raw


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """What boosting gives."""

    ensemble: Ensemble
    history: TrainingHistory


def boost(
    train: BoostingTable,
    features: FeatureSchema,
    options: BoostingOptions,
    *,
    outputs: tuple[str, ...],
    evaluate: Sequence[BoostingTable] = (),
    seed: int = 0,
    before: Boosted | None = None,
    model: str = "boosting",
    version: str = "",
    n_threads: int = 1,
    progress: bool = False,
) -> Boosted:
    """Boost trees.

    Parameters
    ----------
    train : BoostingTable
        Rows to learn from.
    features : FeatureSchema
        What the rows' columns are.
    options : BoostingOptions
        How.
    outputs : tuple of str
        Names of the columns of raw; more than one needs the softmax loss.
    evaluate : sequence of BoostingTable
        Tables to compute metrics on; early stopping watches the first.
    seed : int
        With the options it decides every draw.
    before : Boosted, optional
        Rounds to go on from; `options.n_estimators` counts them too.
    model, version : str
        What the ensemble says of its source.
    n_threads : int
        Threads. The result is equal to the bit for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Boosted

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble import AlignedRows, FeatureSchema
    >>> from glasswood.train import BoostingOptions, BoostingTable, boost
    >>> train = BoostingTable(name="train", rows=AlignedRows(4, np.arange(4.0)[:, None]), y=np.array([0, 0, 1.0, 1.0]))
    >>> options = BoostingOptions(n_estimators=1, learning_rate=1.0, l2=0.0, max_depth=1)
    >>> boost(train, FeatureSchema.numeric(["x"]), options, outputs=("y",)).ensemble.predict(np.array([[3.0]]))
    array([1.])
    """
    loss = make_loss(options.loss, alpha=options.alpha, power=options.power)
    _check_targets(loss, train, evaluate, options, before)
    if before is None:
        baseline = loss.start(train.y, train.weight, _offset(train, len(outputs)), len(outputs))
        done = 0
    else:
        baseline = before.ensemble.baseline
        done = before.ensemble.n_trees // len(outputs)
        if done > options.n_estimators:
            raise OptionError(f"n_estimators={options.n_estimators} is less than the {done} rounds there are already")
        if done == options.n_estimators:
            return before
    binning = make_binning(
        train.rows, features, train.weight, max_bins=options.max_bins, seed=seed, n_threads=n_threads
    )
    bins, by_column = binning.apply_both(train.rows, n_threads)
    binned = [(train, bins), *((table, binning.apply(table.rows, n_threads)) for table in evaluate)]
    states = [_start(table, its_bins, baseline, before, n_threads) for table, its_bins in binned]
    rounds = _Rounds(states[0], by_column, binning, loss, options, seed, n_threads)
    trees, history = _run(rounds, states, loss, options, done, progress)
    kept = trees[: history.best_round * len(outputs)]
    ensemble = boosted_ensemble(
        kept,
        np.tile(np.arange(len(outputs), dtype=np.int32), history.best_round),
        binning,
        baseline=baseline,
        link=loss.link,
        outputs=outputs,
        source=Provenance(
            library="glasswood", version=version, model=model, objective=loss.name, weight_kind="weights"
        ),
    )
    if before is None:
        return Boosted(ensemble, history)
    return Boosted(join(before.ensemble, ensemble), before.history.append(history))


def _check_targets(
    loss: AnyLoss,
    train: BoostingTable,
    evaluate: Sequence[BoostingTable],
    options: BoostingOptions,
    before: Boosted | None,
) -> None:
    """Raise if the loss cannot take a table's target, be watched, or go on from the rounds before."""
    loss.check_training(train.y, train.weight)
    for table in evaluate:
        try:
            loss.check(table.y)
        except TableError as error:
            raise TableError(f"{table.name}: {error}") from None
    if options.early_stopping and isinstance(loss, OwnLoss):
        loss.check_watched()
    if before is not None and before.ensemble.source.objective != loss.name:
        raise OptionError(
            f"warm_start: the rounds before minimised {before.ensemble.source.objective}, not {loss.name}; fit anew"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """A table and the raw values that rounds add to."""

    table: BoostingTable
    bins: NDArray[np.uint8]
    raw: Floats  # (n_outputs, n)
    all_rows: NDArray[np.uint32]


def _offset(table: BoostingTable, n_outputs: int) -> Floats:
    return np.zeros((n_outputs, len(table.y))) if table.offset is None else table.offset


def _start(
    table: BoostingTable, bins: NDArray[np.uint8], baseline: Floats, before: Boosted | None, n_threads: int
) -> _State:
    n = table.rows.n_rows
    if before is None:
        raw = np.repeat(baseline[:, None], n, axis=1)
    else:
        raw = np.ascontiguousarray(before.ensemble.plan().predict_raw(table.rows.data, n_threads).T)
    if table.offset is not None:
        raw += table.offset
    return _State(table, bins, raw, np.arange(n, dtype=np.uint32))


class _Rounds:
    """Grows the trees of one round and adds them to the training raw."""

    def __init__(
        self,
        train: _State,
        by_column: NDArray[np.uint8],
        binning: Binning,
        loss: AnyLoss,
        options: BoostingOptions,
        seed: int,
        n_threads: int,
    ) -> None:
        self.train, self.loss, self.options, self.seed, self.n_threads = train, loss, options, seed, n_threads
        self.gradient, self.hessian = np.empty_like(train.raw), np.empty_like(train.raw)
        self.statistics = _native.RowStatistics(options.statistics == "exact")
        weight = train.table.weight
        self.rows = np.flatnonzero(weight > 0).astype(np.uint32) if len(weight) else train.all_rows
        self.resting = np.flatnonzero(weight == 0).astype(np.uint32)  # rows without weight only follow
        self.columns = np.arange(len(binning.features), dtype=np.uint32)
        self.grower = _native.Grower(
            train.bins,
            by_column,
            binning.n_bins,
            binning.features.is_category,
            monotone_signs(options.monotonic_cst, binning.features),
            interaction_groups(options.interaction_cst, binning.features),
            GAINS.index(options.gain),
            options.l2,
            options.rho,
            options.min_weight_leaf,
            options.min_gain,
            _NO_LIMIT if options.max_depth is None else min(options.max_depth, _NO_LIMIT),
            min(options.max_leaf_nodes or 0, _NO_LIMIT),
        )

    def grow(self, number: int) -> list[_native.GrownTree]:
        """Grow one tree per output."""
        table, raw, threads = self.train.table, self.train.raw, self.n_threads
        self.loss.fill(table.y, raw, table.weight, self.gradient, self.hessian, threads)
        n_drawn = max(1, round(self.options.subsample * len(self.rows)))
        drawn, left_out = self.rows, self.rows[:0]
        if n_drawn < len(self.rows):
            drawn, left_out = _native.choose_rows(self.rows, n_drawn, self.seed, number)
        trees = []
        for k in range(len(raw)):
            place = number * len(raw) + k
            self.statistics.set(
                self.gradient[k], self.hessian[k], table.weight, self.seed, _ROUNDING_STREAM + place, threads
            )
            tree = self.grower.grow(self.statistics, drawn, self._columns(place), threads)
            if self.loss.renews is not None:
                tree.renew(self.grower, table.y, raw[k], table.weight, self.loss.renews, threads)
            tree.scale(self.options.learning_rate)
            tree.add_to_grown(self.grower, raw[k], threads)
            tree.add_to_rows(self.train.bins, left_out, raw[k], threads)
            tree.add_to_rows(self.train.bins, self.resting, raw[k], threads)
            trees.append(tree)
        return trees

    def _columns(self, tree: int) -> NDArray[np.uint32]:
        wanted = max(1, round(self.options.colsample * len(self.columns)))
        if wanted >= len(self.columns):
            return self.columns
        return _native.choose_rows(self.columns, wanted, self.seed, _COLUMN_STREAM + tree)[0]


def _run(
    rounds: _Rounds, states: Sequence[_State], loss: AnyLoss, options: BoostingOptions, done: int, progress: bool
) -> tuple[list[Nodes], TrainingHistory]:
    """Rounds until all are done or the watched table has not improved for long enough."""
    metrics = find_metrics(options.metrics, of_classes=loss.link in (LOGIT, SOFTMAX))
    names = (loss.name, *metrics)
    trees: list[Nodes] = []
    values: list[list[list[float]]] = []
    watch = _Watch(options.tol)
    with progress_bar(range(done, options.n_estimators), "boosting", show=progress) as numbers:
        for number in numbers:
            grown = rounds.grow(number)
            for state in states[1:]:
                for k, tree in enumerate(grown):
                    tree.add_to_rows(state.bins, state.all_rows, state.raw[k], rounds.n_threads)
            trees.extend(tree.arrays() for tree in grown)
            values.append([list(_metrics(state, loss, metrics, rounds.n_threads)) for state in states])
            if options.early_stopping and watch.rounds_without_gain(values[-1][-1 if len(states) == 1 else 1][0]) >= (
                options.n_iter_no_change
            ):
                break
    best = watch.best_round if options.early_stopping else len(values)
    history = TrainingHistory(
        tables=tuple(state.table.name for state in states),
        metrics=names,
        values=np.array(values).reshape(len(values), len(states), len(names)),
        best_round=best,
    )
    return trees, history


class _Watch:
    """Remembers the best round."""

    def __init__(self, tol: float) -> None:
        self.tol, self.best, self.best_round, self.round = tol, np.inf, 0, 0

    def rounds_without_gain(self, loss: float) -> int:
        self.round += 1
        if loss < self.best - self.tol or self.best_round == 0:
            self.best, self.best_round = loss, self.round
        return self.round - self.best_round


def _metrics(state: _State, loss: AnyLoss, metrics: dict[str, Metric], n_threads: int) -> Iterator[float]:
    y, weight = state.table.y, state.table.weight
    yield loss.mean(y, state.raw, weight, n_threads)
    if metrics:
        prediction = loss.link.inverse(state.raw.T, objective=loss.name)
        for metric in metrics.values():
            yield metric(y, prediction[:, 0] if len(state.raw) == 1 else prediction, weight)
