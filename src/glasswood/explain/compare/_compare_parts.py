"""compare over tables that lie in parts: each is looked at where it lies."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble, one_output
from glasswood.explain._parts import Parts
from glasswood.explain._target import TargetReader, distinct_targets
from glasswood.explain.compare._agreement import loss_name
from glasswood.explain.compare._compare import RULES, Pairs, comparison
from glasswood.explain.compare._compared_rows import ComparedRows, compared_rows
from glasswood.explain.compare._comparison import Comparison
from glasswood.explain.compare._difference import difference, open_model
from glasswood.explain.compare._model_columns import columns_for
from glasswood.explain.effects import CountedParts, effects, interactions, ledger_of_parts
from glasswood.explain.rules import RuleSet, rules_of_parts
from glasswood.results import Importance, Ledger, Ranking
from glasswood.tables import FrameKind, Table, frame_kind, n_rows_of

Models = tuple[Ensemble, Ensemble]


def compare_parts(
    a: Any, b: Any, parts: Parts, first: Table, *, with_y: bool, scale: str, unit: float | None, n_jobs: int | None
) -> Comparison:
    """`compare` over parts that are tables with targets or None, and weights or None.

    `first` is one of the tables, on which the models are checked; `unit` is that of all weights.
    """
    n_threads = resolve_n_jobs(n_jobs)
    change = difference(a, b, first, scale=scale)
    models = open_model(a, first), open_model(b, first)
    if with_y:
        loss_name(*models)  # raises if no loss suits both
    readers = tuple(TargetReader.make(model, partial(distinct_targets, parts)) for model in models) if with_y else ()
    compared = parts.keep(_compared, change, models, readers, n_threads)
    explain = _OfParts(change, parts, frame_kind(first), unit, n_jobs)
    return comparison(compared, change, models, explain, with_loss=with_y, kind=frame_kind(first))


@dataclass(frozen=True, slots=True, eq=False)
class _OfParts:
    """Explanations over parts."""

    change: Ensemble
    parts: Parts
    kind: FrameKind | None
    unit: float | None
    n_jobs: int | None

    def importance(self) -> Importance:
        return effects(self.change, self._counted(), n_jobs=self.n_jobs).importance()

    def pairs(self, chosen: Pairs) -> Ranking:
        return interactions(self.change, self._counted(), pairs=chosen, n_jobs=self.n_jobs).ranking()

    def ledger(self) -> Ledger:
        n_threads = resolve_n_jobs(self.n_jobs)
        return ledger_of_parts(self.change, self._rows(), unit=self.unit, kind=self.kind, n_threads=n_threads)

    def rules(self, output: int) -> RuleSet | None:
        parts = self.parts.then(_with_difference, self.change, output, resolve_n_jobs(self.n_jobs))
        of_output = one_output(self.change, output)
        return rules_of_parts(of_output, parts, kind=self.kind, max_rules=RULES, n_jobs=self.n_jobs)

    def _rows(self) -> Parts:
        return self.parts.then(_rows_and_weights, self.change)

    def _counted(self) -> CountedParts:
        return CountedParts(self._rows(), self.kind, self.unit)


def _compared(
    part: Any, change: Ensemble, models: Models, readers: tuple[TargetReader, ...], n_threads: int
) -> ComparedRows:
    X, y, sample_weight = part
    targets = [reader.read(y, n_rows_of(X)) for reader in readers]
    return compared_rows(change, models, X, targets, sample_weight, n_threads)


def _rows_and_weights(part: Any, change: Ensemble) -> tuple[Table, Any]:
    return columns_for(part[0], change.features), part[2]


def _with_difference(part: Any, change: Ensemble, output: int, n_threads: int) -> tuple[Table, Any, Any]:
    """The rows, the difference of raw as the target, and the weights."""
    rows = columns_for(part[0], change.features)
    raw = change.predict_raw(rows, n_jobs=n_threads).reshape(n_rows_of(rows), -1)
    return rows, raw[:, output], part[2]
