"""TrainingHistory: every metric of every table after every round."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood.plots import draw_history
from glasswood.results._html import html_table
from glasswood.results._json_values import to_json
from glasswood.tables import make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class TrainingHistory:
    """Metrics per round of boosting. Smaller is better unless the metric says otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> history = gw.BoostingRegressor(n_estimators=3).fit(X, X[:, 0]).history_
    >>> len(history.to_frame("pyarrow")), history.to_frame("pyarrow").column_names
    (3, ['round', 'table', 'metric', 'value'])
    """

    tables: tuple[str, ...]  # "train", then the evaluation tables
    metrics: tuple[str, ...]  # the loss first
    values: NDArray[np.float64]  # (n_rounds, n_tables, n_metrics); round r is row r − 1
    best_round: int  # the round whose trees are kept, counted from 1

    @property
    def n_rounds(self) -> int:
        """Number of rounds that were run, including those after the best one."""
        return len(self.values)

    def of(self, table: str, metric: str) -> NDArray[np.float64]:
        """One metric of one table, per round."""
        check_choice("table", table, self.tables)
        check_choice("metric", metric, self.metrics)
        return self.values[:, self.tables.index(table), self.metrics.index(metric)]

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per round, table and metric: round, table, metric, value."""
        n_rounds, n_tables, n_metrics = self.values.shape
        columns = {
            "round": np.repeat(np.arange(1, n_rounds + 1), n_tables * n_metrics),
            "table": [name for name in self.tables for _ in self.metrics] * n_rounds,
            "metric": list(self.metrics) * (n_tables * n_rounds),
            "value": self.values.ravel(),
        }
        return make_frame(columns, backend)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        curves = [
            {"table": table, "metric": metric, "values": to_json(self.of(table, metric))}
            for table in self.tables
            for metric in self.metrics
        ]
        return {"best_round": self.best_round, "curves": curves}

    def plot(self, ax: "Axes | None" = None, *, metric: str | None = None) -> "Axes":
        """Draw one metric (the loss) of every table by round; the kept round is marked. Returns the Axes."""
        chosen = metric or self.metrics[0]
        check_choice("metric", chosen, self.metrics)
        curves = self.values[:, :, self.metrics.index(chosen)]
        return draw_history(curves, tables=self.tables, metric=chosen, best_round=self.best_round, ax=ax)

    def append(self, later: "TrainingHistory") -> "TrainingHistory":
        """Append the rounds of a fit that continued after the kept rounds; NaN where one of the two lacks a curve."""
        tables = tuple(dict.fromkeys(self.tables + later.tables))
        metrics = tuple(dict.fromkeys(self.metrics + later.metrics))
        kept = self._spread_to(tables, metrics)[: self.best_round]
        values = np.concatenate([kept, later._spread_to(tables, metrics)])
        return TrainingHistory(tables, metrics, values, len(kept) + later.best_round)

    def _spread_to(self, tables: tuple[str, ...], metrics: tuple[str, ...]) -> NDArray[np.float64]:
        """Values on a larger grid of tables and metrics."""
        values = np.full((self.n_rounds, len(tables), len(metrics)), np.nan)
        rows, columns = [tables.index(t) for t in self.tables], [metrics.index(m) for m in self.metrics]
        values[:, np.array(rows)[:, None], np.array(columns)] = self.values
        return values

    def _repr_html_(self) -> str:
        nothing = np.full((len(self.tables), len(self.metrics)), np.nan)
        kept = self.values[self.best_round - 1] if self.n_rounds else nothing
        rows = [[table, *line] for table, line in zip(self.tables, kept.tolist(), strict=True)]
        return html_table(f"Round {self.best_round} of {self.n_rounds}", ["table", *self.metrics], rows)
