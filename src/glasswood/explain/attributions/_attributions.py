"""attributions: what each feature adds to the raw prediction of each row."""

from collections.abc import Iterator, Sequence
from typing import Any

from glasswood._checks import check_flag
from glasswood._jobs import resolve_n_jobs
from glasswood.errors import TableError
from glasswood.explain.attributions._background import open_background, read_background
from glasswood.explain.attributions._engine import Request, make_engine, plan_model
from glasswood.explain.attributions._method import check_model, choose_method
from glasswood.readers import as_ensemble
from glasswood.results import Attributions
from glasswood.tables import Table, replayable


def attributions(
    model: Any,
    X: Table,
    *,
    background: Table | Iterator[Table] | None = None,
    method: str = "auto",
    interactions: bool = False,
    features: Sequence[str | int] | None = None,
    output: str | int | None = None,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Attributions:
    """Exact Shapley values of raw, for every row of X.

    The values of a row and the baseline add up to raw; every call checks this.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table
        The rows to explain.
    background : table or iterator of tables, optional
        Rows over which features outside a coalition are averaged. All rows are used, without sampling.
    method : str
        ``"interventional"``: features outside a coalition take the values of background rows (the default with a
        background). ``"path"``: splits on these features average their children by the weights of the model's nodes
        (the default without).
    interactions : bool
        Also compute the matrix of pairs for every row. It is symmetric: half of the interaction of a pair is in each of
        its two cells. The rows of the matrix sum to the values.
    features : list of str or int, optional
        Which features to return, by name or position; this does not change their values.
    output : str or int, optional
        Which output to return; by default all.
    sample_weight : array, or iterator of arrays, optional
        Weight of each row of the background.
    n_jobs : int, optional
        Threads; None is 1, −1 all cores. The result has the same bits for any number.
    progress : bool
        Show a bar on stderr.

    Returns
    -------
    Attributions

    Raises
    ------
    AdditivityError
        The values of a row do not add up to raw.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> tree = DecisionTreeRegressor().fit(X, [0.0, 1.0, 1.0, 4.0])
    >>> at = gw.attributions(tree, X, background=X)
    >>> at.baseline, at.values[3]
    (array([1.5]), array([1.25, 1.25]))
    """
    n_threads = resolve_n_jobs(n_jobs)
    check_flag("interactions", interactions)
    X = replayable(X)
    if isinstance(X, Iterator):
        raise TableError(
            "attributions explains one table; for tables that come one after the other, make "
            "explain = gw.attributor(model, …) and call explain(table) for each"
        )
    method = choose_method(method, background, sample_weight)
    ensemble = as_ensemble(model, X)
    check_model(method, ensemble)
    request = Request.make(ensemble, features, output, interactions)
    kept = None
    if background is not None:
        rows = open_background(background, sample_weight)
        kept = read_background(ensemble, plan_model(ensemble), rows, n_threads, progress)
    return make_engine(ensemble, kept, tables=None, n_threads=n_threads).explain(X, request, n_threads, progress)
