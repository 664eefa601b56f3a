"""BoostingSession: the loop over the rounds of boosting, until all are done or there is a reason to stop.

The loop is the same wherever the trees are grown: it asks for rounds, keeps the history and decides when to stop.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from glasswood._progress import progress_bar
from glasswood.errors import DivergenceWarning, OptionError, warn
from glasswood.results import TrainingHistory
from glasswood.team import ALONE, Exchange
from glasswood.train.boosting._boosted_table import WatchedTable
from glasswood.train.boosting._divergence import Divergence
from glasswood.train.boosting._losses import Loss
from glasswood.train.boosting._metrics import Metric
from glasswood.train.boosting._options import BoostingOptions
from glasswood.train.boosting._round_log import current_log
from glasswood.train.boosting._rounds import RoundSource


class BoostingSession:
    """Rounds of boosting on a training table, with metrics on this table and on the evaluation tables."""

    def __init__(
        self,
        rounds: RoundSource,
        loss: Loss,
        options: BoostingOptions,
        metrics: dict[str, Metric],
        team: Exchange = ALONE,
    ) -> None:
        self.rounds, self.tables, self.team = rounds, rounds.tables, team
        self.loss, self.options, self.metrics = loss, options, metrics

    def run(self, done: int, *, progress: bool) -> tuple[list[Any], TrainingHistory]:
        """Run the remaining rounds after `done` earlier ones; returns the trees to keep and the history."""
        loss, options, n_threads = self.loss, self.options, self.rounds.threads
        trees: list[Any] = []
        values: list[list[list[float]]] = []
        watched = min(1, len(self.tables) - 1)  # position of the first evaluation table, if there is one
        watch = _Watch(options.tol, self.tables[watched].loss(loss, n_threads) if done else None)
        divergence = Divergence(loss, self.tables, n_threads, self.team)
        with progress_bar(range(done, options.n_estimators), "boosting", show=progress) as numbers:
            for number in numbers:
                values.append(self._round(number, done, trees))
                if divergence.sees(values[-1][0][0]):
                    break
                loss_now = values[-1][watched][0]
                if options.early_stopping and watch.rounds_without_gain(loss_now) >= options.n_iter_no_change:
                    break
        best_round = watch.best_round if options.early_stopping else len(values)
        if divergence.found:
            best_round = min(best_round, divergence.best_round) if options.early_stopping else divergence.best_round
            if not best_round and not done:
                raise OptionError(f"{divergence.found}; lower learning_rate={options.learning_rate:g}")
            warn(
                f"{divergence.found}: boosting stops and keeps {done + best_round} rounds; lower "
                f"learning_rate={options.learning_rate:g} or raise l2={options.l2:g}",
                DivergenceWarning,
            )
        history = TrainingHistory(
            tables=tuple(table.table.name for table in self.tables),
            metrics=(loss.name, *self.metrics),
            values=np.array(values).reshape(len(values), len(self.tables), 1 + len(self.metrics)),
            best_round=best_round,
        )
        return trees[: best_round * self.rounds.n_outputs], history

    def _round(self, number: int, done: int, trees: list[Any]) -> list[list[float]]:
        """Add the trees of a round; returns its metrics. Rounds that the log holds already are not grown again."""
        log, place = current_log(), number - done
        if log is None or place >= len(log.rounds):
            grown = self.rounds.grow(number)
            trees.extend(grown)
            values = self._all_metrics()
            if log is not None:
                log.add(self.rounds.record(grown), values)
            return values
        trees.extend(self.rounds.replay(log.rounds[place].trees))
        if place == len(log.rounds) - 1:
            log.check_values(place, self._all_metrics())
        return log.rounds[place].values

    def _all_metrics(self) -> list[list[float]]:
        return [list(self._metrics(table)) for table in self.tables]

    def _metrics(self, table: WatchedTable) -> Iterator[float]:
        yield table.loss(self.loss, self.rounds.threads)
        if self.metrics:
            prediction = self.loss.link.inverse(table.raw_by_output.T, objective=self.loss.name)
            prediction = prediction[:, 0] if self.rounds.n_outputs == 1 else prediction
            for metric in self.metrics.values():
                yield metric(table.table.y, prediction, table.table.weight)


class _Watch:
    """Remembers the best round; 0 stands for the earlier rounds, if there are any."""

    def __init__(self, tol: float, best: float | None) -> None:
        self.tol, self.best, self.best_round, self.round = tol, best, 0, 0

    def rounds_without_gain(self, loss: float) -> int:
        self.round += 1
        if self.best is None or loss < self.best - self.tol:
            self.best, self.best_round = loss, self.round
        return self.round - self.best_round
