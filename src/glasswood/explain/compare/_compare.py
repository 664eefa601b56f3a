"""compare: two models and rows → Comparison."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble, one_output
from glasswood.explain._parts import OnePart, Parts
from glasswood.explain._target import target_rows
from glasswood.explain.compare._agreement import loss_name
from glasswood.explain.compare._compared_rows import agreement_of, compared_rows
from glasswood.explain.compare._comparison import Comparison
from glasswood.explain.compare._difference import difference, open_model
from glasswood.explain.compare._model_columns import columns_for
from glasswood.explain.effects import count_usage, effects, interactions, ledger, make_grid
from glasswood.explain.proofs import Limits, find_bounds
from glasswood.explain.rules import RuleSet, find_rules
from glasswood.results import Importance, Ledger, Ranking
from glasswood.tables import FrameKind, Table, frame_kind, n_rows_of, read_weight, replayable

Pairs: TypeAlias = list[list[int]]

RULES = 8  # shown at most
_PAIRS = 10  # shown at most
_PAIR_CELLS = 2_000_000  # tables of pairs with more cells are left out
_NODES = 2_000  # boxes of the search for the largest difference; fewer if a box takes long
_WORK = 5_000_000  # leaves that this search may visit; a feature costs a box as much as 200 leaves
_MIN_NODES = 20


def compare(
    a: Any,
    b: Any,
    X: Table,
    y: Any = None,
    *,
    scale: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare two models: how far they agree, which is closer to y, and what the difference runs through.

    Everything but the losses is about raw of a minus raw of b, the raw of `difference(a, b)`.

    Parameters
    ----------
    a, b : fitted model, path or Ensemble
        Anything `glasswood.read` takes; they may come from different libraries.
    X : table
        Rows with the columns of both models.
    y : array, (n_rows,), optional
        Their targets, for the loss of both models: log loss for classes, else squared error.
    scale : str
        ``"raw"`` compares models with different links, which ``"auto"`` refuses.
    sample_weight : array, (n_rows,), optional
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show bars on stderr.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> y = [0.0, 0.0, 4.0, 6.0]
    >>> small, large = (gw.TreeRegressor(max_depth=d).fit(X, y) for d in (1, 2))
    >>> found = gw.compare(large, small, X, y)
    >>> found.mean, found.sd, found.loss.difference
    (array([0.]), array([0.70710678]), -0.5)
    """
    return compare_models(
        a, b, X, y, scale=scale, sample_weight=sample_weight, n_jobs=n_jobs, progress=progress, with_rules=True
    )


def compare_models(
    a: Any,
    b: Any,
    X: Table,
    y: Any,
    *,
    scale: str,
    sample_weight: Any,
    n_jobs: int | None,
    progress: bool,
    with_rules: bool,
) -> Comparison:
    """`compare`; the search for rules can be left to the caller."""
    n_threads = resolve_n_jobs(n_jobs)
    X = replayable(X)
    change = difference(a, b, X, scale=scale)
    models = open_model(a, X), open_model(b, X)
    rows = columns_for(X, change.features)
    if y is not None:
        loss_name(*models)  # raises if no loss suits both
    targets = () if y is None else tuple(target_rows(model, y, n_rows_of(X)) for model in models)
    compared = compared_rows(change, models, X, targets, sample_weight, n_threads)
    shared = {"sample_weight": read_weight(sample_weight, n_rows_of(X)), "n_jobs": n_jobs, "progress": progress}
    of_table = _OfTable(change, rows, compared.moved, with_rules, shared)
    return comparison(OnePart(compared), change, models, of_table, with_loss=y is not None, kind=frame_kind(X))


class Explainer(Protocol):
    """Explains the difference of two models over the rows."""

    def importance(self) -> Importance:
        """Importance of its effects."""

    def pairs(self, chosen: Pairs) -> Ranking:
        """Ranking of pairs."""

    def ledger(self) -> Ledger:
        """Its ledger."""

    def rules(self, output: int) -> RuleSet | None:
        """Rules for one output, if they are asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class _OfTable:
    """Explanations over one table."""

    change: Ensemble
    rows: Table
    moved: NDArray[np.float64]
    with_rules: bool
    shared: dict[str, Any]

    def importance(self) -> Importance:
        return effects(self.change, self.rows, **self.shared).importance()

    def pairs(self, chosen: Pairs) -> Ranking:
        return interactions(self.change, self.rows, pairs=chosen, **self.shared).ranking()

    def ledger(self) -> Ledger:
        return ledger(self.change, self.rows, **self.shared)

    def rules(self, output: int) -> RuleSet | None:
        if not self.with_rules:
            return None
        of_output = one_output(self.change, output)
        return find_rules(of_output, self.rows, self.moved[:, output], max_rules=RULES, **self.shared)


def comparison(
    parts: Parts,
    change: Ensemble,
    models: tuple[Ensemble, Ensemble],
    explain: Explainer,
    *,
    with_loss: bool,
    kind: FrameKind | None,
) -> Comparison:
    """What the rows tell, which are `ComparedRows`, and what explains the difference over them."""
    agreement = agreement_of(parts, models, change.n_outputs, with_loss=with_loss)
    most = int(np.argmax(agreement.sd))
    chosen = _pairs_that_fit(change)
    return Comparison(
        n_rows=agreement.n_rows,
        outputs=change.outputs,
        correlation=agreement.correlation,
        mean=agreement.mean,
        sd=agreement.sd,
        quantiles=agreement.quantiles,
        class_changes=agreement.class_changes,
        loss=agreement.loss,
        importance=explain.importance(),
        pairs=explain.pairs(chosen) if chosen else None,
        ledger=explain.ledger(),
        # where the models differ: rules for the output that differs most
        rules=explain.rules(most) if agreement.sd[most] > 0 else None,
        rows=agreement.rows,
        row_raw=agreement.row_raw,
        bounds=find_bounds(change, None, Limits.of(_boxes(change), None)),
        difference=change,
        kind=kind,
    )


def _boxes(change: Ensemble) -> int:
    """Boxes to look at: the bounds hold for any number of them, and more boxes make them narrower."""
    box = int(np.count_nonzero(change.feature < 0)) + 200 * len(change.features)
    return int(np.clip(_WORK // box, _MIN_NODES, _NODES))


def _pairs_that_fit(change: Ensemble) -> Pairs:
    """The pairs that most leaves use, and whose tables are not large."""
    pairs, n_leaves = count_usage(change, 2)
    order = np.argsort(-n_leaves, kind="stable")
    chosen = pairs[order[n_leaves[order] > 0]]
    if not len(chosen):
        return []
    fits = make_grid(change).n_cells(chosen) * change.n_outputs <= _PAIR_CELLS
    found: Pairs = chosen[fits][:_PAIRS].tolist()
    return found
