"""boost: arrays and options → Ensemble and history, one round of trees after the other."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from glasswood._exact import exact_sum, lost_weights
from glasswood._progress import progress_bar
from glasswood.ensemble import LOGIT, SOFTMAX, Ensemble, FeatureSchema, Provenance, join
from glasswood.errors import DivergenceWarning, GlasswoodWarning, OptionError, PrecisionWarning
from glasswood.results import TrainingHistory
from glasswood.train.boosting._assemble import Nodes, boosted_ensemble
from glasswood.train.boosting._binning import Binning, make_binning
from glasswood.train.boosting._constraints import Constraints, make_constraints
from glasswood.train.boosting._custom_loss import OwnLoss
from glasswood.train.boosting._divergence import Divergence
from glasswood.train.boosting._losses import AnyLoss, make_loss
from glasswood.train.boosting._metrics import Metric, find_metrics
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._rounds import Rounds, State, start_state
from glasswood.train.boosting._table import BoostingTable, check_tables, lost_targets


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """What boosting gives, and what it needs to go on."""

    ensemble: Ensemble
    history: TrainingHistory
    constraints: Constraints
    seed: int

    @property
    def n_rounds(self) -> int:
        """Rounds whose trees were kept."""
        return self.ensemble.n_trees // self.ensemble.n_outputs


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
        With the options it decides every draw; rounds that go on keep the seed they began with.
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
    >>> from glasswood.train.boosting import BoostingOptions, BoostingTable, boost
    >>> train = BoostingTable(name="train", rows=AlignedRows(4, np.arange(4.0)[:, None]), y=np.array([0, 0, 1.0, 1.0]))
    >>> options = BoostingOptions(n_estimators=1, learning_rate=1.0, l2=0.0, max_depth=1)
    >>> boost(train, FeatureSchema.numeric(["x"]), options, outputs=("y",)).ensemble.predict(np.array([[3.0]]))
    array([1.])
    """
    loss = make_loss(options.loss, quantile=options.quantile, power=options.power)
    metrics = find_metrics(options.metrics, of_classes=loss.link in (LOGIT, SOFTMAX))
    constraints = make_constraints(options.monotonic_cst, options.interaction_cst, features)
    check_tables(loss, train, evaluate)
    if options.early_stopping and isinstance(loss, OwnLoss):
        loss.check_watched()
    if before is None:
        baseline = loss.start(train.y, train.weight, train.offset_of(len(outputs)), len(outputs))
    else:
        _check_before(before, loss, constraints, options)
        if before.n_rounds == options.n_estimators:
            return before
        baseline, seed = before.ensemble.baseline, before.seed
    binning = make_binning(
        train.rows,
        features,
        train.weight,
        row_id=train.row_id,
        max_bins=options.max_bins,
        seed=seed,
        n_threads=n_threads,
    )
    _warn_of_what_is_lost(train, binning, options)
    bins, by_column = binning.apply_both(train.rows, n_threads)
    binned = [(train, bins), *((table, binning.apply(table.rows, n_threads)) for table in evaluate)]
    grown = None if before is None else before.ensemble
    states = [start_state(table, its_bins, baseline, grown, n_threads) for table, its_bins in binned]
    rounds = Rounds(states[0], by_column, binning, loss, options, constraints, seed, n_threads)
    trees, history = _run(rounds, states, metrics, 0 if before is None else before.n_rounds, progress)
    if before is not None:
        history = before.history.append(history)
    if before is not None and not trees:
        return Boosted(before.ensemble, history, constraints, seed)
    ensemble = boosted_ensemble(
        trees,
        np.tile(np.arange(len(outputs), dtype=np.int32), len(trees) // len(outputs)),
        binning,
        baseline=baseline,
        link=loss.link,
        outputs=outputs,
        source=Provenance(
            library="glasswood", version=version, model=model, objective=loss.objective, weight_kind="weights"
        ),
    )
    return Boosted(ensemble if before is None else join(before.ensemble, ensemble), history, constraints, seed)


def _check_before(before: Boosted, loss: AnyLoss, constraints: Constraints, options: BoostingOptions) -> None:
    """Raise `OptionError` if these options cannot go on from the rounds before."""
    objective = before.ensemble.source.objective
    if objective != loss.objective:
        raise OptionError(f"warm_start cannot continue: earlier rounds had the loss {objective}, not {loss.objective}")
    constraints.check_kept_by(before.constraints)
    if before.n_rounds > options.n_estimators:
        raise OptionError(
            f"n_estimators={options.n_estimators} is less than the {before.n_rounds} rounds there are already"
        )


def _warn_of_what_is_lost(train: BoostingTable, binning: Binning, options: BoostingOptions) -> None:
    shared = [(binning.features.names[f], int(binning.n_shared[f])) for f in np.flatnonzero(binning.n_shared)]
    if shared:
        listed = ", ".join(f"the {count:,} rarest levels of {name!r}" for name, count in shared)
        _warn(f"{listed} share a bin and cannot be told apart; group levels, or raise max_bins if it is below 254")
    lost = lost_weights(train.weight) or lost_targets(train)
    if lost:
        _warn(lost, PrecisionWarning)
    mass = exact_sum(train.weight)
    if len(train.weight) and mass < 2 * options.min_weight_leaf <= np.count_nonzero(train.weight):
        _warn(
            f"sample_weight sums to {mass:g}, too little for two leaves of min_weight_leaf="
            f"{options.min_weight_leaf:g}: no tree splits; multiply the weights by a constant or lower min_weight_leaf"
        )


def _warn(message: str, category: type[GlasswoodWarning] = GlasswoodWarning) -> None:
    warnings.warn(message, category, stacklevel=7)  # the line that calls an estimator's fit


def _run(
    rounds: Rounds, states: Sequence[State], metrics: dict[str, Metric], done: int, progress: bool
) -> tuple[list[Nodes], TrainingHistory]:
    """Trees to keep, after rounds until all are done, the watched table has long not improved, or rounds do harm."""
    loss, options = rounds.loss, rounds.options
    trees: list[Nodes] = []
    values: list[list[list[float]]] = []
    watched = min(1, len(states) - 1)  # the first table to evaluate on, if there is one
    watch = _Watch(options.tol, states[watched].loss(loss, rounds.pace.threads) if done else None)
    divergence = Divergence(loss, states, rounds.pace.threads)
    with progress_bar(range(done, options.n_estimators), "boosting", show=progress) as numbers:
        for number in numbers:
            grown, n_threads = rounds.grow(number), rounds.pace.threads
            for state in states[1:]:
                for k, tree in enumerate(grown):
                    tree.add_to_rows(state.bins, state.all_rows, state.raw[k], n_threads)
            trees.extend(tree.arrays() for tree in grown)
            values.append([list(_metrics(state, loss, metrics, n_threads)) for state in states])
            if divergence.sees(values[-1][0][0]):
                break
            if options.early_stopping and watch.rounds_without_gain(values[-1][watched][0]) >= options.n_iter_no_change:
                break
    best_round = watch.best_round if options.early_stopping else len(values)
    if divergence.found:
        best_round = min(best_round, divergence.best_round) if options.early_stopping else divergence.best_round
        if not best_round and not done:
            raise OptionError(f"{divergence.found}; lower learning_rate={options.learning_rate:g}")
        _warn(
            f"{divergence.found}: boosting stops and keeps {done + best_round} rounds; lower "
            f"learning_rate={options.learning_rate:g} or raise l2={options.l2:g}",
            DivergenceWarning,
        )
    history = TrainingHistory(
        tables=tuple(state.table.name for state in states),
        metrics=(loss.name, *metrics),
        values=np.array(values).reshape(len(values), len(states), 1 + len(metrics)),
        best_round=best_round,
    )
    return trees[: best_round * len(states[0].raw)], history


class _Watch:
    """Remembers the best round; 0 are the rounds before, if there are any."""

    def __init__(self, tol: float, best: float | None) -> None:
        self.tol, self.best, self.best_round, self.round = tol, best, 0, 0

    def rounds_without_gain(self, loss: float) -> int:
        self.round += 1
        if self.best is None or loss < self.best - self.tol:
            self.best, self.best_round = loss, self.round
        return self.round - self.best_round


def _metrics(state: State, loss: AnyLoss, metrics: dict[str, Metric], n_threads: int) -> Iterator[float]:
    y, weight = state.table.y, state.table.weight
    yield state.loss(loss, n_threads)
    if metrics:
        prediction = loss.link.inverse(state.raw.T, objective=loss.name)
        for metric in metrics.values():
            yield metric(y, prediction[:, 0] if len(state.raw) == 1 else prediction, weight)
