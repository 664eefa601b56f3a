"""boost: arrays and options → Ensemble and history."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from glasswood import _native
from glasswood._exact import lost_weights
from glasswood.ensemble import LOGIT, SOFTMAX, Ensemble, FeatureSchema, Provenance, join
from glasswood.errors import OptionError, PrecisionWarning, warn
from glasswood.results import TrainingHistory
from glasswood.team import ALONE, Exchange, add_up, team_sum
from glasswood.train.boosting._assemble import boosted_ensemble
from glasswood.train.boosting._binning import LEVEL_LIMITS, Binning, EdgeFinder, LevelLimits, make_binning
from glasswood.train.boosting._constraints import Constraints, make_constraints
from glasswood.train.boosting._fit_plan import FitPlan
from glasswood.train.boosting._losses import Loss, make_loss
from glasswood.train.boosting._metrics import find_metrics
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._rounds import RoundSourceMaker, start_rounds
from glasswood.train.boosting._session import BoostingSession
from glasswood.train.boosting._table import BoostingTable, check_tables, lost_targets
from glasswood.train.boosting._team_trees import TeamTrees
from glasswood.train.boosting._tree_source import LocalTrees, TreeSourceMaker


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """The result of boosting, and what is needed to continue it."""

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
    make_trees: TreeSourceMaker = LocalTrees,
    make_rounds: RoundSourceMaker | None = None,
    find_edges: EdgeFinder = _native.bin_edges,
    team: Exchange = ALONE,
    limits: LevelLimits = LEVEL_LIMITS,
    n_threads: int = 1,
    progress: bool = False,
) -> Boosted:
    """Boost trees.

    Parameters
    ----------
    train : BoostingTable
        Rows to learn from.
    features : FeatureSchema
        Features of the rows.
    options : BoostingOptions
        Options of the loss, the trees and the rounds.
    outputs : tuple of str
        Names of the columns of raw; more than one needs the softmax loss.
    evaluate : sequence of BoostingTable
        Tables to compute metrics on; early stopping watches the first.
    seed : int
        Together with the options it determines every random draw; a continued fit keeps the seed of its first rounds.
    before : Boosted, optional
        Rounds to continue; `options.n_estimators` includes them.
    model, version : str
        Recorded in the source of the ensemble.
    make_trees : callable
        Makes the source of trees; by default, trees are grown in this process. A team has a source of its own.
    make_rounds : callable, optional
        Prepares whole rounds elsewhere, on a GPU for example; `make_trees` is not used then.
    find_edges : callable
        Finds the edges of bins, for rows that lie elsewhere.
    team : Exchange
        Members that hold other rows of the same table and run the same fit; `train` and `evaluate` hold the rows of
        this member and `train.row_id` their numbers in the whole table. Every member returns the same result.
    limits : LevelLimits
        How many levels of a category are told apart.
    n_threads : int
        Number of threads. The result has the same bits for any number.
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
    loss = make_loss(options.loss, quantile=options.quantile, power=options.power, team=team)
    metrics = find_metrics(options.metrics, of_classes=loss.link in (LOGIT, SOFTMAX), team=team)
    constraints = make_constraints(options.monotonic_cst, options.interaction_cst, features)
    check_tables(loss, train, evaluate, team)
    if options.early_stopping:
        loss.check_watched()
    if before is None:
        baseline = loss.start(train.y, train.weight, train.offset_of(len(outputs)), len(outputs), team)
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
        limits=limits,
        seed=seed,
        n_threads=n_threads,
        team=team,
        find_edges=find_edges,
    )
    if team.size > 1:
        make_trees = partial(TeamTrees, team, unit_hessian=loss.unit_hessian)
    _warn_of_what_is_lost(train, binning, options, team)
    symmetric = options.grows_symmetric(_n_rows(train, team))
    plan = FitPlan(
        tables=[train, *evaluate],
        binning=binning,
        baseline=baseline,
        grown=None if before is None else before.ensemble,
        loss=loss,
        options=options,
        constraints=constraints,
        weighted=bool(add_up(team, [len(train.weight)])[0]),
        symmetric=symmetric,
        shared=options.shares_questions(len(outputs), symmetric=symmetric, monotone=bool(constraints.monotone.any())),
        team=team,
        seed=seed,
        n_threads=n_threads,
    )
    done = 0 if before is None else before.n_rounds
    rounds = start_rounds(plan, make_trees) if make_rounds is None else make_rounds(plan, done)
    session = BoostingSession(rounds, loss, options, metrics, team)
    try:
        trees, history = session.run(done, progress=progress and team.rank == 0)
    except BaseException:  # Ctrl-C too
        rounds.stop()
        raise
    if before is not None:
        history = before.history.append(history)
    if before is not None and not trees:
        return Boosted(before.ensemble, history, constraints, seed)
    ensemble = boosted_ensemble(
        rounds.join(trees),
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


def check_team_options(options: BoostingOptions, features: FeatureSchema) -> None:
    """Raise `OptionError` for what no table of these features can be fitted with."""
    loss = make_loss(options.loss, quantile=options.quantile, power=options.power)
    find_metrics(options.metrics, of_classes=loss.link in (LOGIT, SOFTMAX))
    make_constraints(options.monotonic_cst, options.interaction_cst, features)
    if options.early_stopping:
        loss.check_watched()


def _check_before(before: Boosted, loss: Loss, constraints: Constraints, options: BoostingOptions) -> None:
    """Raise `OptionError` if the earlier rounds cannot be continued with these options."""
    objective = before.ensemble.source.objective
    if objective != loss.objective:
        raise OptionError(f"warm_start cannot continue: earlier rounds had the loss {objective}, not {loss.objective}")
    constraints.check_kept_by(before.constraints)
    if before.n_rounds > options.n_estimators:
        raise OptionError(
            f"n_estimators={options.n_estimators} is less than the {before.n_rounds} rounds there are already"
        )


def _warn_of_what_is_lost(train: BoostingTable, binning: Binning, options: BoostingOptions, team: Exchange) -> None:
    lost = lost_weights(train.weight) or lost_targets(train)  # in a team, of the rows of this member
    if lost:
        warn(lost, PrecisionWarning)
    mass, (n_weights, n_counted) = team_sum(team, train.weight), _counts(train, team)
    if team.rank:
        return  # the first member warns for all
    shared = [(binning.features.names[f], int(binning.n_shared[f])) for f in np.flatnonzero(binning.n_shared)]
    if shared:
        listed = ", ".join(f"the {count:,} rarest levels of {name!r}" for name, count in shared)
        warn(f"{listed} share a bin and cannot be told apart; group levels, or raise max_bins if it is below 255")
    if n_weights and mass < 2 * options.min_weight_leaf <= n_counted:
        warn(
            f"sample_weight sums to {mass:g}, too little for two leaves of min_weight_leaf="
            f"{options.min_weight_leaf:g}: no tree splits; multiply the weights by a constant or lower min_weight_leaf"
        )


def _n_rows(train: BoostingTable, team: Exchange) -> int:
    """Rows of all members that are trained on."""
    n_weights, n_counted = _counts(train, team)
    return n_counted if n_weights else int(add_up(team, [train.rows.n_rows])[0])


def _counts(train: BoostingTable, team: Exchange) -> tuple[int, int]:
    """Weights, and weights above 0, of all members."""
    n_weights, n_counted = add_up(team, [len(train.weight), np.count_nonzero(train.weight)]).tolist()
    return n_weights, n_counted
