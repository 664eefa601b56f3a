"""Attributor: a model with its background, prepared to explain rows one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._checks import check_flag
from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble
from glasswood.errors import ParityError, TableError
from glasswood.explain.attributions._background import in_words, open_background, read_background
from glasswood.explain.attributions._engine import Engine, Request, make_engine, plan_model
from glasswood.explain.attributions._method import check_model, choose_method
from glasswood.readers import as_ensemble
from glasswood.results import Attributions
from glasswood.tables import Table, replayable

_MAX_TABLE_BYTES = 512_000_000  # larger tables are computed again for every call


class Attributor:
    """Explains rows with a model and a background that were read once; `glasswood.attributor` makes one.

    Tables of the model are kept if they fit into memory. It can be pickled and used by several threads at the same
    time.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> explain = gw.attributor(tree, background=X)
    >>> explain(X[3:]).values
    array([[1.625, 2.125]])
    """

    def __init__(self, ensemble: Ensemble, background: _native.AttributionBackground | None, n_threads: int) -> None:
        self._engine = _ready(ensemble, background, n_threads)

    def __call__(
        self,
        X: Table,
        *,
        interactions: bool = False,
        features: Sequence[str | int] | None = None,
        output: str | int | None = None,
        n_jobs: int | None = None,
    ) -> Attributions:
        """Attributions of every row of X; parameters as in `glasswood.attributions`."""
        check_flag("interactions", interactions)
        X = replayable(X)
        if isinstance(X, Iterator):
            raise TableError("an attributor explains one table at a time; call it for every table of the iterator")
        request = Request.make(self._engine.ensemble, features, output, interactions)
        return self._engine.explain(X, request, resolve_n_jobs(n_jobs), False)

    @property
    def method(self) -> str:
        """``"interventional"`` or ``"path"``."""
        return "path" if self._engine.background is None else "interventional"

    @property
    def n_background(self) -> int | None:
        """Number of background rows with weight; None for ``"path"``."""
        return None if self._engine.background is None else self._engine.background.n_rows

    def __getstate__(self) -> dict[str, Any]:
        background = self._engine.background
        return {
            "ensemble": self._engine.ensemble,
            "background": None if background is None else background.state(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        ensemble, background = state["ensemble"], None
        if state["background"] is not None:
            background = _native.AttributionBackground(plan_model(ensemble))
            background.restore(*state["background"])
        self._engine = _ready(ensemble, background, 1)

    def __repr__(self) -> str:
        over = "" if self.n_background is None else f" over {self.n_background:,} rows"
        return f"<Attributor method={self.method!r}{over}: {self._engine.ensemble.n_trees:,} trees>"


def _ready(ensemble: Ensemble, background: _native.AttributionBackground | None, n_threads: int) -> Engine:
    tables = _native.AttributionTables(plan_model(ensemble), background, _MAX_TABLE_BYTES, n_threads)
    return make_engine(ensemble, background, tables=tables, n_threads=n_threads)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedAttributions:
    """What attributions of any rows are looked up in."""

    tables: _native.AttributionTables
    baseline: NDArray[np.float64]  # (n_outputs,)


def prepare_attributions(ensemble: Ensemble, background: Any, max_bytes: int, n_threads: int) -> PreparedAttributions:
    """Tables of a model, by a background in the memory of the host, or by the weights of its nodes without one."""
    method = choose_method("auto", background, None)
    check_model(method, ensemble)
    kept = None
    if background is not None:
        rows = open_background(background, None)
        kept = read_background(ensemble, plan_model(ensemble), rows, n_threads, False)
    tables = _native.AttributionTables(plan_model(ensemble), kept, max_bytes, n_threads)
    return PreparedAttributions(tables, make_engine(ensemble, kept, tables=tables, n_threads=n_threads).baseline)


def attributor(
    model: Any,
    *,
    background: Table | Iterator[Table] | None = None,
    method: str = "auto",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Attributor:
    """Prepare a model to explain single rows fast, or one table after the other.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    background : table or iterator of tables, optional
        Rows over which features outside a coalition are averaged; read once.
    method : str
        As in `glasswood.attributions`.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row of the background.
    n_jobs : int, optional
        Number of threads for the preparation.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Attributor
        Call it with a table to get the same `Attributions`, bit by bit, as from `glasswood.attributions`.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X, y = np.arange(8.0).reshape(-1, 1), np.arange(8.0)
    >>> explain = gw.attributor(gw.TreeRegressor(max_depth=2).fit(X, y), background=X)
    >>> explain(np.array([[7.0]])).values
    array([[3.]])
    """
    n_threads = resolve_n_jobs(n_jobs)
    method = choose_method(method, background, sample_weight)
    if background is None:
        ensemble = as_ensemble(model)
        check_model(method, ensemble)
        return Attributor(ensemble, None, n_threads)
    rows = open_background(background, sample_weight)
    try:
        ensemble = as_ensemble(model, rows.first)
    except (ParityError, TableError) as error:
        raise type(error)(in_words(error)) from error
    kept = read_background(ensemble, plan_model(ensemble), rows, n_threads, progress)
    return Attributor(ensemble, kept, n_threads)
