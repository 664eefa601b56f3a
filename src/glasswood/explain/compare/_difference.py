"""difference: two models → the ensemble whose raw is the difference of their raws."""

from typing import Any

from glasswood._checks import check_choice
from glasswood.ensemble import Ensemble, label_codes, subtract
from glasswood.errors import UnsupportedModelError
from glasswood.explain.compare._model_columns import columns_for
from glasswood.readers import as_ensemble
from glasswood.tables import Table


def difference(a: Any, b: Any, X: Table | None = None, *, scale: str = "auto") -> Ensemble:
    """Subtract one model from another: an Ensemble whose raw is raw of a minus raw of b.

    The result holds the trees of a, and those of b with negated values. Therefore every explanation of it explains what
    differs between the two models: `effects`, `interactions`, `ledger`, `attributions`, `rules`, `report`. The models
    may come from different libraries.

    Features are joined by name, or by position if one model has no names; levels are united. A level that one model
    does not know goes where that model sends levels it has never seen. Several outputs are matched by name.

    Parameters
    ----------
    a, b : fitted model, path or Ensemble
        Anything `glasswood.read` takes.
    X : table, optional
        Rows with the columns of both models. Both are checked on them, as `read` does, and a model that kept only the
        codes of its levels (XGBoost) takes their labels from the categories of the table.
    scale : str
        ``"auto"`` refuses models with different links, whose raws mean different things; ``"raw"`` subtracts them
        all the same.

    Returns
    -------
    Ensemble
        Its link is the identity: it predicts a difference of raw.

    Raises
    ------
    UnsupportedModelError
        The models have different links or outputs, or a feature is a number in one and a category in the other.

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> small = gw.TreeRegressor(max_depth=1).fit(X, [0.0, 0.0, 4.0, 6.0])
    >>> large = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 0.0, 4.0, 6.0])
    >>> gw.difference(large, small).predict(X)
    array([ 0.,  0., -1.,  1.])
    """
    check_choice("scale", scale, ("auto", "raw"))
    first, second = open_model(a, X), open_model(b, X)
    if first.link != second.link and scale != "raw":
        raise UnsupportedModelError(
            f"the first model has the link {first.link}, the second {second.link}: their raws mean different things; "
            "pass scale='raw' to subtract them all the same"
        )
    return subtract(first, second)


def open_model(model: Any, X: Table | None) -> Ensemble:
    """Read a model, check it on the columns that it uses, and label levels of which it kept only the codes."""
    ensemble = as_ensemble(model)
    if X is None:
        return ensemble
    own = columns_for(X, ensemble.features)
    return label_codes(as_ensemble(model, own), own)
