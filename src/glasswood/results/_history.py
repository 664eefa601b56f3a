"""TrainingHistory: every metric of every table after every round."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.results._json import to_json
from glasswood.tables import make_frame


@dataclass(frozen=True, slots=True, eq=False)
class TrainingHistory:
    """Metrics per round of boosting. Smaller is better unless the metric says otherwise."""

    tables: tuple[str, ...]  # "train", then the evaluation tables
    metrics: tuple[str, ...]  # the loss first
    values: NDArray[np.float64]  # (n_rounds, n_tables, n_metrics); round r is row r − 1
    best_round: int  # the round whose trees are kept, counted from 1

    @property
    def n_rounds(self) -> int:
        """Number of rounds that were run, those after the best included."""
        return len(self.values)

    def of(self, table: str, metric: str) -> NDArray[np.float64]:
        """One metric of one table, round by round."""
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

    def plot(self, ax: Any = None, *, metric: str | None = None) -> Any:
        """Draw one metric (the loss) of every table by round; the kept round is marked. Returns the Axes."""
        from glasswood.plots import draw_history

        chosen = metric or self.metrics[0]
        curves = self.values[:, :, self.metrics.index(chosen)]
        return draw_history(curves, tables=self.tables, metric=chosen, best_round=self.best_round, ax=ax)

    def append(self, later: "TrainingHistory") -> "TrainingHistory":
        """Put the rounds of a fit that went on from this one behind the kept rounds."""
        if (self.tables, self.metrics) != (later.tables, later.metrics):
            return later
        kept = self.values[: self.best_round]
        return TrainingHistory(
            self.tables, self.metrics, np.concatenate([kept, later.values]), len(kept) + later.best_round
        )

    def _repr_html_(self) -> str:
        last = (
            self.values[self.best_round - 1]
            if self.n_rounds
            else np.full((len(self.tables), len(self.metrics)), np.nan)
        )
        head = "".join(f"<th>{name}</th>" for name in ("table", *self.metrics))
        rows = "".join(
            f"<tr><td>{table}</td>{''.join(f'<td>{value:.6g}</td>' for value in line)}</tr>"
            for table, line in zip(self.tables, last, strict=True)
        )
        return f"<p>round {self.best_round} of {self.n_rounds}</p><table><tr>{head}</tr>{rows}</table>"
